import { once } from 'node:events';
import type http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createShare } from './share.ts';
import { deadUrl, listening } from '../http/testing/test-server.ts';
import { proxyTo, raw, upstreamOf } from './testing/test-proxy.ts';

const agent = JSON.stringify({ agent: { id: 'a', version: '6', groups: 'none' }, currentUserMode: 'read' });
const json = { 'content-type': 'application/json' };
const UPGRADE = 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n';
const getAgent = (url: string, method = 'GET'): Promise<Response> =>
  fetch(`${url}/api/v1/agents/a`, { method, headers: { authorization: 'Bearer t' } });

test('says in a header what is wrong with an answer, beside the headers of the upstream', async () => {
  const { url, traffic } = await proxyTo(
    (_, response) => response.writeHead(200, { ...json, 'sl-violations': '[{"message":"theirs"}]' }).end(agent),
    { wrong: 'is-marked' },
  );
  const answer = await getAgent(url);
  const items = JSON.parse(answer.headers.get('sl-violations') ?? '') as { message: string; location?: string[] }[];
  expect(items).toMatchObject([{ message: 'theirs' }, { location: ['response', 'body', 'agent', 'groups'] }]);
  expect(await answer.text()).toBe(agent);
  expect((await traffic())?.judged).toBe(1);
});

describe('as a gate', () => {
  const large = JSON.stringify({ agent: { id: 'a', version: '6', groups: 'x'.repeat(9_000_000) } });
  const wrong: http.RequestListener = (_, response) => response.writeHead(200, json).end(agent);
  const late: http.RequestListener = (_, response) => {
    response.writeHead(200, json).write(' ');
    setTimeout(() => response.end(agent), 300);
  };
  const tooLarge: http.RequestListener = (_, response) => response.writeHead(200, json).end(large);
  test.each<[string, http.RequestListener, 'pass' | 'refuse', number, unknown]>([
    ['a wrong answer', wrong, 'pass', 502, { findings: [{ location: ['response', 'body', 'agent', 'groups'] }] }],
    ['an answer that is not JSON', (_, response) => response.end('<p>'), 'pass', 502, {}],
    ['a wrong answer that takes longer than any glance', late, 'pass', 502, {}],
    ['a larger one, if it may pass', tooLarge, 'pass', 200, JSON.parse(large)],
    ['a larger one, if it may not', tooLarge, 'refuse', 502, {}],
  ])('judges %s', async (_, answers, unjudged, status, body) => {
    const { url } = await proxyTo(answers, { wrong: 'is-refused', refusesUnjudged: unjudged === 'refuse' });
    const answer = await getAgent(url);
    const source = status === 502 ? 'proxy' : 'upstream';
    expect([answer.status, answer.headers.get('x-agent-contract-source')]).toEqual([status, source]);
    expect(await answer.json()).toMatchObject(body as object);
  });
});

test('lets requests in flight end before it closes, and takes no more', async () => {
  let finish = (): void => undefined;
  const upstream = await upstreamOf((_, response) => void (finish = () => response.end('done')));
  const came = once(upstream, 'request');
  const proxy = await proxyTo(upstream.url);
  const answer = fetch(proxy.url).then((got) => got.text());
  await came;
  const closed = proxy.close(60_000);
  await expect(fetch(proxy.url)).rejects.toThrow('fetch failed');
  finish();
  expect(await answer).toBe('done');
  await closed;
});

test('streams: the first piece arrives before the last is sent', async () => {
  let finish = (): void => undefined;
  const { url } = await proxyTo((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('first');
    finish = () => response.end('last');
  });
  const { body } = await fetch(`${url}/events`);
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('first');
  finish();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('last');
});

test.each<[string, (socket: net.Socket) => void, number]>([
  ['is silent', () => undefined, 504],
  ['closes at once', (socket) => socket.destroy(), 502],
  ['speaks no HTTP', (socket) => socket.end('220 mail.test ready\r\n'), 502],
  ['sends endless headers', (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`), 502],
  ['sends an invalid status', (socket) => socket.end('HTTP/1.1 99 Odd\r\ncontent-length: 0\r\n\r\n'), 502],
])('answers for an upstream that %s', async (_, behave, status) => {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => behave(socket));
  });
  const { url, traffic } = await proxyTo((await listening(server)).url, { timeoutMs: 300 });
  const answer = await fetch(`${url}/api/v1/agents/a`);
  expect([answer.status, answer.headers.get('x-agent-contract-source')]).toEqual([status, 'proxy']);
  expect((await traffic())?.leftOut).toMatchObject([{ reason: 'no-answer', count: 1 }]);
});

test('answers 502 if nothing listens, and breaks off if the upstream does', async () => {
  expect((await fetch((await proxyTo(await deadUrl())).url)).status).toBe(502);
  const { url } = await proxyTo((_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('part');
    setImmediate(() => response.destroy());
  });
  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow('terminated');
});

test('connects both sides of a WebSocket', async () => {
  const upstream = await upstreamOf(() => undefined);
  upstream.on('upgrade', (request, socket) => {
    socket.write(`HTTP/1.1 101 Switching\r\nUpgrade: ${request.headers.upgrade}\r\nConnection: Upgrade\r\n\r\n`);
    socket.on('data', (data: Buffer) => socket.end(`echo ${data.toString()}`));
  });
  const { url } = await proxyTo(upstream.url);
  const got = await new Promise<string>((resolve) => {
    let all = '';
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(UPGRADE));
    socket.on('data', (data) => {
      const isFirst = all === '';
      all += data.toString();
      if (isFirst) socket.write('hello');
    });
    socket.on('close', () => resolve(all));
  });
  expect(got).toMatch(/^HTTP\/1\.1 101 Switching\r\nUpgrade: websocket/);
  expect(got).toMatch(/echo hello$/);
});

test.each([
  [
    'an offer of HTTP/2',
    'POST /x',
    ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AA'],
    200,
  ],
  ['a Connection header that names Authorization', 'POST /x', ['Connection: authorization, close'], 200],
  ['an absolute URL of another host', 'POST http://elsewhere.test/x', ['Connection: close'], 421],
  ['a WebSocket of another host', 'GET http://elsewhere.test/x', ['Connection: Upgrade', 'Upgrade: websocket'], 421],
])('forwards the rest of a request with %s, or refuses it', async (_, begin, headers, status) => {
  const seen: (readonly [headers: http.IncomingHttpHeaders, body: string])[] = [];
  const { url } = await proxyTo((request, response) => {
    void text(request).then((body) => (seen.push([request.headers, body]), response.end('read')));
  });
  const lines = ['Host: x', 'Authorization: Bearer t', 'Content-Length: 4', ...headers];
  const got = await raw(url, `${begin} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\nbody`);
  expect(got).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(seen.map(([{ authorization, upgrade }, body]) => [authorization, upgrade, body])).toEqual(
    status === 200 ? [['Bearer t', undefined, 'body']] : [],
  );
});

test.each<[string, (socket: Duplex) => void, number]>([
  ['never answers', () => undefined, 504],
  ['closes', (socket) => socket.destroy(), 502],
  ['refuses', (socket) => socket.end('HTTP/1.1 401 No\r\ncontent-length: 2\r\n\r\nno'), 401],
])('tells the client of a WebSocket if the upstream %s', async (_, behave, status) => {
  const upstream = await upstreamOf(() => undefined);
  upstream.on('upgrade', (_request, socket) => {
    socket.resume().on('end', () => socket.destroy());
    behave(socket);
  });
  const { url } = await proxyTo(upstream.url, { timeoutMs: 100 });
  const got = await raw(url, UPGRADE);
  expect(got).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test('leaves the upstream when the client of a WebSocket leaves before it answers', async () => {
  const upstream = await upstreamOf(() => undefined);
  const { url } = await proxyTo(upstream.url);
  const begun = once(upstream, 'upgrade') as Promise<[unknown, Duplex]>;
  const client = net.connect(Number(new URL(url).port), '127.0.0.1', () => client.write(UPGRADE));
  const [, socket] = await begun;
  const left = once(socket.resume(), 'end');
  client.end();
  expect(await left).toEqual([]);
  socket.destroy();
});

describe('if requests come faster than they can be judged', () => {
  /** Nothing is judged but what must be. */
  const none = () => ({ ...createShare(), of: () => 'not-judged' as const });
  const wrong = () => upstreamOf((_, response) => void response.writeHead(200, json).end(agent));

  test('answers pass at once, are counted, and are recorded completely', async () => {
    const { url, traffic, recorded } = await proxyTo((await wrong()).url, { share: none(), isRecording: true });
    for (const method of ['GET', 'PATCH']) {
      const answer = await getAgent(url, method);
      expect([answer.headers.get('sl-violations'), await answer.text()]).toEqual([null, agent]);
    }
    expect(await traffic()).toEqual({ judged: 0, leftOut: [{ reason: 'not-judged', count: 2, examples: [] }] });
    expect(recorded.map(({ sent, answer }) => [sent.includes('Bearer t'), String(answer)])).toEqual([
      [true, agent],
      [true, agent],
    ]);
  });

  test('one without an answer gets 502, as does a wrong one if such are to be held back', async () => {
    const { url } = await proxyTo(await deadUrl(), { share: none() });
    const gate = await proxyTo((await wrong()).url, { share: none(), wrong: 'is-refused' });
    for (const to of [url, gate.url]) expect((await getAgent(to)).status).toBe(502);
  });
});
