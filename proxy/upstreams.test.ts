import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { listening } from '../http/testing/test-server.ts';
import { makeCertificate } from '../cli/mock/certificate.ts';
import { exchangeOf } from './passed.ts';
import { proxyTo, raw, upstreamOf } from './testing/test-proxy.ts';

const agent = JSON.stringify({ agent: { id: 'a', version: '6', name: 'A' }, currentUserMode: 'read' });

describe('an upstream that speaks TLS', () => {
  async function secure(host: string): Promise<{ readonly url: string; readonly cert: string }> {
    const { cert, key } = await makeCertificate(host);
    const server = https.createServer({ cert, key }, (request, response) => response.end(request.headers.host));
    return { url: (await listening(server, 'https')).url, cert };
  }

  test('is reached with its certificate, or without verification, under its own name', async () => {
    const { url, cert } = await secure('127.0.0.1');
    for (const how of [{ ca: cert }, { insecure: true }]) {
      const answer = await fetch((await proxyTo(url, how)).url);
      expect([answer.status, await answer.text()]).toEqual([200, new URL(url).host]);
    }
    const named = url.replace('127.0.0.1', 'localhost');
    expect((await fetch((await proxyTo(named, { ca: cert })).url)).status).toBe(200);
  });

  test('is refused with a remedy if nobody vouches for its certificate', async () => {
    const { url } = await secure('127.0.0.1');
    const { cert: another } = await makeCertificate('127.0.0.1');
    for (const how of [{}, { ca: another }]) {
      const answer = await fetch((await proxyTo(url, how)).url);
      expect([answer.status, answer.headers.get('x-agent-contract-source')]).toEqual([502, 'proxy']);
      expect(await answer.json()).toEqual({ error: expect.stringMatching(/certificate .* not trusted .*--ca FILE/) });
    }
    const plain = await fetch((await proxyTo(url.replace('https', 'http'))).url);
    expect(plain.status).toBe(502);
  });

  test('is reported if it does not speak TLS', async () => {
    const upstream = await upstreamOf(() => undefined);
    const answer = await fetch((await proxyTo(upstream.url.replace('http', 'https'))).url);
    expect(await answer.json()).toEqual({ error: expect.stringContaining('Did you mean http://') });
  });
});

test('a message is forwarded unchanged both ways, except for the headers of the hop and the name of the host', async () => {
  const ofHop = {
    'Keep-Alive': 'timeout=5',
    'Proxy-Authenticate': 'Basic',
    'Proxy-Authorization': 'Basic x',
    'Proxy-Connection': 'keep-alive',
    TE: 'trailers',
    'X-Named': 'by Connection',
  };
  const ofMessage = {
    Authorization: 'Bearer t',
    Cookie: 'a=1; b=2',
    ETag: 'W/"1"',
    Location: 'http://elsewhere.test/x',
    'Set-Cookie': 'a=1; Path=/; Secure',
    Via: '1.1 other',
    'X-Forwarded-For': '10.0.0.1',
    'X-Empty': '',
    'x-UPPER-lower': 'As It Is',
  };
  const twice: [string, string] = ['set-cookie', 'b=2'];
  const sent = [...Object.entries({ ...ofHop, ...ofMessage, Connection: 'X-NAMED, close' }), twice];
  let up: readonly string[] = [];
  const upstream = await upstreamOf((got, response) => {
    void text(got).then((body) => {
      up = [got.method ?? '', body, ...got.rawHeaders];
      return response.writeHead(201, 'Made', sent.flat() as unknown as http.OutgoingHttpHeaders).end('ok');
    });
  });
  const { url } = await proxyTo(upstream.url);
  const lines = sent.map((pair) => pair.join(': ')).join('\r\n');
  const chunks = 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
  const down = await raw(url, `POST / HTTP/1.1\r\nHost: other.test\r\n${lines}\r\n${chunks}`);
  expect(up.slice(0, 2)).toEqual(['POST', 'abc']);
  expect(up).not.toContain('other.test');
  expect(up.join('\n')).toContain(`Host\n${new URL(upstream.url).host}`);
  for (const name of Object.keys(ofHop)) expect(up).not.toContain(name);
  for (const pair of Object.entries(ofHop)) expect(down).not.toContain(`\r\n${pair.join(': ')}\r\n`);
  for (const pair of [...Object.entries(ofMessage), twice]) {
    expect(up.join('\n')).toContain(pair.join('\n'));
    expect(down).toContain(`\r\n${pair.join(': ')}\r\n`);
  }
  expect(down).toMatch(/^HTTP\/1\.1 201 Made\r\n[^]*x-agent-contract-source: upstream[^]*\r\n\r\n[^]*ok/);
});

test('an answer in many pieces is kept whole, in memory that the next one takes', async () => {
  const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(300_000));
  const { url, recorded } = await proxyTo((asked, response) => response.end(texts[Number(asked.url?.at(-1))]));
  for (const n of [0, 1, 2]) await (await fetch(`${url}/api/v1/agents/${n}`)).text();
  const kept = recorded.map(({ answer = [] }) => Buffer.concat(answer).toString());
  expect(kept.map((one, n) => one === texts[n])).toEqual([true, true, true]);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['x-own', (body: string) => Buffer.from(body)],
] as const)('passes %s on unchanged, and judges what it can unpack', async (encoding, pack) => {
  const bytes = pack(agent);
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding, 'content-length': bytes.length };
  const { url, traffic, recorded } = await proxyTo((_, response) => response.writeHead(200, headers).end(bytes));
  const got = await raw(url, 'GET /api/v1/agents/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(Buffer.from(got.slice(got.indexOf('\r\n\r\n') + 4), 'latin1')).toEqual(bytes);
  expect(got).toContain(`content-length: ${bytes.length}`);
  const isUnknown = encoding === 'x-own';
  expect((await traffic())?.leftOut.map(({ reason }) => reason)).toEqual(isUnknown ? ['no-body'] : []);
  expect(recorded.map((one) => String(exchangeOf(one).answer?.body))).toEqual([isUnknown ? 'undefined' : agent]);
});

test.each([
  ['/base', '/x', '/base/x'],
  ['/base/', '/x?a=%2f', '/base/x?a=%2f'],
  ['', '/', '/'],
  ['/a/b', '/../c', '/a/b/../c'],
  ['/base', 'http://localhost/x?y', '/base/x?y'],
])('appends to %j the request for %j', async (prefix, target, asked) => {
  let seen: string | undefined;
  const upstream = await upstreamOf((request, response) => {
    seen = request.url;
    response.end();
  });
  const { url } = await proxyTo(upstream.url + prefix);
  await raw(url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(seen).toBe(asked);
});

test.each([
  ['HEAD', '200 OK'],
  ['GET', '204 No Content'],
  ['GET', '304 Not Modified'],
])('takes a body that follows an answer to %s with %s for no part of the next answer', async (method, status) => {
  const server = net.createServer((socket) => {
    let answered = 0;
    socket.on('data', () =>
      socket.write(answered++ === 0 ? `HTTP/1.1 ${status}\r\ncontent-length: 4\r\n\r\n` : 'late'),
    );
  });
  const { url } = await proxyTo((await listening(server)).url);
  for (let i = 0; i < 2; i++) {
    const got = await raw(url, `${method} /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(got.split('\r\n', 1)).toEqual([`HTTP/1.1 ${status}`]);
  }
});

test.each([
  ['HEAD', 200, { 'content-length': '100' }],
  ['GET', 204, {}],
  ['GET', 304, { etag: '"1"' }],
  ['GET', 301, { location: 'http://elsewhere.test/api/v1/agents/a' }],
  ['GET', 302, { location: '/api/v1/agents/b' }],
  ['GET', 307, { location: '//other.test/' }],
  ['GET', 308, { location: '../up' }],
])('passes the answer without a body to %s on, wherever it leads: %d', async (method, status, headers) => {
  const { url, traffic } = await proxyTo((_, response) => response.writeHead(status, headers).end());
  const got = await raw(url, `${method} /api/v1/agents/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(got).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\\r\\n\\r\\n$`));
  for (const [name, value] of Object.entries(headers)) expect(got).toContain(`${name}: ${value}`);
  if ('location' in headers) expect((await traffic())?.leftOut).toMatchObject([{ reason: 'conditional' }]);
});

test('passes large bodies in both directions, byte for byte', async () => {
  const bytes = randomBytes(3 * 1024 * 1024);
  const { url } = await proxyTo((request, response) => request.pipe(response));
  const answer = await fetch(`${url}/api/v1/agents`, { method: 'POST', body: bytes });
  expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), bytes)).toBe(0);
});

test.each([
  ['leaves', 'GET /api/v1/agents/a', '\r\n'],
  ['breaks off its own body', 'POST /api/v1/agents', 'Content-Length: 100\r\n\r\npart'],
])('aborts its request when the client %s', async (_, begin, rest) => {
  const upstream = await upstreamOf(() => undefined);
  const came = once(upstream, 'request') as Promise<[http.IncomingMessage, http.ServerResponse]>;
  const { url, traffic } = await proxyTo(upstream.url, { timeoutMs: 600_000 });
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1', () =>
    socket.write(`${begin} HTTP/1.1\r\nHost: x\r\n${rest}`),
  );
  const [, response] = await came;
  const gone = once(response, 'close');
  socket.destroy();
  await gone;
  expect((await traffic())?.leftOut).toMatchObject([{ reason: 'no-answer', count: 1 }]);
});

test.each([
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n',
  ],
  ['no HTTP', 'EHLO mail.test\r\n\r\n'],
  ['a tunnel', 'CONNECT other.test:443 HTTP/1.1\r\nHost: other.test\r\n\r\n'],
])('passes no request with %s', async (_, request) => {
  let asked = 0;
  const { url } = await proxyTo((__, response) => (asked++, response.end()));
  const got = await raw(url, request);
  expect([got.startsWith('HTTP/1.1 2'), asked]).toEqual([false, 0]);
});
