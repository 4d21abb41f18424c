import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { main } from '../main.ts';
import { run, temporaryFolder } from '../testing/test-io.ts';

const root = temporaryFolder();

/** A project with these files. @returns its folder, and the files in it */
function project(manifest: object, files: Readonly<Record<string, string>> = {}) {
  const cwd = mkdtempSync(path.join(root, 'project-'));
  for (const [file, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files }))
    writeFileSync(path.join(cwd, file), text);
  const read = (file: string): string => readFileSync(path.join(cwd, file), 'utf8');
  return { cwd, read, files: () => readdirSync(cwd).toSorted() };
}

const all = {
  dependencies: { vite: '8' },
  devDependencies: { vitest: '4', jest: '30', '@playwright/test': '1', msw: '2', typescript: '7' },
};

test('shows the lines for every tool, and writes nothing unless the user agrees', async () => {
  const { cwd, files } = project(all);
  const { status, stdout } = await run(['init'], { cwd });
  expect(status).toBe(0);
  for (const line of [
    'Vite: vite.config.ts',
    "import { defineConfig } from 'vitest/config';",
    '  plugins: [agentContract()],',
    "  test: { globalSetup: 'agent-contract/global-setup' },",
    'Jest: jest.config.json',
    '{ "globalSetup": "agent-contract/global-setup" }',
    'Playwright: agent-contract.fixture.ts',
    'export const test = base.extend<MockFixtures, MockWorkerFixtures>(mockFixture);',
    'Mock Service Worker: agent-contract.handlers.ts',
    'Nothing was written. agent-contract init --yes writes vite.config.ts, jest.config.json',
  ])
    expect(stdout).toContain(line);
  expect(files()).toEqual(['package.json']);
});

test('--yes adds what is missing, and overwrites nothing', async () => {
  const { cwd, files, read } = project({ devDependencies: { vite: '8', jest: '30' } }, { 'vite.config.js': 'mine' });
  const { stdout } = await run(['init', '--yes'], { cwd });
  expect(stdout).toContain('Vite: vite.config.js, which exists already and is not changed. Add this to it:');
  expect(stdout).toContain('Written: jest.config.json.');
  expect(files()).toEqual(['jest.config.json', 'package.json', 'vite.config.js']);
  expect(read('vite.config.js')).toBe('mine');
  expect(JSON.parse(read('jest.config.json'))).toEqual({ globalSetup: 'agent-contract/global-setup' });
  expect((await run(['init', '--yes'], { cwd })).stdout).not.toContain('Written');
  const inManifest = await run(['init', '--yes'], { cwd: project({ devDependencies: { jest: '30' }, jest: {} }).cwd });
  expect(inManifest.stdout).toMatch(/Jest: package\.json, which exists already(?![^]*Written)/);
});

test.each<[readonly string[], string, string, RegExp]>([
  [['vite', '@vitejs/plugin-react'], 'none.txt', 'vite.config.mjs', /import react from .*\[react\(\), agent/s],
  [['vite', '@sveltejs/kit'], 'none.txt', 'vite.config.mjs', /import \{ sveltekit \} from .*\[sveltekit\(\), agent/s],
  [['vite', 'vitest'], 'none.txt', 'vite.config.mjs', /from 'vitest\/config'.*globalSetup/s],
  [['vite', 'vitest'], 'vite.config.ts', 'nothing', /^Vite: vite\.config\.ts, which exists already.*globalSetup/s],
  [['vite', 'vitest'], 'vitest.config.ts', 'vite.config.mjs', /from 'vite';.*Vitest: vitest\.config\.ts, which/s],
  [['node'], 'none.txt', 'nothing', /package\.json names none of Vite/],
  [['vite', 'astro'], 'astro.config.mjs', 'nothing', /Vite: astro\.config\.mjs, which exists already/],
])('a project with %j and %s gets %s, which no other file shadows', async (packages, there, written, shown) => {
  const devDependencies = Object.fromEntries(packages.map((name) => [name, '1']));
  const { cwd, files } = project({ devDependencies }, { [there]: '' });
  const { stdout } = await run(['init', '--yes'], { cwd });
  expect(stdout).toMatch(shown);
  expect(files().filter((file) => file !== 'package.json' && file !== there)).toEqual(
    written === 'nothing' ? [] : [written],
  );
});

test.each([
  [true, ['agent-contract.fixture.mjs', 'package.json']],
  [false, ['package.json']],
])('a user who answers %s', async (answer, left) => {
  const { cwd, files } = project({ devDependencies: { '@playwright/test': '1' } });
  const asked: string[] = [];
  const ask = (question: string): Promise<boolean> => Promise.resolve((asked.push(question), answer));
  const nothing = { write: () => true };
  expect(await main({ argv: ['init'], env: {}, cwd, stdout: nothing, stderr: nothing, ask })).toBe(0);
  expect(asked).toEqual(['Write agent-contract.fixture.mjs? [y/N] ']);
  expect(files()).toEqual(left);
});
