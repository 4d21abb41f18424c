import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { toCurl } from '../../text/curl.ts';
import { UNSEEN } from '../../text/visible.ts';
import type { MockRequest } from '../call.ts';
import type { MockOptions } from '../mock-core.ts';
import { createMock, type Mock } from '../mock.ts';
import { testMock, type TestRequest } from '../testing/test-client.ts';
import { served, serverOf } from '../../http/testing/test-server.ts';
import { reproduce } from './reproduce.ts';
import { anyText } from '../../text/testing/test-any-text.ts';

const TOKEN = 'a-token-of-mine';

/** Text that a shell, JavaScript or a page would execute. */
const marks =
  String.raw`' " \ \n !! !x </script> ${'${token}'} $' ${'\\`'} @/etc/passwd ${TOKEN} $TOKEN $BASE_URL`.split(' ');
const texts = ['$(touch pasted)', '`touch pasted`', '${HOME}', '; exit 3 #', ...marks];
const nasty = fc
  .array(fc.oneof(fc.constantFrom(...texts), anyText({ maxLength: 6 })), { maxLength: 6 })
  .map((parts) => parts.join(''));

/** Every character that an HTTP header can carry: bytes, except those that end a line. */
const headerValue = nasty.map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').trim());
const content = fc.oneof(
  nasty.map((text) => new TextEncoder().encode(text)),
  fc.uint8Array({ maxLength: 40 }),
  nasty.map((text) => new TextEncoder().encode(`\0${text.repeat(40)}\0\n\u2028\u202e\ufeff`)),
  fc.constant(new TextEncoder().encode('{"__proto__":{"a":1},"</script>":"\u2028"}'.padEnd(9000))),
);
const requests: fc.Arbitrary<MockRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
    path: nasty.map((text) => `/${text.replaceAll(/[^!-~]|#/g, '')}`),
    own: headerValue,
    body: fc.option(content, { nil: undefined }),
  })
  .map(({ method, path, own, body: sent }) => ({
    method,
    target: path,
    headers: { authorization: `Bearer ${TOKEN}`, 'x-own': own, 'content-type': 'application/json' },
    ...(sent === undefined || method === 'GET' ? {} : { body: sent }),
  }));

function heard({ method, target, headers, body = new Uint8Array() }: MockRequest): object {
  const { authorization, 'x-own': own = '' } = headers;
  const begin = Buffer.from(body).toString('latin1').slice(0, 200);
  return { method, target, own, authorization, begin, size: body.length };
}

/** Everything that arrives at a server while `work` runs with its address. */
async function arriving(work: (baseUrl: string) => Promise<void>): Promise<readonly object[]> {
  const all: object[] = [];
  const server = await serverOf((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '' } = request;
      const headers = request.headers as MockRequest['headers'];
      all.push(heard({ method, target, headers, body: Buffer.concat(chunks) }));
      response.end('{}');
    });
  });
  await work(server.url);
  return all;
}

const wire = { status: 200, body: '{}' };
const sample = fc.sample(requests, { numRuns: 100, seed: 1 });

test('a command pasted into bash sends the same request, and bash executes nothing in it', async () => {
  const lines = sample.map((request) => reproduce({ request, wire }).curl ?? '');
  for (const line of lines) expect(line.match(UNSEEN)).toBeNull();
  expect(lines.join('\n')).not.toContain(TOKEN);
  const arrived = await arriving(async (baseUrl) => {
    const child = execFile('bash', ['--norc'], { env: { PATH: process.env['PATH'], TOKEN, BASE_URL: baseUrl } });
    let errors = '';
    child.stderr?.on('data', (text: string) => (errors += text));
    // Pasted by a person, into an interactive shell with history.
    child.stdin?.end(`set -o history -o histexpand\nexec >/dev/null\n${lines.join('\n')}\n`);
    await once(child, 'close');
    expect(errors).toBe('');
  });
  expect(arrived).toEqual(sample.map(heard));
});

test('a test pasted into a file sends the same request, and executes nothing in it', async () => {
  const arrived = await arriving(async (baseUrl) => {
    for (const request of sample) {
      const source = reproduce({ request, wire }).test ?? '';
      expect(source).not.toContain(TOKEN);
      expect(source).not.toMatch(/<\/script|[\u2028\u2029\0]/);
      const send = (target: string, init: RequestInit): Promise<Response> => fetch(baseUrl + target, init);
      await running(source, () => ({ target: { token: TOKEN }, fetch: send }));
    }
  });
  // A URL of the Fetch API encodes some characters differently.
  const origin = 'http://host';
  expect(arrived).toEqual(
    sample.map((request) => heard({ ...request, target: new URL(origin + request.target).href.slice(origin.length) })),
  );
});

/** Runs the file of a test, whose import is given, and which has no `TextEncoder`, as in jsdom. */
function running(source: string, create: (options?: MockOptions) => object = createMock): Promise<void> {
  const [imported, ...rest] = source.split('\n');
  expect(imported).toBe('import { createMock } from "agent-contract/mock";');
  // oxlint-disable-next-line typescript/no-implied-eval -- that it runs is what is tested
  const run = new Function('test', 'expect', 'createMock', 'TextEncoder', rest.join('\n'));
  return new Promise((resolve, reject) => {
    run((_: string, work: () => Promise<void>) => void work().then(resolve, reject), expect, create);
  });
}

test.each([
  { name: TOKEN, __proto__x: 1, '</script>': '\u2028`${1}' },
  JSON.parse('{"__proto__": {"a": 1}, "n": -0, "list": [[], {}, null, true]}') as object,
  'no JSON',
])('a test expects the status that came: %j', async (answer) => {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const request = { method: 'GET', target: '/x', headers: { authorization: `Bearer ${TOKEN}` } };
  const source = reproduce({ request, wire: { status: 201, body: text } }).test ?? '';
  expect(source).not.toContain(TOKEN);
  const answering = (body: string) => () => ({
    target: { token: TOKEN },
    fetch: async () => new Response(body, { status: 201 }),
  });
  await running(source, answering(text));
  await expect(running(source, answering('{"other":1}'))).rejects.toThrow('expect');
});

test('an exchange with a broken connection has no status, and its test passes if the connection breaks again', async () => {
  const mock = createMock();
  const server = await served(mock);
  const { agentId, token } = mock.target;
  const headers = { authorization: `Bearer ${token}`, prefer: 'fault=CONNECTION_RESET_BY_PEER' };
  await expect(fetch(`${server.url}/api/v1/agents/${agentId}`, { headers })).rejects.toThrow('fetch failed');
  expect(mock.journal.count({ status: 200 })).toBe(0);
  expect(mock.journal.entry(1)?.response).toMatchObject({ status: null, headers: {}, body: null });
  const { test: source } = mock.journal.reproduction(1) ?? {};
  await running(source ?? '');
});

const guest = { token: 'mock-guest-token' };
const from = testMock().mock.target;
const list = `/api/v1/agents/${from.agentId}/results?timeFilter=allTime&limit=3`;
const creation = { body: { workspaceId: from.workspaceId, agent: { name: 'Copied €' } } };
/** An import into a new workspace, after a creation and a refusal. */
function makeAgent(mock: Mock): string {
  const { call } = testMock({}, mock);
  call('/api/v1/agents', creation);
  call('/api/v1/agents', { body: '{ "agent": 5 }' });
  const { workspace } = call('/api/v1/workspaces', { body: { name: 'Mine' } }).json;
  const body = { workspaceId: workspace.id, agent: { name: 'Mine' } };
  return call('/api/v1/agents/import', { body }).json.agent.id;
}
const made = makeAgent(testMock().mock);
const planned = (mock: Mock): unknown => {
  mock.plans.add({ on: 'every', steps: [{ code: 500 }, { code: 503, delay: 60_000, times: 2 }] });
  return mock.handle({ method: 'GET', target: list, headers: {} });
};
const limited = (mock: Mock): unknown => {
  mock.setSettings({ rateLimit: { requests: 1, seconds: 60 } });
  return mock.handle({ method: 'GET', target: list, headers: {} });
};
const room = { body: { name: 'Room' } };
const afterFirst = (mock: Mock): unknown => testMock({}, mock).call('/api/v1/workspaces', { body: { name: 'First' } });
type Prepare = (mock: Mock) => unknown;
test.each<[name: string, target: string, request?: TestRequest, prepare?: Prepare, options?: MockOptions]>([
  ['a list', list],
  ['a list later', list.replace('allTime', 'last30Days'), {}, (mock) => mock.clock.advance(86_400_000 * 40)],
  ['a creation', '/api/v1/agents', creation],
  ['a second creation', '/api/v1/workspaces', room, afterFirst],
  ['an agent that a client made', `/api/v1/agents/${made}`, {}, makeAgent],
  ['one of a session', `/_s/mine/api/v1/agents/${made}`, {}, (mock) => makeAgent(mock.session('mine') as Mock)],
  ['a creation without a content type', '/api/v1/agents', { ...creation, headers: { 'content-type': '' } }],
  ['a refusal', '/api/v1/agents', { body: '{ "agent": 5 }' }],
  ['a token of another mode', `/api/v1/agents/${from.agentId}`, guest],
  ['an unknown token', `/api/v1/agents/${from.agentId}`, { token: 'some-unknown-token' }],
  ['a fault', list, {}, (mock) => mock.setFaults(['results-ascending'])],
  ['another profile', list, guest, (mock) => mock.setProfile('contrarian')],
  ['another world', list, {}, (mock) => mock.setWorld({ seed: 9 })],
  ['a session', `/_s/mine${list}`],
  ['the second step of a plan', list, {}, planned],
  ['a standing answer', list, {}, ({ standing }) => standing.set('list-results', { code: 404 })],
  ['too many requests', list, {}, limited],
  ['a persona', '/api/v1/workspaces', room, undefined, { persona: 'empty', seed: 3 }],
])('the test of %s passes on a fresh mock, whatever happens later, and fails on another answer', async (...row) => {
  const [, target, request, prepare, options] = row;
  const { mock, call } = testMock(options);
  prepare?.(mock);
  call(target, request);
  const { journal } = mock.session(target.startsWith('/_s/') ? 'mine' : '');
  mock.plans.clear();
  const source = journal.reproduction(journal.next() - 1)?.test ?? '';
  await running(source);
  const fetching = async () => Response.json({}, { status: 299 });
  const wrong = (): object => Object.assign(createMock(), { fetch: fetching });
  await expect(running(source, wrong)).rejects.toThrow('expect');
});

test('the journal gives what was sent, not what it shows', () => {
  const { mock, call } = testMock();
  call('/api/v1/agents?x=$TOKEN', { body: '{ "name":  "$TOKEN" }', headers: { cookie: 'a=b', 'x-own': '$(id)' } });
  const { json } = call('/__admin/requests/1');
  expect(json.curl).toBe(
    `curl -sS -i "$BASE_URL"'/api/v1/agents?x=$TOKEN' -H "authorization: Bearer $TOKEN"` +
      ` -H 'content-type: application/json' -H "cookie: $SECRET" -H 'x-own: $(id)' --data-raw '{ "name":  "$TOKEN" }'`,
  );
  expect(json.test).toContain('mock.fetch("/api/v1/agents?x=$TOKEN", {');
  expect(json.test).toContain('"cookie": "$SECRET",');
  mock.journal.clear();
});

test('a request that cannot be repeated is not written', () => {
  const at = { target: '/x', headers: {} };
  const sent = (request: MockRequest) => reproduce({ request, wire });
  expect(sent({ ...at, method: 'POST', oversize: true })).toEqual({ curl: null, test: null });
  expect(sent({ ...at, method: 'TRACE' })).toEqual({ curl: 'curl -sS -i -X TRACE "$BASE_URL/x"', test: null });
  const body = new TextEncoder().encode('{}');
  for (const method of ['GET', 'HEAD', 'POST']) {
    expect(sent({ ...at, method, body }).test === null).toBe(method !== 'POST');
    expect(sent({ ...at, method }).test).not.toBeNull();
  }
  const theirs = { ...wire, headers: { 'x-agent-contract-source': 'upstream' } };
  expect(reproduce({ request: { ...at, method: 'GET' }, wire: theirs }).test).toBeNull();
  const options = sent({ ...at, method: 'OPTIONS', target: '*' }).curl;
  expect(options).toBe(`curl -sS -i -X OPTIONS --request-target '*' "$BASE_URL"`);
  expect(sent({ ...at, method: 'HEAD' }).curl).toBe('curl -sS -i --head "$BASE_URL/x"');
  const headers = { '@/etc/passwd': 'x', 'a\nb': 'x' };
  expect(toCurl({ method: 'GET', url: 'http://host/', headers })).toBe('curl -sS -i http://host/');
});

const ofConnection = ['host', 'connection', 'content-length', 'accept-encoding', 'user-agent', 'sec-fetch-mode'];
test.each([...ofConnection, 'x-own', 'accept', 'prefer'])('the header %s is repeated if a client chose it', (name) => {
  const isRepeated = !ofConnection.includes(name);
  const request: MockRequest = { method: 'GET', target: '/a', headers: { [name]: 'given' } };
  const { curl, test: text } = reproduce({ request, wire: { status: 200, body: '{}' } });
  expect([curl?.includes(name), text?.includes(name)]).toEqual([isRepeated, isRepeated]);
});
