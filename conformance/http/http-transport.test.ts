// oxlint-disable jest/expect-expect -- expectFailure expects
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { createHttpTransport, type HttpTransport, type HttpTransportOptions } from './http-transport.ts';
import localhost from '../testing/test-certificate.json';
import { TransportError, type TransportFailure } from '../../http/explain-failure.ts';
import type { HttpRequest } from '../../http/exchange.ts';

const endings: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const serve = async (handler: http.RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(http.createServer(handler))}`;

/** A server that does not speak HTTP. It gets the socket with the first bytes of a request. */
const serveBytes = async (handler: (socket: Socket) => void): Promise<string> =>
  `http://127.0.0.1:${await listen(net.createServer((socket) => void socket.once('data', () => handler(socket))))}`;

function open(options: Partial<HttpTransportOptions> = {}): HttpTransport {
  const transport = createHttpTransport({ timeoutMs: 5000, concurrency: 16, env: {}, ...options });
  endings.push(() => transport.close());
  return transport;
}

const get = (url: string, headers: HttpRequest['headers'] = {}): HttpRequest => ({ method: 'GET', url, headers });
const text = (body: Uint8Array): string => Buffer.from(body).toString();

/** The transport throws only its own errors. */
async function failure(sending: Promise<unknown>): Promise<TransportError> {
  const error: unknown = await sending.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TransportError);
  return error as TransportError;
}

/** Fails with this kind of failure, and a message that matches the pattern. */
async function expectFailure(sending: Promise<unknown>, kind: TransportFailure, says: RegExp): Promise<void> {
  expect(await failure(sending)).toMatchObject({ failure: kind, message: expect.stringMatching(says) as string });
}

/** Answers every request in the same way. */
const serveAnswer = (body: string | Buffer = '', headers: http.OutgoingHttpHeaders = {}, status = 200) =>
  serve((_request, response) => void response.writeHead(status, headers).end(body));

describe('an answer', () => {
  test('arrives complete, with its status, lower-case header names, and repeated headers joined', async () => {
    const base = await serve((_request, response) => {
      // A 103 before it is no answer.
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(418, [
        ['X-One', 'a'],
        ['x-one', 'b'],
        ['X-Odd', 'caf\u00e9'],
        ['__proto__', 'odd'],
      ] as unknown as http.OutgoingHttpHeaders);
      response.write('first ');
      response.end('second');
    });
    const { status, headers, body } = await open()(get(`${base}/`));
    expect(status).toBe(418);
    expect(headers['x-one']).toBe('a, b');
    expect(headers['x-odd']).toBe('caf\u00e9');
    expect(Object.entries(headers)).toContainEqual(['__proto__', 'odd']);
    expect(text(body)).toBe('first second');
  });

  test('may have no body, even if it claims gzip', async () => {
    for (const base of [await serveAnswer('', {}, 204), await serveAnswer('', { 'content-encoding': 'gzip' })])
      expect((await open()(get(base))).body.byteLength).toBe(0);
  });

  test.each<readonly [string, (text: string) => Buffer]>([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', (plain) => Buffer.from(plain)],
    ['gzip, br', (plain) => brotliCompressSync(gzipSync(plain))],
  ])('that is encoded as %s is decoded', async (encoding, encode) => {
    const plain = '{"é":"日本"}'.repeat(100);
    const base = await serveAnswer(encode(plain), { 'content-encoding': encoding });
    expect(text((await open()(get(base))).body)).toBe(plain);
  });

  test('that redirects is an answer like any other, and the target of the redirect never sees the token', async () => {
    const asked: string[] = [];
    const base = await serve((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { location: '/elsewhere' }).end('moved');
    });
    const { status, headers } = await open()(get(`${base}/here`, { authorization: 'Bearer x' }));
    expect([status, headers['location'], asked]).toEqual([302, '/elsewhere', ['/here']]);
  });
});

describe('a request', () => {
  test('is sent unchanged, with its own headers', async () => {
    const seen: unknown[] = [];
    const base = await serve((request, response) => {
      request.setEncoding('utf8').on('data', (data: string) => seen.push(data));
      request.on('end', () => {
        const { authorization, accept, 'accept-encoding': encoding } = request.headers;
        seen.push(request.method, request.url, authorization, accept, encoding);
        response.end();
      });
    });
    const headers = { authorization: 'Bearer x', accept: 'text/plain' };
    await open()({ method: 'POST', url: `${base}/a/../%2e%2e/b?c=[d]&e=%C3%A9`, headers, body: '{"é":1}' });
    const url = '/a/../%2e%2e/b?c=[d]&e=%C3%A9';
    expect(seen).toEqual(['{"é":1}', 'POST', url, 'Bearer x', 'text/plain', 'gzip, deflate, br']);
  });

  test('goes out in its form, on a connection that is kept', async () => {
    const seen: unknown[] = [];
    const ports = new Set<number | undefined>();
    const base = await serve((request, response) => {
      const chunks: string[] = [];
      request.setEncoding('utf8').on('data', (data: string) => chunks.push(data));
      request.on('end', () => {
        const { 'accept-encoding': codings, 'transfer-encoding': coding, 'content-length': length } = request.headers;
        seen.push([chunks.join(''), codings, coding, length, request.httpVersion]);
        ports.add(request.socket.remotePort);
        response.end();
      });
    });
    const transport = open({ concurrency: 1 });
    const post = { method: 'POST', url: base, headers: {}, body: '{"é":1}' };
    await transport(post);
    await transport({ ...post, form: { codings: 'none', body: 'chunked', connection: 'new' } });
    await transport({ ...post, form: { codings: 'gzip', body: 'slow' } });
    await transport({ ...post, form: { version: '1.0' } });
    await transport(post);
    expect(seen).toEqual([
      [post.body, 'gzip, deflate, br', undefined, '8', '1.1'],
      [post.body, undefined, 'chunked', undefined, '1.1'],
      [post.body, 'gzip', undefined, '8', '1.1'],
      [post.body, 'gzip, deflate, br', undefined, '8', '1.0'],
      [post.body, 'gzip, deflate, br', undefined, '8', '1.1'],
    ]);
    // The connection of the first is used again.
    expect(ports.size).toBe(3);
    await transport.keep(false);
    await Promise.all([transport(post), transport(post)]);
    expect(ports.size).toBe(5);
    const old = await serveBytes((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nto the end'));
    expect(text((await transport({ ...get(old), form: { version: '1.0' } })).body)).toBe('to the end');
  });

  test('is sent again if the server just closed the idle connection, but only if it is a GET', async () => {
    // Answers the first request on each connection, and closes it on the second.
    const served = new Map<Socket, number>();
    const server = net.createServer((socket) => {
      socket.on('data', () => {
        const before = served.get(socket) ?? 0;
        served.set(socket, before + 1);
        if (before === 0) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        else socket.end();
      });
    });
    const base = `http://127.0.0.1:${await listen(server)}`;
    const transport = open({ concurrency: 1 });
    await transport(get(base));
    expect((await transport(get(base))).status).toBe(200);
    expect(Array.from(served.values())).toEqual([2, 1]);
    await expectFailure(transport({ ...get(base), method: 'POST', body: '{}' }), 'reset', /without an answer/);
    expect(Array.from(served.values())).toEqual([2, 2]);
  });

  test('ends if the run is stopped', async () => {
    const base = await serve(() => undefined);
    const transport = open({ concurrency: 1 });
    const controller = new AbortController();
    const sending = [transport(get(base), controller.signal), transport(get(base), controller.signal)];
    controller.abort(new Error('enough'));
    for (const one of sending) await expectFailure(one, 'other', /run was stopped/);
    await expectFailure(transport(get(base), controller.signal), 'other', /run was stopped/);
    await expectFailure(transport(get(base), AbortSignal.timeout(1)), 'timeout', /time for the run was over/);
  });
});

describe('a server that', () => {
  test.each<readonly [string, string | undefined]>([
    ['never answers', undefined],
    ['sends a byte of its body now and then', 'HTTP/1.1 200 OK\r\n\r\nx'],
    ['sends its headers one byte at a time', 'HTTP/1.1 200 OK\r\nx-'],
  ])('%s runs into the time limit', async (_, start) => {
    const base = await serveBytes((socket) => {
      if (start === undefined) return;
      socket.write(start);
      const timer = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const says = /^127\.0\.0\.1:\d+ sent no complete answer within 60 ms/;
    await expectFailure(open({ timeoutMs: 60 })(get(base)), 'timeout', says);
  });

  test('sends without end is cut off', async () => {
    const base = await serve((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const fill = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', fill);
      fill();
    });
    await expectFailure(open({ maxBytes: 200_000 })(get(base)), 'too-large', /larger than 200000 bytes/);
  });

  test('announces too much is cut off before it sends anything', async () => {
    const base = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 1e9 });
      response.flushHeaders();
    });
    await expectFailure(open({ maxBytes: 1000 })(get(base)), 'too-large', /larger than 1000 bytes/);
    const most = await serveAnswer('x'.repeat(1000));
    expect((await open({ maxBytes: 1000 })(get(most))).body.byteLength).toBe(1000);
  });

  test.each<readonly [string, (data: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['gzip, gzip', (data) => gzipSync(gzipSync(data))],
  ])('sends a %s bomb does not fill the memory', async (encoding, encode) => {
    const bomb = encode(Buffer.alloc(8_000_000));
    expect(bomb.byteLength).toBeLessThan(100_000);
    const base = await serveAnswer(bomb, { 'content-encoding': encoding });
    await expectFailure(open({ maxBytes: 1_000_000 })(get(base)), 'too-large', /unpacked, is larger than 1000000/);
  });

  test.each<readonly [string, string, RegExp]>([
    ['claims gzip and sends something else', 'gzip', /claims to be gzip, but cannot be unpacked/],
    ['names an encoding that nobody requested', 'constructor', /"constructor", which cannot be unpacked/],
  ])('%s is malformed', async (_, encoding, says) => {
    const base = await serveAnswer('{"plain":true}', { 'content-encoding': encoding });
    await expectFailure(open()(get(base)), 'malformed', says);
  });

  const half = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf';
  const resetHalfway = (socket: Socket) => socket.write(half, () => setImmediate(() => socket.resetAndDestroy()));
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const cut = /in the middle of its answer/;
  const overflow = /headers of the answer of 127\.0\.0\.1:\d+ are larger than 65536 bytes/;
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
  /** What the server sends before it closes the connection, or what it does with it. */
  test.each<readonly [string, TransportFailure, RegExp, string | ((socket: Socket) => void)]>([
    ['closes at once', 'reset', /closed the connection without an answer/, ''],
    ['resets at once', 'reset', /closed the connection without an answer/, (socket) => socket.resetAndDestroy()],
    ['resets in the middle of the body', 'reset', cut, resetHalfway],
    ['closes in the middle of the body', 'reset', cut, half],
    ['closes in the middle of a chunk', 'reset', cut, `${chunked}ff\r\nhalf`],
    ['sends a broken chunk size', 'malformed', /is not HTTP \(Invalid character in chunk size\)/, `${chunked}zz\r\n`],
    ['sends a malformed status line', 'malformed', /is not HTTP/, 'HTTP/1.1 abc Odd\r\n\r\n'],
    ['greets like SSH', 'malformed', /is not HTTP.*https:\/\/ or another protocol/, 'SSH-2.0-x\r\n'],
    ['sends huge headers', 'too-large', overflow, `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`],
    ['sends headers without end', 'too-large', overflow, `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(50_000)}\r\n`],
    ['switches protocols', 'malformed', /switched protocols/, (socket) => socket.write(upgrade)],
  ])('%s is reported as such', async (_what, kind, says, behaviour) => {
    const base = await serveBytes((socket) => {
      if (typeof behaviour === 'string') socket.end(behaviour);
      else behaviour(socket);
    });
    await expectFailure(open()(get(base)), kind, says);
  });

  test('is not running, or has an unknown host name, is named with a remedy', async () => {
    const gone = net.createServer();
    const port = await listen(gone);
    await new Promise((resolve) => gone.close(resolve));
    const refused = new RegExp(`^Nothing accepts connections at 127\\.0\\.0\\.1:${port}\\. Is the server running`);
    await expectFailure(open()(get(`http://127.0.0.1:${port}/`)), 'refused', refused);
    const unknown = /^The name agent-contract\.invalid cannot be resolved\. Check its spelling/;
    await expectFailure(open()(get('http://agent-contract.invalid:4010/')), 'name', unknown);
  });

  test('breaks once is asked again', async () => {
    let count = 0;
    const base = await serveBytes((socket) => {
      count++;
      socket.end(count === 1 ? 'nonsense' : 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const transport = open({ concurrency: 1 });
    await expectFailure(transport(get(base)), 'malformed', /is not HTTP/);
    expect(text((await transport(get(base))).body)).toBe('ok');
  });
});

describe('TLS', () => {
  const secret = { cert: localhost.certificate, key: localhost.key };
  const serveTls = () =>
    listen(https.createServer(secret, ({ httpVersion }, response) => void response.end(`safe over ${httpVersion}`)));

  test('refuses a self-signed certificate, and says what to do, unless it is trusted or not verified', async () => {
    const url = `https://localhost:${await serveTls()}/`;
    const says =
      /^The certificate of localhost:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*--ca FILE.*--insecure/;
    await expectFailure(open()(get(url)), 'tls', says);
    for (const options of [{ ca: localhost.certificate }, { insecure: true }]) {
      expect(text((await open(options)(get(url))).body)).toBe('safe over 1.1');
      expect(text((await open(options)({ ...get(url), form: { version: '1.0' } })).body)).toBe('safe over 1.0');
    }
  });

  test('refuses a certificate for another name', async () => {
    const port = await serveTls();
    const sending = open({ ca: localhost.certificate })(get(`https://127.0.0.2:${port}/`));
    await expectFailure(sending, (await refusedOnLoopback(port)) ? 'refused' : 'tls', /127\.0\.0\.2/);
  });

  test('recognises a port without TLS, and one that is asked in plain HTTP', async () => {
    const sending = open()(get((await serveAnswer()).replace('http:', 'https:')));
    await expectFailure(sending, 'tls', /does not speak TLS on this port\. Did you mean http:\/\//);
    const error = await failure(open()(get(`http://127.0.0.1:${await serveTls()}/`)));
    expect(['malformed', 'reset']).toContain(error.failure);
  });
});

async function refusedOnLoopback(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.2');
  endings.push(() => socket.destroy());
  return once(socket, 'connect').then(
    () => false,
    () => true,
  );
}

describe('a server that speaks only HTTP/2', () => {
  const says = /speaks only HTTP\/2, and agent-contract speaks HTTP\/1\.1\. Let the server accept HTTP\/1\.1/;
  const settings = Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]);
  const goaway = Buffer.from([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  const secret = { cert: localhost.certificate, key: localhost.key };

  test.each<readonly [string, 'http' | 'https', () => Server]>([
    ['starts with HTTP/2 at once', 'http', () => http2.createServer()],
    ['finds no common protocol in TLS', 'https', () => http2.createSecureServer(secret)],
    ['sends HTTP/2 unasked', 'https', () => tls.createServer(secret, (socket) => void socket.end(settings))],
    ['only says goodbye', 'http', () => net.createServer((socket) => socket.once('data', () => socket.end(goaway)))],
  ])('is reported if it %s', async (_, protocol, create) => {
    const url = `${protocol}://127.0.0.1:${await listen(create())}/`;
    await expectFailure(open({ ca: localhost.certificate })(get(url)), 'malformed', says);
  });
});

describe('a proxy from the environment', () => {
  async function serveProxy(answer: (asked: string, socket: Socket) => void): Promise<string> {
    const server = http.createServer();
    server.on('connect', (request: http.IncomingMessage, socket: Socket) => answer(request.url ?? '', socket));
    return `127.0.0.1:${await listen(server)}`;
  }

  test('connects to the target, given as a URL or as host and port', async () => {
    const asked: string[] = [];
    const target = await serve(({ headers, httpVersion }, response) => {
      response.end(`for ${headers.host ?? ''} over ${httpVersion}`);
    });
    const proxy = await serveProxy((name, socket) => {
      asked.push(name);
      const upstream = net.connect(Number(new URL(target).port), '127.0.0.1');
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
      upstream.on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
    });
    for (const [HTTP_PROXY, version, over] of [
      [`http://${proxy}`, 'usual', '1.1'],
      [proxy, '1.0', '1.0'],
    ] as const) {
      const transport = open({ env: { http_proxy: ' ', HTTP_PROXY } });
      const { body } = await transport({ ...get('http://agent-contract.invalid:8080/x'), form: { version } });
      expect(text(body)).toBe(`for agent-contract.invalid:8080 over ${over}`);
    }
    expect(asked).toEqual(['agent-contract.invalid:8080', 'agent-contract.invalid:8080']);
  });

  test('is not used for loopback addresses, nor for hosts in NO_PROXY', async () => {
    const asked: string[] = [];
    const HTTP_PROXY = await serveProxy((name, socket) => {
      asked.push(name);
      socket.end();
    });
    const target = await serveAnswer('direct');
    expect(text((await open({ env: { HTTP_PROXY } })(get(target))).body)).toBe('direct');
    const env = { HTTP_PROXY, NO_PROXY: 'agent-contract.invalid' };
    await expectFailure(open({ env })(get('http://agent-contract.invalid/')), 'name', /cannot be resolved/);
    expect(asked).toEqual([]);
  });

  const refusing = () => serveProxy((_name, socket) => void socket.end('HTTP/1.1 407 Authenticate\r\n\r\n'));
  test.each<readonly [string, () => Promise<string>, RegExp]>([
    ['that refuses is named, and not the target', refusing, /^The proxy from the environment answered 407/],
    ['with an invalid address is named', async () => 'http://[', /variable HTTP_PROXY does not hold a proxy URL/],
  ])('%s', async (_, proxy, says) => {
    const sending = open({ env: { HTTP_PROXY: await proxy() } })(get('http://agent-contract.invalid/'));
    await expectFailure(sending, 'other', says);
  });
});

test.each(['', 'nonsense', 'ftp://host/', 'http://', 'http://user:password@host/', '/path'])(
  '%j is not a URL that can be requested',
  async (url) => {
    await expectFailure(open()(get(url)), 'other', /is not a URL that can be requested/);
  },
);

test('a closed transport ends requests in progress and refuses new ones', async () => {
  const base = await serve(() => undefined);
  const transport = open();
  const under = failure(transport(get(base)));
  await transport(get(`${base}/`, { 'x-odd': 'a\nb' })).catch(() => undefined);
  await transport.close();
  await under;
  await expectFailure(transport(get(base)), 'other', /has been closed/);
});
