import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isPacked, unpack } from '../../../http/unpack.ts';
import type { MockRequest } from '../../call.ts';
import { othersPreferred } from '../../on-demand/preferences.ts';
import { createConnector, type Connector } from '../../../http/connect.ts';
import { cookiesOf } from './cookies.ts';
import { forwarded, joined } from '../../../http/headers.ts';
import type { UpstreamPlan } from '../options.ts';

/** A complete answer of an upstream. */
export interface UpstreamAnswer {
  readonly status: number;
  /** Names in lower case; without hop-by-hop, origin, cookie and CORS headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`, as the mock sets them. */
  readonly cookies?: readonly string[];
  /** Decoded. */
  readonly body: Uint8Array;
}

/** Why there is no answer. */
export interface NoAnswer {
  /**
   * `absent`: nothing answers. `late`: the answer takes too long. `unusable`: the answer cannot be forwarded. `loop`: the
   * request comes from this mock.
   */
  readonly why: 'absent' | 'late' | 'unusable' | 'loop';
  /** The end of a sentence that begins with the upstream. */
  readonly words: string;
}

/** Forwards a request, and resolves with the complete answer or with why there is none. Never rejects. */
export type Send = (request: MockRequest) => Promise<UpstreamAnswer | NoAnswer>;

/** The most bytes of an answer, before and after decoding. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Request headers that are not forwarded: those of this hop, those of CORS, which the mock handles itself, and those that
 * the mock writes anew.
 */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'expect',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
  'access-control-request-private-network',
  'via',
  'prefer',
  'authorization',
  'x-mock-session',
  'x-mock-now',
]);

/**
 * Answer headers that are not returned: the length and encoding, since the body is decoded, and those about the upstream's
 * own origin. Cookies are handled separately.
 */
const NOT_RETURNED: ReadonlySet<string> = new Set([
  'content-length',
  'content-encoding',
  'set-cookie',
  'strict-transport-security',
  'alt-svc',
  'clear-site-data',
  'x-agent-contract-source',
]);

export function createSend({ url, token, timeout, ca, insecure }: UpstreamPlan): Send {
  const connector = createConnector({ upstream: url, ca, insecure });
  const name = `agent-contract-${randomUUID()}`;
  return async (request) => {
    const via = request.headers['via'] ?? '';
    if (via.includes(name)) return { why: 'loop', words: 'leads back to this mock' };
    const send = (): Promise<UpstreamAnswer | NoAnswer | 'stale'> =>
      sendOnce(
        connector,
        request,
        headersOf(request, token, via === '' ? `1.1 ${name}` : `${via}, 1.1 ${name}`),
        timeout,
      );
    const first = await send();
    // The upstream may have closed an idle connection, which says nothing about its health.
    const answer = first === 'stale' ? await send() : first;
    return answer === 'stale' ? { why: 'absent', words: 'closes its connections (ECONNRESET)' } : answer;
  };
}

function headersOf({ headers, body, method }: MockRequest, token: string | undefined, via: string): readonly string[] {
  const { authorization, prefer } = headers;
  const preferences = prefer === undefined ? '' : othersPreferred(prefer);
  const raw = Object.entries(headers).flatMap(([key, value]) => (value === undefined ? [] : [key, value]));
  return [
    ...forwarded(raw, NOT_FORWARDED),
    ...(authorization === undefined ? [] : ['authorization', token === undefined ? authorization : `Bearer ${token}`]),
    ...(preferences === '' ? [] : ['prefer', preferences]),
    ...(body === undefined && (method === 'GET' || method === 'HEAD')
      ? []
      : ['content-length', String(body?.length ?? 0)]),
    'accept-encoding',
    'gzip, deflate, br',
    'via',
    via,
  ];
}

/** A target without the preferences in its query. */
function withoutPreferences(target: string): string {
  const [path = '', ...search] = target.split('?');
  const kept = search
    .join('?')
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('__'));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

function sendOnce(
  connector: Connector,
  { method, target, body }: MockRequest,
  headers: readonly string[],
  timeout: number,
): Promise<UpstreamAnswer | NoAnswer | 'stale'> {
  return new Promise((resolve) => {
    const path = connector.targetOf(target.includes('__') ? withoutPreferences(target) : target) ?? '';
    let out: ReturnType<Connector['begin']>;
    try {
      out = connector.begin(method, path, headers);
    } catch (error) {
      return resolve({ why: 'unusable', words: `cannot be sent this request (${codeOf(error)})` });
    }
    const end = (what: UpstreamAnswer | NoAnswer | 'stale'): void => {
      clearTimeout(timer);
      resolve(what);
      out.destroy();
    };
    const timer = setTimeout(() => end({ why: 'late', words: `did not answer within ${timeout} ms` }), timeout);
    out.on('error', (error) => {
      const code = codeOf(error);
      const mayRepeat = method === 'GET' || method === 'HEAD';
      if (out.reusedSocket && code === 'ECONNRESET' && mayRepeat) return end('stale');
      end(failureOf(code));
    });
    out.on('response', (answer) => {
      receive(answer, connector.prefix, (what) => {
        clearTimeout(timer);
        resolve(what);
        if ('why' in what) out.destroy();
      });
    });
    out.end(body);
  });
}

function failureOf(code: string): NoAnswer {
  if (code.startsWith('HPE_'))
    return { why: 'unusable', words: `does not answer in HTTP, or its headers are too large (${code})` };
  if (CERTIFICATE.test(code))
    return {
      why: 'unusable',
      words: `shows a certificate that is not trusted (${code}). Name who signed it with --ca (upstream.ca), or accept any with --insecure (upstream.insecure)`,
    };
  return { why: 'absent', words: `could not be reached (${code})` };
}

const CERTIFICATE = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$/;

function receive(answer: IncomingMessage, prefix: string, done: (what: UpstreamAnswer | NoAnswer) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const broken = (): void => done({ why: 'absent', words: 'broke off its answer' });
  answer.on('error', broken);
  answer.on('aborted', broken);
  answer.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_BYTES) return done({ why: 'unusable', words: `answers with more than ${MOST_BYTES} bytes` });
    chunks.push(chunk);
  });
  answer.on('end', () => {
    if (answer.complete) done(answerOf(answer, Buffer.concat(chunks), prefix));
  });
}

function answerOf(
  { statusCode: status = 0, rawHeaders }: IncomingMessage,
  bytes: Buffer,
  prefix: string,
): UpstreamAnswer | NoAnswer {
  if (status < 200 || status > 599) return { why: 'unusable', words: `answers with the status ${status}` };
  const all = joined(rawHeaders);
  const body = unpack(bytes, all['content-encoding'] ?? '', MOST_BYTES);
  if (isPacked(body))
    return {
      why: 'unusable',
      words: `answers in an encoding that cannot be read, or with more than ${MOST_BYTES} bytes`,
    };
  const kept = joined(forwarded(rawHeaders, NOT_RETURNED));
  const headers = Object.fromEntries(Object.entries(kept).filter(([name]) => !name.startsWith('access-control-')));
  return { status, headers, cookies: cookiesOf(rawHeaders, prefix), body };
}

const codeOf = (error: unknown): string => {
  const { code, name } = error as Partial<NodeJS.ErrnoException>;
  return code ?? name ?? 'unknown';
};
