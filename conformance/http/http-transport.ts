import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Socket } from 'node:net';
import type { Agent, Client, Dispatcher, buildConnector } from 'undici';
import { readBody } from '../../http/body.ts';
import { joinHeaders } from '../../http/headers.ts';
import { isPacked, unpack } from '../../http/unpack.ts';
import { Interrupted, TransportError, explain } from '../../http/explain-failure.ts';
import type { Transport, HttpRequest, HttpAnswer } from '../../http/exchange.ts';
import { codingsOf } from '../../http/form.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { withDeadline } from './deadline.ts';

export interface HttpTransportOptions {
  /** Milliseconds for one exchange, from the connection to the last byte of the body. */
  readonly timeoutMs: number;
  /** The largest body, in bytes, compressed or not. Default: 16 MiB. */
  readonly maxBytes?: number | undefined;
  /** Certificates (PEM) to trust instead of the well-known authorities. */
  readonly ca?: string | undefined;
  /** Accept any certificate. */
  readonly insecure?: boolean | undefined;
  /** Most connections that are kept. More requests at once wait, which uses up their time. */
  readonly concurrency: number;
  /** Where `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are read. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A transport that keeps connections open between requests, until you close it. */
export interface HttpTransport extends Transport {
  /** Closes the connections that are kept. From now on keeps none, so that each request has one of its own, or keeps them again. */
  keep(isKept: boolean): Promise<void>;
  /** Ends every connection, and every exchange on it. */
  close(): Promise<void>;
}

const MAX_HEADER_BYTES = 64 * 1024;
const LOOPBACK = 'localhost,127.0.0.1,[::1]';

/**
 * Speaks HTTP to a real server. It reuses connections, takes proxies from the environment (never for loopback
 * addresses), decodes gzip, deflate and brotli, and treats redirects as answers like any other.
 */
export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const maxBytes = options.maxBytes ?? 16 * 1024 * 1024;
  const defaults = { accept: 'application/json', 'user-agent': 'agent-contract' };
  let opening: Promise<Dispatcher> | undefined;
  let closed = false;
  let keeps = true;

  const transport: Transport = async (request, signal) => {
    const target = split(request.url);
    try {
      if (closed) throw new TransportError('other', 'The transport has been closed.');
      if (keeps) opening ??= openDispatcher(options);
      const kept = await opening;
      const { form = {} } = request;
      const late = `${target.host} sent no complete answer within ${options.timeoutMs} ms. A slow server may need a longer timeout.`;
      return await withDeadline(options.timeoutMs, late, signal, async (stop) => {
        const exchange = async (): Promise<HttpAnswer> => {
          const isOld = form.version === '1.0';
          const isNew = form.connection === 'new' || isOld;
          const dispatcher = (!isNew && kept) || (await openDispatcher(options, isOld));
          try {
            const answer = await dispatcher.request({
              origin: target.origin,
              path: target.path,
              method: request.method,
              headers: { ...defaults, ...headersOf(request) },
              body: bodyOf(request, stop),
              responseHeaders: 'raw',
              reset: isOld,
              signal: stop,
            });
            return await readAnswer(answer, maxBytes, target.host);
          } finally {
            if (dispatcher !== kept) await dispatcher.destroy();
          }
        };
        return exchange().catch((error: unknown) => {
          if (!stop.aborted && mayRepeat(request, error)) return exchange();
          throw error;
        });
      });
    } catch (error) {
      throw explain(error, { ...target, maxHeaderBytes: MAX_HEADER_BYTES });
    }
  };

  return Object.assign(transport, {
    async keep(isKept: boolean): Promise<void> {
      keeps = isKept;
      const before = opening;
      opening = undefined;
      const dispatcher = await before?.catch(() => undefined);
      await dispatcher?.close();
    },
    async close(): Promise<void> {
      closed = true;
      const dispatcher = await opening?.catch(() => undefined);
      await dispatcher?.destroy();
    },
  });
}

function headersOf({ headers, body, form = {} }: HttpRequest): Record<string, string> {
  const sent: Record<string, string> = {};
  const codings = codingsOf(form);
  if (codings !== undefined) sent['accept-encoding'] = codings;
  if (form.body === 'slow') sent['content-length'] = String(Buffer.byteLength(body ?? ''));
  return { ...sent, ...headers };
}

/** A body in one piece, or as an iterable, which goes out in chunks unless its length is in a header. */
function bodyOf({ body, form = {} }: HttpRequest, signal: AbortSignal): string | Readable | null {
  if (body === undefined || form.body === undefined || form.body === 'usual') return body ?? null;
  return Readable.from(inTwoParts(Buffer.from(body), form.body === 'slow' ? 20 : 0, signal));
}

async function* inTwoParts(bytes: Buffer, pauseMs: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const half = bytes.length >> 1;
  yield bytes.subarray(0, half);
  if (pauseMs > 0) await delay(pauseMs, undefined, { signal });
  yield bytes.subarray(half);
}

/** The parts of a URL as given: dot segments are not resolved, and no character changes. */
function split(url: string) {
  const [, origin, host, rest] = /^(https?:\/\/([^/?#@]+))([^#]*)/i.exec(url) ?? [];
  if (origin === undefined || host === undefined || rest === undefined || !parseUrl(origin)) {
    throw new TransportError('other', `${JSON.stringify(url)} is not a URL that can be requested.`);
  }
  return { origin, host, path: rest.replace(/^(?!\/)/, '/') };
}

async function openDispatcher(
  { timeoutMs, concurrency, ca, insecure, env = process.env }: HttpTransportOptions,
  isOld = false,
): Promise<Dispatcher> {
  // Not `import()`, which needs a flag in Jest.
  const { Agent, EnvHttpProxyAgent } = require('undici') as typeof import('undici');
  const tls = { rejectUnauthorized: insecure !== true, ca };
  const settings = {
    connect: { ...tls, timeout: timeoutMs },
    connectTimeout: timeoutMs,
    connections: concurrency,
    // One deadline for the whole exchange replaces these: they are coarse, and restart with every chunk.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Shorter than the usual keep-alive of servers, so that few requests use a connection that is just closing.
    keepAliveTimeout: 2000,
    factory: isOld ? poolOfOldVersion : undefined,
  };
  const [httpProxy, httpsProxy] = [proxyFrom(env, 'http_proxy'), proxyFrom(env, 'https_proxy')];
  if (httpProxy === '' && httpsProxy === '') return new Agent(settings);
  const exempt = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return new EnvHttpProxyAgent({
    ...settings,
    requestTls: tls,
    proxyTls: tls,
    httpProxy,
    httpsProxy,
    noProxy: exempt.trim() === '*' ? '*' : `${LOOPBACK},${exempt}`,
  });
}

/** The client writes HTTP/1.1 into each request line. Through proxies and TLS, its connections write HTTP/1.0 here. */
const poolOfOldVersion: Agent.Options['factory'] = (origin, options) => {
  const { Client, Pool } = require('undici') as typeof import('undici');
  const factory = (at: URL, { connect, ...rest }: Client.Options & { connect: buildConnector.connector }): Client =>
    new Client(at, { ...rest, connect: (to, done) => connect(to, (...made) => done(...asOldVersion(made))) });
  return new Pool(origin, Object.assign({}, options, { factory }));
};

function asOldVersion(made: Parameters<buildConnector.Callback>): Parameters<buildConnector.Callback> {
  const [, socket] = made;
  const write = socket?.write.bind(socket) as Socket['write'];
  if (socket)
    socket.write = (head, ...rest: never[]) => {
      socket.write = write;
      return write(String(head).replace(/ HTTP\/1\.1(?=\r\n)/, ' HTTP/1.0'), ...rest);
    };
  return made;
}

function proxyFrom(env: Readonly<Record<string, string | undefined>>, variable: string): string {
  const [name, value = ''] =
    [variable, variable.toUpperCase()].map((one) => [one, env[one]?.trim()]).find(([, text]) => text) ?? [];
  if (value === '') return '';
  const url = value.replace(/^(?!.*:\/\/)/s, 'http://');
  if (parseUrl(url)) return url;
  throw new TransportError('other', `The environment variable ${name} does not hold a proxy URL. Correct or unset it.`);
}

/** A server may close an idle connection just as it is used: a GET is sent again if no byte of an answer arrived. */
function mayRepeat(request: HttpRequest, error: unknown): boolean {
  if (request.method !== 'GET' || !(error instanceof Error)) return false;
  const { code, socket } = error as Error & { code?: unknown; socket?: { bytesRead?: number } | null };
  if (code === 'ECONNRESET' || code === 'EPIPE') return !('syscall' in error && error.syscall === 'connect');
  return code === 'UND_ERR_SOCKET' && (socket?.bytesRead ?? 0) > 0;
}

async function readAnswer(answer: Dispatcher.ResponseData, maxBytes: number, host: string): Promise<HttpAnswer> {
  const { body, statusCode: status } = answer;
  body.on('error', () => undefined);
  const headers = joinHeaders(Array.isArray(answer.headers) ? answer.headers.map(String) : []);
  const tooLarge = (): TransportError =>
    new TransportError('too-large', `The answer of ${host} is larger than ${maxBytes} bytes. The rest was not read.`, {
      begun: { status, headers },
    });
  if (Number(headers['content-length']) > maxBytes) {
    body.destroy();
    throw tooLarge();
  }
  // From here on the server has begun to answer, so the request must not be repeated.
  const bytes = await readBody(body, maxBytes).catch((error: unknown) => {
    throw new Interrupted(error, { status, headers });
  });
  if (!bytes) throw tooLarge();
  const unpacked = unpack(bytes, headers['content-encoding'] ?? '', maxBytes);
  if (isPacked(unpacked))
    throw new TransportError(unpacked.failure, `${host} ${unpacked.words}.`, {
      cause: unpacked.cause,
      begun: { status, headers },
    });
  return { status, headers, body: unpacked };
}
