import { tellFailure } from '../hosts/sendable.ts';
import { createJournalBudget, type JournalBudget } from './journal-budget.ts';
import { readable, type Exchange, type JournalEntry } from './journal-entry.ts';
import { reproduce, type Reproduction } from './reproduce.ts';
import { matching, type RequestPattern } from './request-pattern.ts';
import { createRing, exchangeOf, type Kept } from './ring.ts';

export interface Journal {
  /** The number that the next exchange will have. */
  readonly next: number;
  record(exchange: Exchange): void;
  /** Oldest first; those that match a pattern, where one is given. */
  entries(pattern?: RequestPattern): readonly JournalEntry[];
  entry(id: number): JournalEntry | undefined;
  /** How to send the request of an entry again. */
  reproduction(id: number): Reproduction | undefined;
  count(pattern?: RequestPattern): number;
  clear(): void;
  /** Hears of each exchange as it is recorded, until the function that is returned is called. */
  subscribe(listener: (entry: JournalEntry) => void): () => void;
  /** How many entries were dropped to make room, since the journal was cleared. */
  readonly dropped: number;
  /** What nobody knows any more that could be like a pattern. */
  shortfall(pattern?: Shortfallen): Shortfall;
}

/** A pattern; of its body only matters that there is one. */
export type Shortfallen = Omit<RequestPattern, 'body'> & { readonly body?: unknown };

/** What was dropped to make room, and could have been like a pattern. */
export interface Shortfall {
  /** Entries. */
  readonly entries: number;
  /** Bodies of requests whose entries are like the rest of the pattern. */
  readonly bodies: number;
}

/** How many entries one journal has at most. */
export const MOST_ENTRIES = 1000;

/** The latest exchanges. What it keeps is made readable, and secrets taken out, only when somebody reads it. */
export function createJournal(
  session: string,
  most: number = MOST_ENTRIES,
  budget: JournalBudget = createJournalBudget(),
): Journal {
  const ring = createRing(most, budget);
  /** The number of the last entry before the journal was cleared. */
  let cleared = 0;
  const listeners = new Set<(entry: JournalEntry) => void>();

  const read = (entry: Kept): JournalEntry => readable(entry.id, session, exchangeOf(entry));
  /** A listener that fails harms neither the request nor the other listeners. */
  const tell = (id: number, exchange: Exchange): void => {
    for (const listener of listeners)
      try {
        listener(readable(id, session, exchange));
      } catch (error) {
        tellFailure(exchange.request.method, exchange.request.target, error);
      }
  };
  const entries = (pattern?: RequestPattern): readonly JournalEntry[] => {
    if (pattern === undefined) return ring.all().map(read);
    const { endpoint, after = 0 } = pattern;
    // These cost nothing to know; to read an entry does.
    const possible = ring
      .all()
      .filter((one) => one.id > after && (endpoint === undefined || one.endpoint === endpoint));
    return matching(possible.map(read), pattern);
  };

  return {
    get next() {
      return ring.next;
    },
    record: (exchange) => tell(ring.push(exchange).id, exchange),
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
    count: (pattern) => (pattern === undefined ? ring.size : entries(pattern).length),
    clear() {
      ring.clear();
      cleared = ring.next - 1;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get dropped() {
      return ring.oldest - 1 - cleared;
    },
    shortfall({ body, ...rest } = {}) {
      return {
        entries: Math.max(0, ring.oldest - 1 - Math.max(cleared, rest.after ?? 0)),
        bodies: body === undefined ? 0 : entries(rest).filter(({ dropped }) => dropped.includes('body')).length,
      };
    },
  };
}

/** In words what an answer about a pattern could be wrong about; nothing where it cannot be wrong. */
export function shortfallWords({ entries, bodies }: Shortfall): string | undefined {
  const counted = (n: number, one: string): string => `${n} ${one}${n === 1 ? ' was' : 's were'} dropped`;
  const said = [
    ...(entries === 0 ? [] : [counted(entries, 'entry').replace('entrys', 'entries')]),
    ...(bodies === 0 ? [] : [counted(bodies, 'body').replace('bodys', 'bodies')]),
  ];
  return said.length === 0
    ? undefined
    : `${said.join(', and ')} to make room, the oldest first. Clear the journal before what you look for, or ask for what came after a number.`;
}
