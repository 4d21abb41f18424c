import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, temporaryFolder } from '../packaging/test-package.ts';
import { compiled } from './compiled.ts';

// The adapters as users run them: compiled by `npm test`, imported by package name, and in the test runner's own process. Vitest
// is not installed here; conformance/adapters/register.test.ts tests its adapter without it.
const folder = temporaryFolder();

beforeAll(() => {
  compiled('conformance/adapters/jest');
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(root, path.join(folder, 'node_modules/agent-contract'), 'junction');
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ jest: { transform: {}, testMatch: ['**/*.test.js'] } }),
  );
});

/** Four servers: a correct one, a broken one, one without what a check needs, and the same with that allowed. */
const body = `
const servers = {};
before(async () => {
  for (const name of ['good', 'bad']) {
    const mock = createMock({ faults: name === 'bad' ? ['get-agent-mode-always-write'] : [] });
    servers[name] = { server: await mock.listen(), target: mock.target };
  }
});
after(() => Promise.all(Object.values(servers).map(({ server }) => server.close())));
const at = (name, rest) => () => ({ baseUrl: servers[name].server.url, ...servers[name].target, ...rest });
const only = ['get-agent-*'];
const blind = { readToken: undefined, guestToken: undefined };
describeConformance({ name: 'good', only, seed: 1, prepare: at('good') });
describeConformance({ name: 'bad', only, prepare: at('bad') });
describeConformance({ name: 'blind', only, prepare: at('good', blind) });
describeConformance({ name: 'lenient', only, allowNotJudged: true, prepare: at('good', blind) });
`;

function run(args: readonly string[]): Promise<{ readonly status: number; readonly output: string }> {
  // Neither test runner works inside another.
  const { NODE_TEST_CONTEXT: _, JEST_WORKER_ID: __, NODE_OPTIONS: ___, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env: { ...env, NO_COLOR: '1' } }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

const MODE = 'currentUserMode reports the access of the token [get-agent-mode-matches-token]';

test('node:test: passes, fails and skips', async () => {
  writeFileSync(
    path.join(folder, 'node.mjs'),
    `import { after, before } from 'node:test';
import { createMock } from 'agent-contract/mock';
import { describeConformance } from 'agent-contract/node-test';
${body}`,
  );
  const { status, output } = await run(['--test', '--test-reporter=tap', 'node.mjs']);
  const lines = output.split('\n').map((line) => line.trim());
  const about = lines.filter((line) => line.includes(MODE) && /^(not )?ok /.test(line));
  expect(about.map((line) => line.replace(/^(not ok|ok) \d+ - /, '$1 '))).toEqual([
    `ok ${MODE}`,
    `not ok ${MODE}`,
    `not ok ${MODE}`,
    expect.stringMatching(/^ok .* # SKIP This needs a token .*--read-token/),
  ]);
  expect(lines.filter((line) => /^not ok .*\[/.test(line)).length).toBe(2);
  expect(output).toContain("requires  currentUserMode reports the caller's access");
  expect(output).toMatch(/expected {2}the mode (read|guest), for a token with \1 access/);
  expect(lines.filter((line) => /^ok .* something was judged$/.test(line)).length).toBe(4);
  expect(status).toBe(1);
});

test('Jest, without any flag: passes, fails and warns', async () => {
  writeFileSync(
    path.join(folder, 'ours.test.js'),
    `const { createMock } = require('agent-contract/mock');
const { describeConformance } = require('agent-contract/jest');
const [before, after] = [beforeAll, afterAll];
${body}`,
  );
  const flags = '--json --outputFile=out.json --no-cache --verbose --rootDir'.split(' ');
  const { status, output } = await run([path.join(root, 'node_modules/jest/bin/jest.js'), ...flags, folder]);
  interface Result extends Readonly<Record<'title' | 'status', string>> {
    readonly ancestorTitles: readonly string[];
    readonly failureMessages: readonly string[];
  }
  const { testResults } = jest.requireActual<{
    readonly testResults: readonly { readonly assertionResults: readonly Result[] }[];
  }>(path.join(folder, 'out.json'));
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(results.filter(({ title }) => title === MODE).map((one) => [one.ancestorTitles[0], one.status])).toEqual([
    ['good', 'passed'],
    ['bad', 'failed'],
    ['blind', 'failed'],
    ['lenient', 'passed'],
  ]);
  const failed = results.filter((one) => one.status === 'failed');
  expect(failed.map(({ title }) => title)).toEqual([MODE, MODE]);
  expect(failed[0]?.failureMessages[0]).toMatch(/^CheckFailed: .* this is not so\.\n {2}requires {2}/);
  expect(failed[0]?.failureMessages[0]).not.toMatch(/\n\s+at .*:\d+:\d+/);
  expect(failed[1]?.failureMessages[0]).toMatch(/^CheckFailed: Not judged\. .*--read-token/);
  expect(output).toMatch(/get-agent-mode-matches-token was not judged\. This needs a token/);
  expect(status).toBe(1);
});
