import { isSecretName, withoutPasswords, withoutSecretParameters } from '../../text/secret-names.ts';
import type { EndpointId, Profile } from '../../spec/index.ts';
import { parseJson, type Json } from '../../text/json.ts';
import type { MockRequest, Tokens } from '../call.ts';
import type { PlanStep } from '../on-demand/plans.ts';
import type { World } from '../store/world.ts';
import { bodyBytes, cookiesIn, type Delivery, type Wire } from '../wire/wire.ts';
import { excessOf } from '../../text/json-limits.ts';
import type { Warning } from '../teaching/warnings.ts';
import { platform } from '../../text/platform.ts';

/** What shaped an answer besides its request: a fresh mock made like this one answers the same. */
export interface AnswerCircumstances extends World {
  /** Epoch milliseconds at which the world is anchored. */
  readonly anchor: number;
  readonly tokens: Tokens;
  readonly profile: Profile;
  readonly faults: readonly string[];
  /** The step of a plan, or the standing answer, that was taken for the request. */
  readonly step: PlanStep | undefined;
}

export interface MockExchange {
  readonly request: MockRequest;
  /** `undefined` for a request that belongs to no endpoint. */
  readonly endpoint: EndpointId | undefined;
  readonly agentId: string;
  readonly wire: Wire;
  /** Epoch milliseconds of the session's clock. */
  readonly at: number;
  /** Milliseconds from the request to the end of its answer, intended delays included. */
  readonly duration: number;
  readonly warnings: readonly Warning[];
  readonly applied: readonly string[];
  readonly plan: string | undefined;
  readonly under?: AnswerCircumstances;
}

/** An exchange as it came, with its number in its session. */
export interface JournalRecord {
  readonly id: number;
  readonly session: string;
  readonly exchange: MockExchange;
}

/** One request and its answer, without secrets. */
export interface JournalEntry {
  /** The number of the request in its session, from 1. */
  readonly id: number;
  readonly session: string;
  /** RFC 3339, by the session's clock. */
  readonly at: string;
  /** Whether the request belongs to an endpoint. */
  readonly wasMatched: boolean;
  readonly endpoint: EndpointId | null;
  readonly agentId: string | null;
  readonly method: string;
  /** Path and query below the session's prefix. */
  readonly url: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or text; `null` if there was none. */
  readonly body: Json;
  /** Bytes of the body of the request. */
  readonly size: number;
  /** Milliseconds from the request to the end of its answer, with intended delays. */
  readonly duration: number;
  readonly response: {
    /** `null` if the connection broke instead of an answer. */
    readonly status: number | null;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Json;
    /** Bytes of the body, before any content encoding. */
    readonly size: number;
    readonly delivery: Delivery | null;
  };
  /** Named like the header that lists them, `sl-violations`. */
  readonly violations: readonly Warning[];
  readonly applied: readonly string[];
  readonly plan: string | null;
}

export function journalEntryOf({ id, session, exchange }: JournalRecord): JournalEntry {
  const { request, endpoint, agentId, wire, at, duration, warnings, applied, plan } = exchange;
  const hide = hiderOf(request.headers);
  const url = withoutSecretParameters(hide(request.target));
  return {
    id,
    session,
    at: new Date(at).toISOString(),
    wasMatched: endpoint !== undefined,
    endpoint: endpoint ?? null,
    agentId: hide(agentId) || null,
    method: request.method,
    url,
    query: queryOf(url),
    headers: Object.fromEntries(
      withoutSecrets(request.headers, '$TOKEN', '$SECRET').map(([name, parts]) => {
        const shown = typeof parts === 'string' ? hide(parts) : parts.join('');
        return [name, shown];
      }),
    ),
    body: request.body === undefined ? null : contentOf(hide(new platform.TextDecoder().decode(request.body))),
    size: request.body?.length ?? 0,
    duration,
    response: responseOf(wire, hide),
    violations: warnings.map((one) => ({ ...one, message: hide(one.message) })),
    applied: applied.map(hide),
    plan: plan ?? null,
  };
}

/** The body is parsed and measured only on access, so that a search over a thousand pages stays fast. */
function responseOf({ status, headers, cookies, body, encoding, delivery }: Wire, hide: (text: string) => string) {
  if (delivery?.connection !== undefined) return { status: null, headers: {}, body: null, size: 0, delivery };
  const shown = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? '$SECRET' : hide(value)]),
  );
  // A cookie of a server behind the mock stands for somebody there.
  const own =
    cookies && cookiesIn({ headers, cookies }).map((cookie) => cookie.replace(/^([^=;]*=)[^;]*/, '$1$SECRET'));
  if (own) shown['set-cookie'] = own.join(', ');
  return {
    status,
    headers: shown,
    get body() {
      if (body === '') return null;
      return contentOf(hide(body));
    },
    get size() {
      return bodyBytes({ body, encoding }).length;
    },
    delivery: delivery ?? null,
  };
}

/** What hides the token of a request in a text. */
export function hiderOf(headers: MockRequest['headers']) {
  const tokens = tokensOf(headers);
  return (text: string): string => tokens.reduce((rest, token) => rest.replaceAll(token, () => '$TOKEN'), text);
}

/** The token of a request, plain and as URLs escape it; none if it is too short to be recognised in other text. */
export function tokensOf(headers: MockRequest['headers']): readonly string[] {
  const token = /\S+$/.exec(headers['authorization'] ?? '')?.[0] ?? '';
  if (token.length < 4 || SCHEME_ALONE.test(token)) return [];
  // A lone surrogate has no form in a URL.
  const inUrl = encodeURIComponent(token.replaceAll(/\p{Surrogate}/gu, ''));
  return [...new Set([encodeURIComponent(inUrl), inUrl, token])];
}

/** Then nothing is secret, and a reader sees that no token was sent. */
const SCHEME_ALONE = /^bearer\s*$/i;

/** Headers whose secrets are replaced: by a mark for the token, after its scheme, or by one for all of it. */
export function withoutSecrets<T>(headers: MockRequest['headers'], token: T, secret: T) {
  return Object.entries(headers).flatMap(([name, value]): readonly [string, string | readonly (string | T)[]][] => {
    if (value === undefined) return [];
    if (!isSecretName(name) || SCHEME_ALONE.test(value)) return [[name, value]];
    const [scheme] = (name === 'authorization' && /^\S+ /.exec(value)) || [];
    if (scheme === undefined) return [[name, [secret]]];
    return [[name, [scheme, token]]];
  });
}

/** A name may be that of an object's own member, such as `constructor`. */
function queryOf(url: string): Record<string, string | readonly string[]> {
  const query = new Map<string, string[]>();
  const begin = url.indexOf('?');
  if (begin < 0) return {};
  for (const [name, value] of new URLSearchParams(url.slice(begin + 1))) {
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return Object.fromEntries(
    Array.from(query, ([name, [first = '', ...more]]) => [name, more.length === 0 ? first : [first, ...more]]),
  );
}

/** JSON with too much nesting stays a text, since it could not be serialized again. */
function contentOf(whole: string): Json {
  const text = withoutPasswords(whole);
  if (excessOf(text) !== undefined) return text;
  const value = parseJson(text);
  if (value === undefined) return text;
  return value;
}
