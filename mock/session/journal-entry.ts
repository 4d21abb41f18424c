import type { EndpointId } from '../../spec/index.ts';
import type { Json, MockRequest, Wire } from '../call.ts';
import type { Delivery } from '../delivery.ts';
import { excessOf } from '../json-limits.ts';
import type { Violation } from '../violations.ts';

/** What is known of an exchange when it is over. */
export interface Exchange {
  readonly request: MockRequest;
  /** `undefined` for a request that belongs to no endpoint. */
  readonly endpoint: EndpointId | undefined;
  readonly agentId: string;
  readonly wire: Wire;
  /** Epoch milliseconds of the session's clock. */
  readonly at: number;
  readonly violations: readonly Violation[];
  /** Preferences that were met, and the plan that had a say. */
  readonly applied: readonly string[];
  readonly plan: string | undefined;
}

/** One request and its answer, without secrets. */
export interface JournalEntry {
  /** Counts the requests of a session from 1. */
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
  /** JSON where it could be read as such, or text; `null` where there was none. */
  readonly body: Json;
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Json;
    readonly delivery: Delivery | null;
  };
  readonly violations: readonly Violation[];
  readonly applied: readonly string[];
  readonly plan: string | null;
}

/** An exchange as people and programs read it; secrets are taken out. */
export function readable(id: number, session: string, exchange: Exchange): JournalEntry {
  const { request, endpoint, agentId, wire, at, violations, applied, plan } = exchange;
  const hide = secretsOf(request);
  const url = hide(request.target);
  return {
    id,
    session,
    at: new Date(at).toISOString(),
    wasMatched: endpoint !== undefined,
    endpoint: endpoint ?? null,
    agentId: agentId === '' ? null : agentId,
    method: request.method,
    url,
    query: queryOf(url),
    headers: headersOf(request.headers, hide),
    body: request.body === undefined ? null : contentOf(hide(new TextDecoder().decode(request.body))),
    response: {
      status: wire.status,
      headers: wire.headers,
      body: wire.body === '' ? null : contentOf(hide(wire.body)),
      delivery: wire.delivery ?? null,
    },
    violations,
    applied,
    plan: plan ?? null,
  };
}

const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);

/** Takes the token of a request out of a text, wherever it stands. */
function secretsOf({ headers }: MockRequest): (text: string) => string {
  const token = /\S+$/.exec(headers['authorization'] ?? '')?.[0] ?? '';
  return token.length < 4 ? (text) => text : (text) => text.replaceAll(token, '$TOKEN');
}

function headersOf(headers: MockRequest['headers'], hide: (text: string) => string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (!SECRET_HEADERS.has(name)) return [[name, hide(value)]];
      const scheme = /^\S+(?= )/.exec(value)?.[0];
      return [[name, name === 'authorization' && scheme !== undefined ? `${scheme} $TOKEN` : '$SECRET']];
    }),
  );
}

/** Names may be those of members of every object, such as `constructor`. */
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

/** JSON that is nested too deep stays a text: nobody could write it again. */
function contentOf(text: string): Json {
  try {
    return excessOf(text) === 'levels' ? text : (JSON.parse(text) as Json);
  } catch {
    return text;
  }
}
