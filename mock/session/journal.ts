import type { EndpointId } from '../../spec/index.ts';
import type { Json, MockRequest, Wire } from '../call.ts';
import type { Delivery } from '../delivery.ts';
import type { Violation } from '../violations.ts';
import { matches, type RequestPattern } from './request-pattern.ts';

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

export interface Journal {
  /** The number that the next exchange will have. */
  readonly next: number;
  record(exchange: Exchange): void;
  /** Oldest first; those that match a pattern, where one is given. */
  entries(pattern?: RequestPattern): readonly JournalEntry[];
  entry(id: number): JournalEntry | undefined;
  count(pattern?: RequestPattern): number;
  clear(): void;
  /** Hears of each exchange as it is recorded, until the function that is returned is called. */
  subscribe(listener: (entry: JournalEntry) => void): () => void;
  /** How many entries were dropped to make room. */
  readonly dropped: number;
}

export interface JournalLimits {
  readonly entries: number;
  /** Of the bodies of all entries together. */
  readonly characters: number;
}

/** What one journal holds at most. */
export const journalLimits: JournalLimits = { entries: 1000, characters: 8_000_000 };
/** What the journals of all sessions hold at most together. */
export const allJournalsLimits: JournalLimits = { entries: 20_000, characters: 16_000_000 };

/** Keeps the journals of many sessions within bounds that they share: the oldest entry of all goes first. */
export interface JournalBudget {
  /** Takes note of an entry; `drop` takes it, and what is older in the same journal, out of its journal. */
  add(size: number, drop: () => void): void;
  /** Entries have gone that were noted. */
  remove(entries: number, size: number): void;
}

export function createJournalBudget(limits: JournalLimits = allJournalsLimits): JournalBudget {
  let noted: (() => void)[] = [];
  let first = 0;
  let entries = 0;
  let characters = 0;
  const isTooMuch = (): boolean => {
    const notes = noted.length - first;
    // Notes of entries that are gone already are kept until their turn comes, but not without end.
    return notes > 1 && (entries > limits.entries || characters > limits.characters || notes > 2 * limits.entries);
  };
  return {
    add(size, drop) {
      noted.push(drop);
      entries++;
      characters += size;
      while (isTooMuch()) {
        noted[first]?.();
        first++;
      }
      if (first * 2 >= noted.length) {
        noted = noted.slice(first);
        first = 0;
      }
    },
    remove(gone, size) {
      entries -= gone;
      characters -= size;
    },
  };
}

interface Kept {
  readonly id: number;
  readonly exchange: Exchange;
  readonly size: number;
}

/** A ring of the latest exchanges. What it keeps is made readable, and secrets taken out, only when somebody reads it. */
export function createJournal(
  session: string,
  limits: JournalLimits = journalLimits,
  budget: JournalBudget = createJournalBudget(),
): Journal {
  let kept: Kept[] = [];
  /** Entries before this place were dropped; they are cut off now and then, not one by one. */
  let first = 0;
  let characters = 0;
  let next = 1;
  let dropped = 0;
  const listeners = new Set<(entry: JournalEntry) => void>();

  const dropOldest = (): void => {
    const size = kept[first]?.size ?? 0;
    characters -= size;
    budget.remove(1, size);
    first++;
    dropped++;
    if (first * 2 < kept.length) return;
    kept = kept.slice(first);
    first = 0;
  };
  const dropUpTo = (id: number): void => {
    while (first < kept.length && (kept[first]?.id ?? Infinity) <= id) dropOldest();
  };
  // Made out of sight of the entry, which it would otherwise keep alive for as long as the budget remembers it.
  const dropperOf = (id: number) => (): void => dropUpTo(id);
  const alive = (): readonly Kept[] => (first === 0 ? kept : kept.slice(first));
  const read = ({ id, exchange }: Kept): JournalEntry => readable(id, session, exchange);
  const entries = (pattern?: RequestPattern): readonly JournalEntry[] => {
    const all = alive().map(read);
    return pattern === undefined ? all : all.filter((entry) => matches(entry, pattern));
  };

  return {
    get next() {
      return next;
    },
    record(exchange) {
      const size = exchange.wire.body.length + (exchange.request.body?.length ?? 0);
      const entry: Kept = { id: next++, exchange, size };
      kept.push(entry);
      characters += size;
      while (kept.length - first > 1 && (kept.length - first > limits.entries || characters > limits.characters))
        dropOldest();
      budget.add(size, dropperOf(entry.id));
      if (listeners.size > 0) {
        const shown = read(entry);
        for (const listener of listeners) listener(shown);
      }
    },
    entries,
    entry: (id) => {
      const found = alive().find((one) => one.id === id);
      return found && read(found);
    },
    count: (pattern) => (pattern === undefined ? kept.length - first : entries(pattern).length),
    clear() {
      budget.remove(kept.length - first, characters);
      kept = [];
      first = 0;
      characters = 0;
      dropped = 0;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get dropped() {
      return dropped;
    },
  };
}

function readable(id: number, session: string, exchange: Exchange): JournalEntry {
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

function queryOf(url: string): Record<string, string | readonly string[]> {
  const [, ...rest] = url.split('?');
  const query: Record<string, string | readonly string[]> = {};
  for (const [name, value] of new URLSearchParams(rest.join('?'))) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

function contentOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
