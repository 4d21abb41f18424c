import { reportFailure } from '../wire/sendable.ts';
import { journalEntryOf, type MockExchange, type JournalEntry, type JournalRecord } from './journal-entry.ts';
import { reproduce, type Reproduction } from './reproduce.ts';
import { boundByHeap } from '../state/room.ts';
import type { RequestPattern } from '../generated/patterns.ts';
import { matching } from './request-pattern.ts';

export interface Journal {
  /** The number of the next exchange. */
  next(): number;
  record(exchange: MockExchange): void;
  /** Oldest first; with a pattern, only those that match it. @throws MockError for an unknown part of a pattern. */
  entries(pattern?: RequestPattern): readonly JournalEntry[];
  entry(id: number): JournalEntry | undefined;
  /** How to repeat the request of an entry. */
  reproduction(id: number): Reproduction | undefined;
  /** @throws MockError for an unknown part of a pattern. */
  count(pattern?: RequestPattern): number;
  clear(): void;
  /** Calls the listener for each exchange as it is recorded, until you call the returned function. */
  subscribe(listener: (entry: JournalEntry) => void): () => void;
  /** How many entries after a number were dropped to make room since the journal was cleared. */
  dropped(after?: number): number;
}

export interface JournalLimits {
  /** Entries of one session. */
  readonly entries: number;
  /** Bytes of the entries of one session. */
  readonly bytes: number;
  /** Bytes of the entries of all sessions. */
  readonly bytesOfAll: number;
}

export const journalLimits: JournalLimits = { entries: 1000, bytes: 32_000_000, bytesOfAll: boundByHeap(128_000_000) };

/** The exchanges of one session, oldest first, with consecutive numbers. */
interface Log {
  readonly items: Item[];
  bytes: number;
}

/** It is parsed, and secrets removed, only when it is read. */
interface Item extends JournalRecord {
  readonly bytes: number;
  readonly log: Log;
}

export interface Journals extends ReturnType<typeof createJournals> {}

/** The journals of a mock. Beyond a limit the oldest entries are dropped. */
export function createJournals(limits: JournalLimits = journalLimits, onExchange?: (exchange: MockExchange) => void) {
  const all = new Set<Item>();
  let bytes = 0;
  const drop = (oldest: Item | undefined): void => {
    if (!oldest) return;
    const { log } = oldest;
    log.items.shift();
    log.bytes -= oldest.bytes;
    bytes -= oldest.bytes;
    all.delete(oldest);
  };

  function open(session: string): Journal {
    const log: Log = { items: [], bytes: 0 };
    const listeners = new Set<(entry: JournalEntry) => void>();
    let next = 1;
    /** The number of the last entry before the journal was cleared. */
    let cleared = 0;
    const find = (id: number): Item | undefined => log.items[id - (log.items[0]?.id ?? next)];
    const journal: Journal = {
      next: () => next,
      record(exchange) {
        onExchange?.(exchange);
        const item: Item = { id: next++, session, exchange, bytes: sizeOf(exchange), log };
        log.items.push(item);
        log.bytes += item.bytes;
        bytes += item.bytes;
        all.add(item);
        while (log.items.length > limits.entries || log.bytes > limits.bytes) drop(log.items[0]);
        while (bytes > limits.bytesOfAll) drop(all.values().next().value);
        for (const listener of listeners)
          // A listener that fails affects neither the request nor the other listeners.
          try {
            listener(journalEntryOf(item));
          } catch (error) {
            reportFailure(exchange.request.method, exchange.request.target, error);
          }
      },
      entries({ endpoint, after = 0, ...rest } = {}) {
        // These are known at no cost; reading an entry is not free.
        const possible = log.items.filter(
          ({ id, exchange }) => id > after && (endpoint === undefined || exchange.endpoint === endpoint),
        );
        return matching(possible.map(journalEntryOf), rest);
      },
      entry(id) {
        const found = find(id);
        return found && journalEntryOf(found);
      },
      reproduction(id) {
        const found = find(id);
        const earlier = log.items.filter((item) => item.id < id).map(({ exchange }) => exchange);
        return found && reproduce(found.exchange, earlier);
      },
      count: (pattern) => (pattern === undefined ? log.items : journal.entries(pattern)).length,
      clear() {
        while (log.items.length > 0) drop(log.items[0]);
        cleared = next - 1;
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      dropped: (after = 0) => Math.max(0, (log.items[0]?.id ?? next) - 1 - Math.max(cleared, after)),
    };
    return journal;
  }

  return {
    get bytes(): number {
      return bytes;
    },
    open,
  };
}

function sizeOf({ request, wire }: MockExchange): number {
  // About what an entry takes besides its texts.
  let size = 1000 + request.target.length + (request.body?.length ?? 0) + wire.body.length;
  for (const value of Object.values(request.headers)) size += value?.length ?? 0;
  return size;
}

/** Says how dropped entries make an answer about past requests doubtful; `undefined` if there are none. */
export function doubtAfter(dropped: number): string | undefined {
  if (dropped === 0) return undefined;
  const entries = dropped === 1 ? '1 entry was' : `${dropped} entries were`;
  return `${entries} dropped to make room, the oldest first. Clear the journal before the requests that you look for, or ask only for those after a number.`;
}
