import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serveMock } from '../../mock/adapters/served-mock.ts';
import { firstRunOf } from '../first-run.ts';

// Other processes can load the module only after it is built.
const built = path.join(__dirname, '../../dist/consumer/runs/run-command.js');
const { commandTests } = require(built) as typeof import('./run-command.ts');

const folder = mkdtempSync(path.join(tmpdir(), 'who-asks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(path.join(folder, 'package.json'), '{}');

const ways = `
const http = require('node:http');
const { promisify } = require('node:util');
const { execFile, execFileSync } = require('node:child_process');
const words = (url) => ['-e', 'fetch(process.argv[1])', url];
const ways = Object.entries({
  fetch: (url) => fetch(url),
  child: (url) => promisify(execFile)(process.execPath, words(url)),
  childSync: async (url) => void execFileSync(process.execPath, words(url)),
  http: (url) => new Promise((done) => http.get(url, (answer) => answer.resume().on('end', done))),
}).map(([name, ask]) => [name, () => ask(process.env.AGENT_CONTRACT_BASE_URL + '/' + name)]);
`;
const byWays = { '/fetch': 'asks fetch', '/child': 'asks child', '/childSync': 'asks childSync', '/http': 'asks http' };
const ofNode = `${ways}
require('node:test')('asks', async (t) => { for (const way of ways) await t.test(...way); });`;
const ofJest = `${ways}
beforeAll(() => void require('node:vm').createContext({}));
describe('asks', () => { for (const way of ways) test(...way); });`;
const ofPython = readFileSync(path.join(__dirname, 'testing/test_asks.py'), 'utf8');
const byTests = {
  '/by-urllib': 'Asks test_asks',
  '/by-httpx': 'Asks test_sends',
  '/by-a-child': 'Asks test_starts_a_program',
};
const python = (runner: string) => ['python3', '-m', runner] as const;
const has = (module: string): boolean => spawnSync('python3', ['-c', `import ${module}`]).status === 0;

test('a program that takes too long is asked to end, so that it can stop what it has started', async () => {
  const words =
    "process.on('SIGINT', () => { require('fs').writeFileSync('ended', ''); process.exit(); }); setInterval(() => {}, 99);";
  const runTests = commandTests({
    command: [process.execPath, '-e', words],
    cwd: folder,
    env: process.env,
    serve: () => Promise.resolve({ env: {}, stop: () => Promise.resolve() }),
  });
  const run = await runTests({ steering: {}, limit: 1000, isRecorded: false, signal: undefined });
  expect([run.wasStopped, existsSync(path.join(folder, 'ended'))]).toEqual([true, true]);
});

/** Each takes a second or two. */
test.each([
  ['node:test, by the preloaded module', 'asks.test.cjs', ofNode, [process.execPath, '--test'], byWays, true],
  ['Jest, by its realms', 'asks.test.js', ofJest, [process.execPath, require.resolve('jest/bin/jest')], byWays, true],
  ['pytest, by the plugin', 'test_asks.py', ofPython, python('pytest'), byTests, has('pytest')],
  ['unittest, by the plugin', 'test_asks.py', ofPython, python('unittest'), byTests, has('unittest')],
] as const)('%s, tells which test asks', async (_, file, text, command, expected, isThere) => {
  if (!isThere) return void process.stderr.write('NOT RUN: Python or pytest is missing.\n');
  writeFileSync(path.join(folder, file), text);
  const runTests = commandTests({
    command: [...command, file],
    cwd: folder,
    env: { ...process.env, PYTHONPATH: path.join(__dirname, 'testing') },
    async serve(steering) {
      const { env, server } = await serveMock({ steering });
      return { env, stop: () => server.close() };
    },
  });
  const { exchanges, tests } = await runTests({ steering: {}, limit: undefined, isRecorded: true, signal: undefined });
  const { testOf } = firstRunOf({ tests, exchanges });
  expect(new Set(exchanges.map(testOf))).toEqual(new Set(tests.map(({ name, status }) => status === 'passed' && name)));
  expect(Object.fromEntries(exchanges.map(({ request, test }) => [request.target, test]))).toEqual(expected);
  for (const one of exchanges) expect(path.basename(one.file ?? '')).toBe(file);
});
