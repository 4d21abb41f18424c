import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createBodyBuffer } from '../../../http/body.ts';
import { createConnector, type Connector } from '../../../http/connect.ts';
import type { HttpAnswer } from '../../../http/exchange.ts';
import type { TransportFailure } from '../../../http/explain-failure.ts';
import { sendOnward, type Onward, type Receiver } from '../../../http/forward.ts';
import { joinHeaders, withoutHop, type RawHeaders } from '../../../http/headers.ts';
import { isPacked, unpack } from '../../../http/unpack.ts';
import type { MockRequest } from '../../call.ts';
import { othersPreferred } from '../../on-demand/preferences.ts';
import type { UpstreamPlan } from '../options.ts';
import withheld from './withheld-headers.json';
import { codeOf } from '../../../text/errors.ts';

/** A complete answer of an upstream, without hop-by-hop, origin, cookie and CORS headers. */
export interface UpstreamAnswer extends HttpAnswer {
  readonly cookies?: readonly string[];
}

export interface NoAnswer {
  /**
   * `absent`: nothing answers. `late`: the answer takes too long. `unusable`: the answer cannot be forwarded. `loop`: the
   * request comes from this mock. `misdirected`: its target is an absolute URL of another host.
   */
  readonly why: 'absent' | 'late' | 'unusable' | 'loop' | 'misdirected';
  readonly words: string;
}

/** Forwards a request, and resolves with the complete answer or with why there is none. Never rejects. */
export type Send = (request: MockRequest) => Promise<UpstreamAnswer | NoAnswer>;

const MOST_BYTES = 16 * 1024 * 1024;

/** Not forwarded: those of this hop, those of CORS, which the mock handles itself, and those that it writes anew. */
const NOT_FORWARDED: ReadonlySet<string> = new Set(withheld.ofRequests);
/** Not returned: length and encoding, since the body is decoded, and those about the upstream's own origin. */
const NOT_RETURNED: ReadonlySet<string> = new Set(withheld.ofAnswers);

export function createSend({ url, token, timeout, ca, insecure }: UpstreamPlan): Send {
  const connector = createConnector({ upstream: url, ca, insecure });
  const name = `agent-contract-${randomUUID()}`;
  return async (request) => {
    const { via = '' } = request.headers;
    if (via.includes(name)) return { why: 'loop', words: `${url.origin} leads back to this mock.` };
    const path = connector.targetOf(withoutPreferences(request.target));
    if (typeof path === 'number') return { why: 'misdirected', words: `The target is not one of ${connector.host}.` };
    const { method, body } = request;
    const headers = headersOf(request, token, [via, `1.1 ${name}`].filter(Boolean).join(', '));
    const onward: Onward = { method, path, headers, body };
    const first = await sendOnce(connector, onward, timeout);
    // The upstream may have closed an idle connection, which says nothing about its health.
    const mayRepeat = method === 'GET' || method === 'HEAD';
    if ('why' in first && first.isStale && mayRepeat) return sendOnce(connector, onward, timeout);
    return first;
  };
}

function headersOf({ headers, body, method }: MockRequest, token: string | undefined, via: string): readonly string[] {
  const { authorization, prefer = '' } = headers;
  const raw = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  const onward = withoutHop(raw, NOT_FORWARDED);
  if (authorization !== undefined)
    onward.push('authorization', token === undefined ? authorization : `Bearer ${token}`);
  const preferences = othersPreferred(prefer);
  if (preferences !== '') onward.push('prefer', preferences);
  const isRead = method === 'GET' || method === 'HEAD';
  if (body !== undefined || !isRead) onward.push('content-length', String(body?.length ?? 0));
  onward.push('accept-encoding', 'gzip, deflate, br', 'via', via);
  return onward;
}

function withoutPreferences(target: string): string {
  if (!target.includes('__')) return target;
  const [path = '', ...search] = target.split('?');
  const pairs = search.join('?').split('&');
  const kept = pairs.filter((part) => part !== '' && !part.startsWith('__'));
  if (kept.length === 0) return path;
  return `${path}?${kept.join('&')}`;
}

type Failed = NoAnswer & { readonly isStale: boolean };

function sendOnce(connector: Connector, onward: Onward, timeout: number): Promise<UpstreamAnswer | Failed> {
  return new Promise((resolve) => {
    const unusable = (words: string): void =>
      resolve({ why: 'unusable', words: `${connector.host} ${words}.`, isStale: false });
    try {
      const receiver = receiving(connector.prefix, (received) => {
        if (typeof received !== 'string') return resolve(received);
        forwarding.abandon();
        unusable(received);
      });
      const fail: Receiver['fail'] = ({ failure, message }, isStale) =>
        resolve({ why: reasons[failure], words: message, isStale });
      const forwarding = sendOnward(connector, onward, { total: timeout }, { ...receiver, fail });
    } catch (error) {
      unusable(`cannot be sent this request (${codeOf(error)})`);
    }
  });
}

const reasons: Readonly<Record<TransportFailure, NoAnswer['why']>> = {
  refused: 'absent',
  reset: 'absent',
  name: 'absent',
  other: 'absent',
  timeout: 'late',
  'too-large': 'unusable',
  malformed: 'unusable',
  tls: 'unusable',
};

/** Receives the answer, or what is wrong with it: the end of a sentence that begins with the server. */
function receiving(
  prefix: string,
  done: (received: UpstreamAnswer | string) => void,
): Pick<Receiver, 'head' | 'piece' | 'end'> {
  const buffer = createBodyBuffer(MOST_BYTES);
  let answer: IncomingMessage | undefined;
  return {
    head(came) {
      answer = came;
      if (Number(came.statusCode) > 599) done(`answers with the status ${came.statusCode}`);
    },
    piece(bytes) {
      buffer.add(bytes);
      if (buffer.pieces === undefined) done(`answers with more than ${MOST_BYTES} bytes`);
    },
    end() {
      const { statusCode: status = 0, rawHeaders = [], headers: all } = answer ?? {};
      const body = unpack(buffer.bytes() ?? new Uint8Array(), all?.['content-encoding'] ?? '', MOST_BYTES);
      if (isPacked(body)) return done(body.words);
      const returned = Object.entries(joinHeaders(withoutHop(rawHeaders, NOT_RETURNED)));
      const headers = Object.fromEntries(returned.filter(([name]) => !name.startsWith('access-control-')));
      done({ status, headers, cookies: cookiesOf(rawHeaders, prefix), body });
    },
  };
}

/** The upstream's `Set-Cookie`, rewritten for the mock's host, paths and plain HTTP. `prefix` is the path of its URL. */
function cookiesOf(raw: RawHeaders, prefix: string): readonly string[] {
  return raw.flatMap((name, i) =>
    i % 2 === 0 && name.toLowerCase() === 'set-cookie' ? [ownCookie(raw[i + 1] ?? '', prefix)] : [],
  );
}

function ownCookie(cookie: string, prefix: string): string {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
  // Clients accept these names only with `Secure`.
  const dropped = /^__(?:Secure|Host)-/i.test(pair) ? ABOUT_THE_NAME : ABOUT_THE_NAME_OR_TLS;
  return [pair, ...attributes.filter((one) => !dropped.test(one)).map((one) => ownPath(one, prefix))].join('; ');
}

const ABOUT_THE_NAME = /^domain\s*(?:=|$)/i;
/** Clients reject SameSite=None and Partitioned without Secure. */
const ABOUT_THE_NAME_OR_TLS = /^(?:domain\s*(?:=|$)|(?:secure|partitioned)\s*(?:=|$)|samesite\s*=\s*none\s*$)/i;

function ownPath(attribute: string, prefix: string): string {
  const [, path] = /^path\s*=\s*(.*)$/i.exec(attribute) ?? [];
  if (path === undefined || prefix === '' || !(path === prefix || path.startsWith(`${prefix}/`))) return attribute;
  return `Path=${path.slice(prefix.length) || '/'}`;
}
