import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import express from 'express';
import http from 'node:http';
import { MockError } from '../mock-error.ts';
import { createMock as createInProcess } from '../adapters/in-process.ts';
import type { UpstreamOptions } from './options.ts';
import { deadUrl, served, serverOf } from '../../http/testing/test-server.ts';
import type { MockOptions } from '../mock-core.ts';
import { like, testMock } from '../testing/test-client.ts';
import { mockOf, serve, told, violationsOf, type ServerAnswers } from '../testing/test-upstream.ts';
import rows from '../testing/upstream.json';

/** A mock in front of a server, and the requests that the server got. */
async function behind(answers: ServerAnswers, options: Partial<UpstreamOptions> = {}, more: MockOptions = {}) {
  const { url, got } = await serve(answers);
  const mock = mockOf({ url, ...options }, more);
  const ask = (target = realPath, init: RequestInit = {}) => told(mock.fetch(target, { headers: bearer, ...init }));
  return { url, got, mock, ask };
}
const bearer = { authorization: 'Bearer mock-write-token' };
const json = { 'content-type': 'application/json' };
const real = { agent: { id: 'real', version: '6', name: 'Real' }, currentUserMode: 'read' };
const realPath = 'http://service.test/api/v1/agents/real';

test('the mock answers what it knows, the upstream answers the rest, and every answer names its source', async () => {
  const { mock, got, ask } = await behind(() => [200, real]);
  expect(await ask(`/api/v1/agents/${mock.target.agentId}`)).toMatchObject({ source: 'mock', status: 200 });
  for (const path of [realPath, '/api/v1/folders?a=1'])
    expect(await ask(path)).toMatchObject({ source: 'upstream', json: real });
  expect(got.map(({ url }) => url)).toEqual(['/api/v1/agents/real', '/api/v1/folders?a=1']);
});

const routes = rows.routes as [Partial<UpstreamOptions>, string, string][];
test.each(routes)('%j: the agent comes from the %s, its results from the %s', async (options, agent, results) => {
  const page = { results: [], nextCursor: null };
  const { ask } = await behind(({ url }) => [200, url.endsWith('/results') ? page : real], options);
  const [one, list] = [await ask('/api/v1/agents/any'), await ask('/api/v1/agents/any/results')];
  expect([one.source, list.source]).toEqual([agent, results]);
});

test('forwards a request unchanged, except for headers of this hop, this mock and the asking page', async () => {
  const upstream = await serve(() => [201, { workspace: { id: 'w' } }]);
  const mock = mockOf({ url: `${upstream.url}/base/` });
  const body = JSON.stringify({ name: 'Ü' });
  await mock.fetch('http://service.test/api/v1/workspaces?a=1&__delay=0&b=', {
    method: 'POST',
    body,
    headers: {
      ...bearer,
      ...json,
      origin: 'http://localhost:3000',
      prefer: 'delay=0, return=minimal, respond-async; wait=5',
      'x-mock-session': 'one',
      'x-own': 'yes',
      'keep-alive': 'timeout=5',
    },
  });
  const [got] = upstream.got;
  const kept = { ...bearer, ...json, 'x-own': 'yes', prefer: 'return="minimal", respond-async; wait=5' };
  const own = { host: new URL(upstream.url).host, 'content-length': String(Buffer.byteLength(body)) };
  const expected = { method: 'POST', url: '/base/api/v1/workspaces?a=1&b=', body, headers: { ...kept, ...own } };
  expect(got).toMatchObject(expected);
  for (const name of ['origin', 'x-mock-session', 'keep-alive']) expect(got?.headers).not.toHaveProperty(name);
});

test('adds itself to the Via header', async () => {
  const { ask, got } = await behind(() => [200, real]);
  for (const headers of [bearer, { ...bearer, via: '1.0 fred' }]) await ask(realPath, { headers });
  expect(got[0]?.headers.via).toMatch(/^1\.1 agent-contract-[\da-f-]{36}$/);
  expect(got[1]?.headers.via).toBe(`1.0 fred, ${got[0]?.headers.via}`);
});

test('a token for the upstream replaces that of the client, and appears in no output', async () => {
  const answers: ServerAnswers = ({ headers }) => [headers.authorization === 'Bearer real-secret' ? 200 : 401, real];
  const { mock, ask } = await behind(answers, { token: 'real-secret' });
  expect((await ask()).status).toBe(200);
  // A client without a token learns that it needs one.
  expect((await told(mock.fetch(realPath))).status).toBe(401);
  const seen = JSON.stringify([mock.journal.entries(), mock.upstream, mock.exportState()]);
  expect(['real-secret', 'x-agent-contract-source'].map((text) => seen.includes(text))).toEqual([false, true]);
});

test("without an upstream token the client's own token is forwarded, and may write to the mock as well", async () => {
  const upstream = await serve(({ headers }) => [headers.authorization === 'Bearer their-own' ? 200 : 401, real]);
  const mock = mockOf({ url: upstream.url, mock: ['create-workspace'] });
  const own = { authorization: 'Bearer their-own' };
  expect((await told(mock.fetch(realPath, { headers: own }))).status).toBe(200);
  const made = mock.fetch('/api/v1/workspaces', { method: 'POST', headers: { ...own, ...json }, body: '{"name":"W"}' });
  expect(await told(made)).toMatchObject({ source: 'mock', status: 201 });
  expect((await told(mock.fetch('/api/v1/workspaces', { method: 'POST', body: '{}' }))).status).toBe(401);
  expect(JSON.stringify(mock.journal.entries())).not.toContain('their-own');
});

test('cookies pass both ways as cookies of the mock, and the journal shows none', async () => {
  const cookies = [
    'session=s3cret-1; Domain=api.example; Path=/base/api; Secure; HttpOnly; SameSite=None; Partitioned',
    'plain=s3cret-2; Max-Age=60; Path=/base; SameSite=Lax',
    '__Host-kept=s3cret-3; Path=/; Secure',
    'odd; Path=/elsewhere',
    'spaced=s3cret-4; samesite = None; DOMAIN; secure ; Path = /base/x',
    'named=s3cret-5; samesite=nonesuch; securely; domains=x',
  ];
  const upstream = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': cookies }).end(JSON.stringify(real));
  });
  const mock = mockOf({ url: `${upstream.url}/base` });
  const server = await served(mock);
  const sent = { headers: { ...bearer, cookie: 'session=s3cret-1; plain=s3cret-2' } };
  const answers = [await mock.fetch(realPath, sent), await fetch(`${server.url}/api/v1/agents/real`, sent)];
  for (const answer of answers)
    expect(answer.headers.getSetCookie()).toEqual([
      'session=s3cret-1; Path=/api; HttpOnly',
      'plain=s3cret-2; Max-Age=60; Path=/; SameSite=Lax',
      '__Host-kept=s3cret-3; Path=/; Secure',
      'odd; Path=/elsewhere',
      'spaced=s3cret-4; Path=/x',
      'named=s3cret-5; samesite=nonesuch; securely; domains=x',
    ]);
  expect(upstream.got.map(({ headers }) => headers.cookie)).toEqual([sent.headers.cookie, sent.headers.cookie]);
  const journal = JSON.stringify(mock.journal.entries());
  expect([journal.includes('s3cret'), journal.includes('plain=$SECRET; Max-Age=60')]).toEqual([false, true]);
});

test('a cookie that a fault sets joins those of the upstream', async () => {
  const faults = ['get-agent-accepts-cookie'];
  const { ask } = await behind(() => [200, real, { 'set-cookie': 'theirs=1' }], { forward: ['get-agent'] }, { faults });
  expect((await ask()).answer.headers.getSetCookie()).toEqual([expect.stringContaining('session='), 'theirs=1']);
});

test('the mock answers CORS requests, over the network too', async () => {
  const theirs = { 'access-control-allow-origin': 'https://other.example', 'access-control-max-age': '1' };
  const upstream = await serve(() => [200, real, theirs]);
  const server = await served(mockOf({ url: upstream.url }));
  const origin = 'http://localhost:3000';
  const url = `${server.url}/api/v1/agents/real`;
  const preflight = { origin, 'access-control-request-method': 'GET' };
  expect((await fetch(url, { method: 'OPTIONS', headers: preflight })).status).toBe(204);
  const { headers } = await fetch(url, { headers: { ...bearer, origin } });
  expect(headers.get('access-control-allow-origin')).toBe(origin);
  expect(headers.get('access-control-expose-headers')).toContain('x-agent-contract-source');
  expect(headers.get('access-control-max-age')).toBeNull();
  expect(upstream.got).toHaveLength(1);
});

test('a middleware forwards requests for the service, and leaves others to its server', async () => {
  const upstream = await serve(({ body }) => [201, { workspace: { id: 'w', name: JSON.parse(body).name as string } }]);
  const app = express().use(mockOf({ url: upstream.url }).app);
  app.use((_request, response) => void response.send('own'));
  const server = await serverOf(app);
  const headers = { ...bearer, ...json, 'content-encoding': 'gzip' };
  const sent = { method: 'POST', headers, body: gzipSync('{"name":"W"}') };
  const made = await told(fetch(`${server.url}/api/v1/workspaces`, sent));
  expect(made).toMatchObject({ source: 'upstream', json: { workspace: { name: 'W' } } });
  expect(await (await fetch(`${server.url}/elsewhere`)).text()).toBe('own');
});

test.each([
  ['deflate, bare', { 'content-encoding': 'deflate' }, deflateRawSync('{"agent":{}}'), '{"agent":{}}'],
  ['br in gzip', { 'content-encoding': 'br, gzip' }, gzipSync(brotliCompressSync('{"agent":{}}')), '{"agent":{}}'],
  ['gzip', { 'content-encoding': 'gzip' }, gzipSync('{"agent":{}}'), '{"agent":{}}'],
  ['UTF-8', {}, Buffer.from('"ü"'), '"ü"'],
  ['bytes that are not UTF-8', {}, Buffer.from([0x22, 0xfc, 0x00, 0x22]), '\u0022\u00fc\u0000\u0022'],
])('every byte passes: %s', async (_, headers, bytes, expected) => {
  const { mock } = await behind((_got, response) => void response.writeHead(200, headers).end(bytes));
  const server = await served(mock);
  for (const send of [mock.fetch, fetch]) {
    const answer = await send(`${server.url}/api/v1/agents/real`, { headers: bearer });
    const came = Buffer.from(await answer.arrayBuffer());
    expect(came.toString(expected.includes('\u0000') ? 'latin1' : 'utf8')).toBe(expected);
  }
});

const lengths = rows.lengths as [string, string?, string?][];
test.each(lengths)('the request %s with the body %j has the content length %j', async (method, ...[body, length]) => {
  const { ask, got } = await behind(() => [200, real], { forward: ['4'] });
  await ask(realPath, { method, headers: { ...bearer, ...json }, ...(body === undefined ? {} : { body }) });
  const { headers } = got[0] ?? {};
  const sized = [headers?.['content-length'], headers?.['transfer-encoding']];
  expect([got[0]?.method, ...sized]).toEqual([method, length, undefined]);
});

describe('a harmful upstream', () => {
  type Harm = (response: http.ServerResponse) => unknown;
  const raw =
    (text: string): Harm =>
    ({ socket }) =>
      socket?.end(text);
  const packed = { 'content-encoding': 'gzip' };
  test.each<[string, Harm, number, RegExp]>([
    ['breaks off', raw('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'), 502, /broke off/],
    ['never ends', (response) => response.writeHead(200).write('{'), 504, /did not answer within 150 ms/],
    ['sends no HTTP', raw('nothing\r\n\r\n'), 502, /sent is not HTTP/],
    ['sends large headers', raw(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`), 502, /headers .* are larger/],
    ['sends a bomb', (it) => it.writeHead(200, packed).end(gzipSync(Buffer.alloc(2e7))), 502, /larger than 16777216/],
    ['sends too much', (response) => response.end(Buffer.alloc(17_000_000)), 502, /more than 16777216 bytes/],
    ['answers with an unknown status', (response) => response.writeHead(799).end(), 502, /the status 799/],
  ])('%s: the mock refuses with the reason', async (_, harm, status, why) => {
    const { ask } = await behind((_got, response) => void harm(response), { timeout: status === 504 ? 150 : 10_000 });
    const answer = await ask();
    expect([answer.source, answer.status]).toEqual(['mock', status]);
    expect(JSON.stringify(answer.json)).toMatch(why);
  });

  test('an answer that is nested too deeply passes unchanged', async () => {
    const deep = `{"agent":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const { mock } = await behind((_got, response) => void response.writeHead(200, json).end(deep), { learn: true });
    expect(await (await mock.fetch(realPath, { headers: bearer })).text()).toBe(deep);
  });

  test('a mock that is its own upstream says so', async () => {
    const upstream = await serve(() => [200, {}]);
    const { url } = upstream;
    await upstream.stop();
    const server = await served(mockOf({ url }), { port: Number(new URL(url).port) });
    const answer = await told(fetch(`${server.url}/api/v1/agents/real`, { headers: bearer }));
    expect(answer.status).toBe(508);
    expect(JSON.stringify(answer.json)).toContain('leads back to this mock');
  });
});

test('replaces an idle connection that has closed', async () => {
  const { ask } = await behind((_got, response) => {
    response.on('finish', () => setImmediate(() => response.socket?.destroy()));
    return [200, real];
  });
  for (let i = 0; i < 5; i++) expect((await ask()).status).toBe(200);
});

test.each([
  ['GET', 200],
  ['POST', 502],
])('a connection that closes when it is reused: %s, %d', async (method, status) => {
  const used = new WeakSet<object>();
  const { ask, got } = await behind((_got, response) => {
    const { socket } = response;
    if (socket === null || used.has(socket)) return void socket?.resetAndDestroy();
    used.add(socket);
    return [200, real];
  });
  expect((await ask()).status).toBe(200);
  const post = { method, headers: { ...bearer, ...json }, body: '{"name":"A"}' };
  const again = method === 'POST' ? ask('http://service.test/api/v1/workspaces', post) : ask();
  expect((await again).status).toBe(status);
  expect(got.map((one) => one.method)).toEqual(['GET', method, ...(method === 'GET' ? ['GET'] : [])]);
});

test.each(rows.queries as [string, string][])('the query %s is forwarded as %j', async (query, sent) => {
  const { ask, got } = await behind(() => [200, real]);
  await ask(`${realPath}${query}`);
  expect(got.map(({ url }) => url.replace(/^[^?]*/, ''))).toEqual([sent]);
});

const ways: Partial<UpstreamOptions>[] = [
  {},
  { fallback: true },
  { forward: ['get-agent'] },
  { mock: ['list-results'] },
];
test.each(ways)('with %j, an id that the mock made stays its own, whatever the upstream was asked', async (options) => {
  const none = { error: 'Agent not found' };
  const { mock, got, ask } = await behind(({ url }) => (realPath.endsWith(url) ? [200, real] : [404, none]), options);
  const { call } = testMock({}, mock);
  const body = { workspaceId: mock.target.workspaceId, agent: { name: 'Mine' } };
  const { agent } = call('/api/v1/agents', { body }).json;
  expect(call(realPath).status).toBe(404);
  const own = [mock.target.agentId, agent.id, mock.target.v5AgentId].map((id) => `/api/v1/agents/${id}`);
  for (const path of [...own, realPath, ...own]) {
    const { source, status } = await ask(path);
    expect([path, source, status]).toEqual([path, path === realPath ? 'upstream' : 'mock', 200]);
  }
  expect(got).toHaveLength(1);
});

describe('fallback', () => {
  test.each([
    ['is down', deadUrl],
    ['does not answer in time', async () => (await serve(() => undefined)).url],
  ])('if the upstream %s, the mock answers with the reason', async (_, urlOf) => {
    const mock = mockOf({ url: await urlOf(), fallback: true, timeout: 100 });
    const answer = await told(mock.fetch(realPath, { headers: bearer }));
    expect([answer.source, answer.status]).toEqual(['mock', 404]);
    const message = expect.stringMatching(/ The mock answered\.$/);
    expect(violationsOf(answer.answer)).toMatchObject([{ code: 'upstream-absent', message }]);
  });

  test('without it the mock refuses, and says how to enable it', async () => {
    const answer = await told(mockOf({ url: await deadUrl() }).fetch(realPath, { headers: bearer }));
    expect([answer.source, answer.status]).toEqual(['mock', 502]);
    expect(JSON.stringify(answer.json)).toMatch(/Nothing accepts connections.*--fallback/);
  });

  test.each(rows.fallbacks as [number, unknown, string][])('%d %j: the %s answers', async (status, body, source) => {
    const { ask } = await behind(() => [status, body], { fallback: true });
    expect((await ask('/api/v1/agents/someone')).source).toBe(source);
  });

  test('a 404 means a missing route once the upstream has shown the agent, and a missing agent once the endpoint has worked', async () => {
    let has = true;
    const page = ({ url }: { url: string }) => url.endsWith('/results');
    const { ask } = await behind((got) => (has && !page(got) ? [200, real] : [404, has ? {} : '<html>']), {
      fallback: true,
    });
    expect((await ask(`${realPath}/results`)).source).toBe('upstream');
    await ask();
    expect((await ask(`${realPath}/results`)).source).toBe('mock');
    has = false;
    expect((await ask()).source).toBe('upstream');
  });
});

test.each(rows.refusedOptions as [UpstreamOptions, string][])('%j is refused', (options, message) => {
  expect(() => mockOf(options)).toThrow(MockError);
  expect(() => mockOf(options)).toThrow(like(message));
});

test('a mock without Node.js refuses an upstream', () => {
  expect(() => createInProcess({ upstream: { url: 'http://x.example' } })).toThrow(/upstream needs createMock/);
});
