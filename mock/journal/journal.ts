import { tellFailure } from '../wire/sendable.ts';
import { createJournalBudget, type JournalBudget } from './journal-budget.ts';
import { readable, type Exchange, type JournalEntry } from './journal-entry.ts';
import { reproduce, type Reproduction } from './reproduce.ts';
import { matching, type RequestPattern } from './request-pattern.ts';
import { createRing, exchangeOf, type Kept } from './ring.ts';

export interface Journal {
  /** The number of the next exchange. */
  next(): number;
  record(exchange: Exchange): void;
  /** Oldest first; with a pattern, only those that match it. */
  entries(pattern?: RequestPattern): readonly JournalEntry[];
  entry(id: number): JournalEntry | undefined;
  /** How to repeat the request of an entry. */
  reproduction(id: number): Reproduction | undefined;
  count(pattern?: RequestPattern): number;
  clear(): void;
  /** Calls the listener for each exchange as it is recorded, until you call the returned function. */
  subscribe(listener: (entry: JournalEntry) => void): () => void;
  /** How many entries were dropped to make room since the journal was cleared. */
  dropped(): number;
  /** What was dropped and could match a pattern. */
  shortfall(pattern?: Shortfallen): Shortfall;
}

/** A pattern, without the content of its body. */
export type Shortfallen = Omit<RequestPattern, 'body'> & { readonly body?: unknown };

/** Dropped data that could have matched a pattern. */
export interface Shortfall {
  /** Entries. */
  readonly entries: number;
  /** Bodies of requests whose entries match the rest of the pattern. */
  readonly bodies: number;
}

/** The most entries of one journal. */
export const MOST_ENTRIES = 1000;

/** The latest exchanges. They are parsed, and secrets removed, only when they are read. */
export function createJournal(
  session: string,
  most: number = MOST_ENTRIES,
  budget: JournalBudget = createJournalBudget(),
): Journal {
  const ring = createRing(most, budget);
  /** The number of the last entry before the journal was cleared. */
  let cleared = 0;
  const listeners = createListeners(session);
  const read = (entry: Kept): JournalEntry => readable(entry.id, session, exchangeOf(entry));
  const entries = (pattern?: RequestPattern): readonly JournalEntry[] => {
    if (pattern === undefined) return ring.all().map(read);
    const { endpoint, after = 0 } = pattern;
    // These are known at no cost; reading an entry is not free.
    const possible = ring
      .all()
      .filter((one) => one.id > after && (endpoint === undefined || one.endpoint === endpoint));
    return matching(possible.map(read), pattern);
  };

  return {
    next: ring.next,
    record: (exchange) => listeners.notify(ring.push(exchange).id, exchange),
    entries,
    entry(id) {
      const found = ring.find(id);
      return found && read(found);
    },
    reproduction(id) {
      const found = ring.find(id);
      if (!found) return undefined;
      return found.body === 'dropped' ? { curl: null, test: null } : reproduce(exchangeOf(found));
    },
    count: (pattern) => (pattern === undefined ? ring.size() : entries(pattern).length),
    clear() {
      ring.clear();
      cleared = ring.next() - 1;
    },
    subscribe: listeners.subscribe,
    dropped: () => ring.oldest() - 1 - cleared,
    shortfall({ body, ...rest } = {}) {
      return {
        entries: Math.max(0, ring.oldest() - 1 - Math.max(cleared, rest.after ?? 0)),
        bodies: body === undefined ? 0 : entries(rest).filter(({ dropped }) => dropped.includes('body')).length,
      };
    },
  };
}

/** Those who hear of each exchange. One that fails affects neither the request nor the others. */
function createListeners(session: string): {
  readonly subscribe: Journal['subscribe'];
  readonly notify: (id: number, exchange: Exchange) => void;
} {
  const listeners = new Set<(entry: JournalEntry) => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify(id, exchange) {
      for (const listener of listeners)
        try {
          listener(readable(id, session, exchange));
        } catch (error) {
          tellFailure(exchange.request.method, exchange.request.target, error);
        }
    },
  };
}

/** Says how an answer about a pattern could be wrong; `undefined` if it cannot be. */
export function shortfallWords({ entries, bodies }: Shortfall): string | undefined {
  const counted = (n: number, one: string): string => `${n} ${one}${n === 1 ? ' was' : 's were'} dropped`;
  const said = [
    ...(entries === 0 ? [] : [counted(entries, 'entry').replace('entrys', 'entries')]),
    ...(bodies === 0 ? [] : [counted(bodies, 'body').replace('bodys', 'bodies')]),
  ];
  return said.length === 0
    ? undefined
    : `${said.join(', and ')} to make room, the oldest first. Clear the journal before the requests that you look for, or ask only for those after a number.`;
}
