/** A project: its dependencies, and the files in its folder. */
export interface ProjectFolder {
  /** Names of packages, in any kind of dependency. */
  readonly packages: ReadonlySet<string>;
  /** Names of files, and of folders. */
  readonly files: readonly string[];
  /** The members of package.json, where some tools may be configured. */
  readonly members: readonly string[];
}

/** What one tool needs in a project. */
export interface Part {
  readonly tool: string;
  /** Where the lines go, from the folder of package.json, with forward slashes. */
  readonly file: string;
  /** Whether the file exists already, so that the user must add the lines. */
  readonly isThere: boolean;
  /** The whole file, or the lines to add to the existing one. */
  readonly text: string;
}

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

/** What each tool of a project needs. */
export function partsFor({ packages, files, members }: ProjectFolder): readonly Part[] {
  const isTyped = files.includes('tsconfig.json') || packages.has('typescript');
  return tools
    .filter(({ byPackage }) => packages.has(byPackage))
    .map(({ name: tool, base, ending = isTyped ? 'ts' : 'mjs', member, text }) => {
      const found = files.find(
        (file) => file.startsWith(`${base}.`) && /^[cm]?[jt]s(?:on)?$/.test(file.slice(base.length + 1)),
      );
      if (member !== undefined && members.includes(member))
        return { tool, file: 'package.json', isThere: true, text: `"${member}": ${text(isTyped)}` };
      return { tool, file: found ?? `${base}.${ending}`, isThere: found !== undefined, text: text(isTyped) };
    });
}
