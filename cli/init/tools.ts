import plugins from './plugins.json';

interface Tool {
  readonly name: string;
  readonly byPackage: string;
  /** The file to write, without its ending: `vite.config` may already exist in other forms. */
  readonly base: string;
  /** Files, without their endings, that the tool reads in place of its own, the first that is there. */
  readonly instead?: readonly string[];
  /** The ending of a file for a tool that reads no TypeScript. */
  readonly ending?: string;
  /** A member of package.json where it may be configured instead. */
  readonly member?: string;
  readonly text: string | ((project: Project) => string);
}

interface Project {
  readonly isTyped: boolean;
  readonly packages: readonly string[];
  /** Whether the configuration of Vite, which Vitest reads too, is also to be that of Vitest. */
  readonly isForVitest: boolean;
}

/** The configuration of Vite, with the plugins of the project's frameworks, without which Vite does not build their apps. */
function viteConfig({ packages, isForVitest }: Project): string {
  const used = plugins.filter((one) => packages.includes(one.package));
  // SvelteKit brings the plugin of Svelte.
  const own = used.filter((one) => !(packages.includes('@sveltejs/kit') && one.package.endsWith('plugin-svelte')));
  const calls = [...own.map(({ name }) => `${name.replaceAll(/[{} ]/g, '')}()`), 'agentContract()'];
  const test = `  test: { globalSetup: '${GLOBAL_SETUP}' },\n`;
  return `${own.map(({ from, name }) => `import ${name} from '${from}';\n`).join('')}import agentContract from 'agent-contract/vite';
import { defineConfig } from '${isForVitest ? 'vitest/config' : 'vite'}';

export default defineConfig({
  plugins: [${calls.join(', ')}],
${isForVitest ? test : ''}});
`;
}

const GLOBAL_SETUP = 'agent-contract/global-setup';

const tools: readonly Tool[] = [
  {
    name: 'Vite',
    byPackage: 'vite',
    base: 'vite.config',
    // Frameworks that configure Vite themselves, below the member "vite".
    instead: ['astro.config', 'nuxt.config'],
    text: viteConfig,
  },
  {
    name: 'Vitest',
    byPackage: 'vitest',
    base: 'vitest.config',
    // Vitest reads no configuration of Vite, its plugins among them, beside one of its own.
    instead: ['vite.config'],
    text: `import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globalSetup: '${GLOBAL_SETUP}' } });
`,
  },
  {
    name: 'Jest',
    byPackage: 'jest',
    base: 'jest.config',
    ending: 'json',
    member: 'jest',
    text: `{ "globalSetup": "${GLOBAL_SETUP}" }\n`,
  },
  {
    name: 'Playwright',
    byPackage: '@playwright/test',
    base: 'agent-contract.fixture',
    text: ({ isTyped }) => `import { expect as plain, test as base } from '@playwright/test';
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
    text: `import { createMock, mockHandlers } from 'agent-contract/msw';
import { http } from 'msw';

export const mock = createMock({ seed: 1 });
export const agentHandlers = mockHandlers(http, mock);
`,
  },
];

export const toolNames = tools.map(({ name }) => name);

export type Part = ReturnType<typeof partsFor>[number];

/** What each tool of a project needs, by the content of package.json and the names of the files beside it. */
export function partsFor(manifest: Readonly<Record<string, object | undefined>>, files: readonly string[]) {
  const { dependencies, devDependencies, peerDependencies } = manifest;
  const packages = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
  const isTyped = files.includes('tsconfig.json') || packages.includes('typescript');
  const find = (base: string): string | undefined =>
    files.find((file) => file.startsWith(`${base}.`) && /^[cm]?[jt]s(?:on)?$/.test(file.slice(base.length + 1)));
  const hasOther = ['vitest', 'astro', 'nuxt'].some((tool) => find(`${tool}.config`));
  const isForVitest = packages.includes('vite') && packages.includes('vitest') && !hasOther;
  return tools
    .filter(({ name, byPackage }) => packages.includes(byPackage) && !(isForVitest && name === 'Vitest'))
    .map(({ name: tool, base, instead = [], ending = isTyped ? 'ts' : 'mjs', member, text: written }) => {
      const text = typeof written === 'string' ? written : written({ isTyped, packages, isForVitest });
      /** Whether the file exists already, so that the user must add the lines. */
      const isThere = true;
      if (member !== undefined && Object.hasOwn(manifest, member))
        return { tool, file: 'package.json', isThere, text: `"${member}": ${text}` };
      const found = [base, ...instead].map(find).find((file) => file !== undefined);
      if (found !== undefined) return { tool, file: found, isThere, text };
      return { tool, file: `${base}.${ending}`, isThere: false, text };
    });
}
