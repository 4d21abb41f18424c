/** A project: its dependencies, and the files in its folder. */
export interface Found {
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
  readonly part: (found: Found) => Omit<Part, 'tool'>;
}

/** The existing configuration file of a tool in any of its forms, or the one to write. */
function configuration(found: Found, base: string, otherwise: string, text: string): Omit<Part, 'tool'> {
  const file = found.files.find((one) => new RegExp(`^${base}\\.config\\.[cm]?[jt]s(?:on)?$`).test(one));
  return { file: file ?? otherwise, isThere: file !== undefined, text };
}

const isTyped = ({ files, packages }: Found): boolean => files.includes('tsconfig.json') || packages.has('typescript');
const extension = (found: Found): string => (isTyped(found) ? 'ts' : 'mjs');

const plugin = `import { defineConfig } from 'vite';
import agentContract from 'agent-contract/vite';

export default defineConfig({ plugins: [agentContract()] });
`;

const vitestSetup = `import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globalSetup: 'agent-contract/global-setup' } });
`;

const jestSetup = '{ "globalSetup": "agent-contract/global-setup" }\n';

const fixture = (found: Found): string => `import { expect as plain, test as base } from '@playwright/test';
import { matchers } from 'agent-contract/matchers';
import { mockFixture } from 'agent-contract/playwright';
${isTyped(found) ? "import type { MockFixtures, MockWorkerFixtures } from 'agent-contract/playwright';\n" : ''}
export const test = base.extend${isTyped(found) ? '<MockFixtures, MockWorkerFixtures>' : ''}(mockFixture);
export const expect = plain.extend(matchers);
`;

const handlers = `import { createMock, mockHandlers } from 'agent-contract/msw';
import { http } from 'msw';

export const mock = createMock({ seed: 1 });
export const agentHandlers = mockHandlers(http, mock);
`;

const fresh = (found: Found, file: string, text: string): Omit<Part, 'tool'> => ({
  file,
  isThere: found.files.includes(file),
  text,
});

const tools: readonly Tool[] = [
  {
    name: 'Vite',
    byPackage: 'vite',
    part: (found) => configuration(found, 'vite', `vite.config.${extension(found)}`, plugin),
  },
  {
    name: 'Vitest',
    byPackage: 'vitest',
    part: (found) => configuration(found, 'vitest', `vitest.config.${extension(found)}`, vitestSetup),
  },
  {
    name: 'Jest',
    byPackage: 'jest',
    part: (found) =>
      found.members.includes('jest')
        ? { file: 'package.json', isThere: true, text: `"jest": ${jestSetup}` }
        : configuration(found, 'jest', 'jest.config.json', jestSetup),
  },
  {
    name: 'Playwright',
    byPackage: '@playwright/test',
    part: (found) => fresh(found, `agent-contract.fixture.${extension(found)}`, fixture(found)),
  },
  {
    name: 'Mock Service Worker',
    byPackage: 'msw',
    part: (found) => fresh(found, `agent-contract.handlers.${extension(found)}`, handlers),
  },
];

export const toolNames = tools.map(({ name }) => name);

/** What each tool of a project needs. */
export const partsFor = (found: Found): readonly Part[] =>
  tools
    .filter(({ byPackage }) => found.packages.has(byPackage))
    .map(({ name, part }) => ({ tool: name, ...part(found) }));
