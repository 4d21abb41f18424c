interface Tool {
  readonly name: string;
  /** A package that shows that a project uses the tool. */
  readonly byPackage: string;
  /** The file to write, without its ending: `vite.config` may already exist in other forms. */
  readonly base: string;
  /** The ending of a file for a tool that reads no TypeScript. */
  readonly ending?: string;
  /** A member of package.json where it may be configured instead. */
  readonly member?: string;
  readonly text: (isTyped: boolean) => string;
}

const tools: readonly Tool[] = [
  {
    name: 'Vite',
    byPackage: 'vite',
    base: 'vite.config',
    text: () => `import { defineConfig } from 'vite';
import agentContract from 'agent-contract/vite';

export default defineConfig({ plugins: [agentContract()] });
`,
  },
  {
    name: 'Vitest',
    byPackage: 'vitest',
    base: 'vitest.config',
    text: () => `import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globalSetup: 'agent-contract/global-setup' } });
`,
  },
  {
    name: 'Jest',
    byPackage: 'jest',
    base: 'jest.config',
    ending: 'json',
    member: 'jest',
    text: () => '{ "globalSetup": "agent-contract/global-setup" }\n',
  },
  {
    name: 'Playwright',
    byPackage: '@playwright/test',
    base: 'agent-contract.fixture',
    text: (isTyped) => `import { expect as plain, test as base } from '@playwright/test';
import { matchers } from 'agent-contract/matchers';
import { mockFixture } from 'agent-contract/playwright';
${isTyped ? "import type { MockFixtures, MockWorkerFixtures } from 'agent-contract/playwright';\n" : ''}
export const test = base.extend${isTyped ? '<MockFixtures, MockWorkerFixtures>' : ''}(mockFixture);
export const expect = plain.extend(matchers);
`,
  },
  {
    name: 'Mock Service Worker',
    byPackage: 'msw',
    base: 'agent-contract.handlers',
    text: () => `import { createMock, mockHandlers } from 'agent-contract/msw';
import { http } from 'msw';

export const mock = createMock({ seed: 1 });
export const agentHandlers = mockHandlers(http, mock);
`,
  },
];

export const toolNames = tools.map(({ name }) => name);

/** A file that a tool needs, from the folder of package.json. */
export type Part = ReturnType<typeof partsFor>[number];

/** What each tool of a project needs, by the content of package.json and the names of the files beside it. */
export function partsFor(manifest: Readonly<Record<string, object | undefined>>, files: readonly string[]) {
  const { dependencies, devDependencies, peerDependencies } = manifest;
  const packages = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
  const isTyped = files.includes('tsconfig.json') || packages.includes('typescript');
  return tools
    .filter(({ byPackage }) => packages.includes(byPackage))
    .map(({ name: tool, base, ending = isTyped ? 'ts' : 'mjs', member, text: textFor }) => {
      const text = textFor(isTyped);
      /** Whether the file exists already, so that the user must add the lines. */
      const isThere = true;
      if (member !== undefined && Object.hasOwn(manifest, member))
        return { tool, file: 'package.json', isThere, text: `"${member}": ${text}` };
      const found = files.find(
        (file) => file.startsWith(`${base}.`) && /^[cm]?[jt]s(?:on)?$/.test(file.slice(base.length + 1)),
      );
      if (found !== undefined) return { tool, file: found, isThere, text };
      return { tool, file: `${base}.${ending}`, isThere: false, text };
    });
}
