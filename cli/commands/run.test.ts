import { readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { flags as checkFlags } from './check.ts';
import { variableName } from '../flags.ts';
import { mockVariables } from './run.ts';
import { testFolder } from '../testing/test-io.ts';

const { folder, run, read, write } = testFolder();

/** Runs a script of Node.js with `run`, and reads back what the script passes to `tell`. */
async function runScript(
  script: string,
  given: {
    flags?: readonly string[];
    args?: readonly string[];
    env?: Record<string, string>;
    signal?: AbortSignal;
  } = {},
) {
  const { flags = [], args = [], env, signal } = given;
  const file = path.join(folder, write('told.json', 'null'));
  const text = `const tell = (value) => require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(value));${script}`;
  const ended = await run(['run', ...flags, '--', process.execPath, '-e', text, '--', ...args], { env, signal });
  return { ...ended, told: JSON.parse(read('told.json')) as unknown };
}

test('mocks that the command makes itself obey the faults, choices and world of the flags', async () => {
  const script = `
    const { createMock } = require(${JSON.stringify(path.join(__dirname, '../../dist/mock/index.js'))});
    const { target, fetch, seed, settings } = createMock({ settings: { latency: undefined } });
    const headers = { authorization: 'Bearer ' + target.token };
    Promise.all([target.agentId, 'nobody'].map((id) => fetch('/api/v1/agents/' + id, { headers })))
      .then((all) => tell([seed, settings, ...all.map(({ status }) => status)]));`;
  const flags = ['--fault', 'get-agent-crashes', '--choice', 'not-found-status=gone-410'];
  expect((await runScript(script)).told).toEqual([1, {}, 200, 404]);
  expect((await runScript(script, { flags })).told).toEqual([1, {}, 500, 410]);
  const { told } = await runScript(script, { flags: ['--seed', '5', '--latency', '3'] });
  expect(told).toEqual([5, { latency: { type: 'fixed', milliseconds: 3 } }, 200, 404]);
});

test('a rate limit falls on the same request as under "client"', async () => {
  const script = `
    const { AGENT_CONTRACT_BASE_URL: url } = process.env;
    const statuses = [];
    (async () => {
      while (statuses.length < 6) statuses.push((await fetch(url + '/api/v1/agents/nobody')).status);
      tell(statuses);
    })();`;
  const { told } = await runScript(script, { flags: ['--choice', 'rate-limit=bursts'] });
  expect(told).toEqual([429, 401, 401, 401, 401, 401]);
});

test('the command reaches a mock through the variables that check reads, and the mock ends with it', async () => {
  const script = `
    const { AGENT_CONTRACT_BASE_URL: url, AGENT_CONTRACT_TOKEN: token, AGENT_CONTRACT_AGENT_ID: id } = process.env;
    fetch(url + '/api/v1/agents/' + id, { headers: { authorization: 'Bearer ' + token } })
      .then((answer) => tell({ status: answer.status, env: process.env }));`;
  const { status, stdout, stderr, told: found } = await runScript(script);
  const { status: answered, env } = found as { status: number; env: Record<string, string> };
  expect([status, stdout, answered]).toEqual([0, '', 200]);
  expect(Object.keys(env).filter((name) => name.startsWith('AGENT_CONTRACT_'))).toEqual(
    mockVariables.filter((key) => key !== 'ca').map((key) => variableName(key)),
  );
  const url = env['AGENT_CONTRACT_BASE_URL'] ?? '';
  expect(stderr).toBe(`mock on ${url}, dashboard on ${url}/__admin/ui\n`);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  for (const key of mockVariables) if (key !== 'baseUrl') expect(checkFlags).toHaveProperty(key);
});

test('flags reach the mock, and settings for another server do not reach the command', async () => {
  const env = {
    AGENT_CONTRACT_AGENT_ID: 'of-another',
    AGENT_CONTRACT_BASE_URL: 'https://api.example.com',
    OTHER: 'kept',
  };
  const flags = ['--persona', 'empty', '--token', 'mine'];
  const { told: found } = await runScript('tell(process.env)', { flags, env });
  const AGENT_CONTRACT_BASE_URL = expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) as string;
  expect(found).toMatchObject({ AGENT_CONTRACT_TOKEN: 'mine', OTHER: 'kept', AGENT_CONTRACT_BASE_URL });
  expect(Object.keys(found as object)).not.toContain('AGENT_CONTRACT_AGENT_ID');
  expect(Object.keys(found as object)).not.toContain('AGENT_CONTRACT_GUEST_TOKEN');
});

test('over HTTPS the command gets the certificate', async () => {
  const script = `fetch(process.env.AGENT_CONTRACT_BASE_URL + '/__admin/health').then(({ status }) => tell([status, process.env.AGENT_CONTRACT_CA]));`;
  const { told: found } = await runScript(script, { flags: ['--https'] });
  const [status, file] = found as [number, string];
  expect(status).toBe(200);
  expect(() => readFileSync(file)).toThrow('ENOENT');
});

test('arguments reach the command unchanged, without a shell', async () => {
  const args = ['--persona', 'a b', '"$HOME"', '*', ''];
  expect((await runScript('tell(process.argv.slice(1))', { args })).told).toEqual(args);
});

test.each([
  ['its status', 'process.exit(7)', 7],
  ['128 and the number of the signal that ended it', `process.kill(process.pid, 'SIGKILL')`, 137],
])('ends with %s', async (_, script, expected) => {
  expect((await runScript(script)).status).toBe(expected);
});

/** As in a process without a terminal, which would send Ctrl+C to the command itself. */
const { isTTY } = process.stdin;
beforeAll(() => void (process.stdin.isTTY = false));
afterAll(() => void (process.stdin.isTTY = isTTY));

test.each(['SIGINT', 'SIGTERM'] as const)('passes %s on, and leaves it to the command how to end', async (name) => {
  const stopping = new AbortController();
  const watcher = watch(folder, () => {
    if (read('told.json') === '"ready"') stopping.abort({ signal: name });
  });
  const script = `
    const timer = setInterval(() => {}, 1000);
    for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => { tell(name); clearInterval(timer); process.exitCode = 5; });
    tell('ready');`;
  const { status, told: found } = await runScript(script, { signal: stopping.signal });
  watcher.close();
  expect([status, found]).toEqual([5, name]);
});
