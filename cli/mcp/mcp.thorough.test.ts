import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { createServer as createMcp } from '../commands/mcp.ts';
import { tinyService } from '../../conformance/testing/tiny-service.ts';
import { createGuard } from '../../conformance/report/guard.ts';
import type { Secret } from '../../conformance/report/redact.ts';
import { serverOf } from '../../http/testing/test-server.ts';
import type { Cli } from '../command.ts';
import { temporaryFolder } from '../testing/test-io.ts';
import { createTools } from './tools.ts';

// The same session as a coding agent has, in process. It takes about six seconds.

const TOKEN = 'good';
const cwd = temporaryFolder();
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

/** A client of our server, whose calls resolve with the text of the answer. */
async function connect(env: Cli['io']['env']) {
  const secrets: Secret[] = [];
  const io = { argv: [], env, cwd, stdout: { write: () => true }, stderr: { write: () => true } };
  const cli: Cli = { io, secrets, canary: { value: '', placeholder: '' }, clean: createGuard(secrets) };
  const { tools, close } = createTools(cli);
  const kit = await import('@modelcontextprotocol/server');
  const [here, there] = kit.InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await createMcp(cli, kit, tools).connect(there);
  await client.connect(here);
  ends.push(() => client.close(), close);
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const [first] = content;
    const says = first?.type === 'text' ? first.text : '';
    expect(says.length).toBeLessThan(20_200);
    return { says, isError: isError === true };
  };
  return { client, call };
}

/** A small server with two bugs, until they are mended. */
async function buggyServer() {
  const bugs = { order: true, mode: true };
  const { transport } = tinyService({ now: Date.now() });
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const body = (await text(request)) || undefined;
    const wire = { method, url: `http://tiny${url}`, headers: headers as Record<string, string>, body };
    const answer = await transport(wire).catch(() => ({ status: 400, body: '{}' }));
    const json = JSON.parse(Buffer.from(answer.body).toString() || '{}') as Partial<{
      results: object[];
      currentUserMode: string;
    }>;
    if (bugs.order) json.results?.reverse();
    if (bugs.mode && json.currentUserMode) json.currentUserMode = 'owner';
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  };
  const server = await serverOf((request, response) => void respond(request, response));
  return { bugs, url: server.url };
}

test('the bugs of a small server are found, explained, mended by the answers, and said to be fixed', async () => {
  const { bugs, url } = await buggyServer();
  const { call } = await connect({ AGENT_CONTRACT_TOKEN: TOKEN });
  /** What a programmer would mend who reads what is required. */
  const mends: readonly (readonly [RegExp, keyof typeof bugs])[] = [
    [/descending creation date/, 'order'],
    [/currentUserMode/, 'mode'],
  ];
  const target = { baseUrl: url, agentId: 'main', only: ['get-agent', 'list-results'], readOnly: true };
  const first = await call('check_server', target);
  const found = [...first.says.matchAll(/✗ .*\[([\w-]+)\]/g)].map(([, id = '']) => id);
  expect(first.says).toContain('exit status 1');
  expect(found).toHaveLength(2);
  for (const id of found) {
    const { says } = await call('replay_finding', { finding: id, baseUrl: url });
    expect(says).toContain('STILL FAILING');
    const [, required = '?'] = /requires +(.*?) \(section/.exec(says) ?? [];
    expect((await call('explain', { id })).says).toContain(required);
    const fitting = mends.filter(([pattern]) => pattern.test(required));
    expect(fitting).toHaveLength(1);
    for (const [, bug] of fitting) bugs[bug] = false;
    expect((await call('replay_finding', { finding: id, baseUrl: url })).says).toContain('\nFIXED');
  }
  const last = await call('check_server', target);
  expect(last.says).not.toContain('✗');
  expect(last.says).toMatch(/exit status [03]/);
});

test('a mock is started, steered, and judged', async () => {
  const { call } = await connect({});
  const contract = await call('what_may_answer', { endpoint: 'list-results' });
  expect(contract.says).toMatch(/results-ascending: [^]*"nextCursor"/);
  const started = JSON.parse((await call('start_mock', { seed: 3, now: '2026-05-05T10:00:00Z' })).says) as {
    url: string;
    ids: { agentId: string };
  };
  const { agentId } = started.ids;
  const target = { baseUrl: started.url, agentId, only: ['list-results'], readOnly: true };
  expect((await call('check_server', target)).says).not.toContain('✗');
  const steered = await call('steer_mock', { faults: ['results-ascending'], advance: 3_600_000, frozen: true });
  expect(steered.says).toMatch(/results-ascending[^]*2026-05-05T11:00:.*\n.*"isFrozen": true/);
  expect((await call('check_server', target)).says).toContain('list-results-newest-first');
  expect((await call('steer_mock', { faults: ['no-such'] })).isError).toBe(true);
});

test('arguments are checked, answers are bounded, and tokens go only where the user says', async () => {
  const secret = 'sk-4f9Q2x7Zr81bL';
  const env = { AGENT_CONTRACT_TOKEN: secret, AGENT_CONTRACT_BASE_URL: 'https://mine.test' };
  const { client, call } = await connect(env);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('judge_client');
  for (const [name, given] of [
    ['explain', { id: '--help' }],
    ['check_server', { baseUrl: 'file:///etc/passwd' }],
    ['check_server', { baseUrl: 'http://127.0.0.1:1', token: 'x' }],
    ['check_server', {}],
    ['steer_mock', {}],
    ['replay_finding', { finding: '1', baseUrl: 'http://127.0.0.1:1' }],
  ] as const)
    expect({ name, ...(await call(name, given)) }).toMatchObject({ name, isError: true });
  // A malformed token shows whether it is used.
  const { call: other } = await connect({ ...env, AGENT_CONTRACT_TOKEN: 'Bearer x' });
  expect((await other('check_server', { baseUrl: 'https://mine.test' })).says).toContain('exit status 2');
  expect((await other('check_server', { baseUrl: 'http://elsewhere.invalid' })).says).toMatch(
    /^No token was sent[^]*Without a token[^]*exit status 3/,
  );
  expect((await call('explain', { id: secret })).says).not.toContain(secret);
  expect((await call('explain', { id: 'now-and-then' })).says).toMatch(
    /characters are left out here[^]*exit status 0\n$/,
  );
  const silent = await call('judge_client', { command: [process.execPath, '-e', '0'] });
  expect(silent.says).toMatch(/exit status 2/);
});
