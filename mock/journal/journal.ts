import { reportFailure } from '../wire/sendable.ts';
import { readable, type Exchange, type JournalEntry } from './journal-entry.ts';
import { reproduce, type Reproduction } from './reproduce.ts';
import { matching, type RequestPattern } from './request-pattern.ts';

export interface Journal {
  /** The number of the next exchange. */
  next(): number;
  record(exchange: Exchange): void;
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

export const journalLimits: JournalLimits = { entries: 1000, bytes: 32_000_000, bytesOfAll: 128_000_000 };

/** The journals of a mock. Beyond a limit the oldest entries are dropped. */
export interface Journals {
  /** Bytes of all entries. */
  readonly bytes: number;
  open(session: string): Journal;
}

/** The exchanges of one session, oldest first, with consecutive numbers. */
interface Log {
  readonly kept: Kept[];
  bytes: number;
}

/** An exchange as it came. It is parsed, and secrets removed, only when it is read. */
interface Kept {
  readonly id: number;
  readonly exchange: Exchange;
  readonly bytes: number;
  readonly log: Log;
}

export function createJournals(limits: JournalLimits = journalLimits): Journals {
  /** The exchanges of all sessions, oldest first. */
  const all = new Set<Kept>();
  let bytes = 0;

  const drop = (oldest: Kept | undefined): void => {
    if (!oldest) return;
    const { log } = oldest;
    log.kept.shift();
    log.bytes -= oldest.bytes;
    bytes -= oldest.bytes;
    all.delete(oldest);
  };
  const keep = (log: Log, id: number, exchange: Exchange): void => {
    const kept = { id, exchange, bytes: sizeOf(exchange), log };
    log.kept.push(kept);
    log.bytes += kept.bytes;
    bytes += kept.bytes;
    all.add(kept);
    while (log.kept.length > limits.entries || log.bytes > limits.bytes) drop(log.kept[0]);
    while (bytes > limits.bytesOfAll) drop(all.values().next().value);
  };

  return {
    get bytes() {
      return bytes;
    },
    open: (session) => openJournal(session, keep, drop),
  };
}

function openJournal(
  session: string,
  keep: (log: Log, id: number, exchange: Exchange) => void,
  drop: (oldest: Kept | undefined) => void,
): Journal {
  const log: Log = { kept: [], bytes: 0 };
  const listeners = new Set<(entry: JournalEntry) => void>();
  let next = 1;
  /** The number of the last entry before the journal was cleared. */
  let cleared = 0;

  const read = ({ id, exchange }: Kept): JournalEntry => readable(id, session, exchange);
  const find = (id: number): Kept | undefined => log.kept[id - (log.kept[0]?.id ?? next)];
  const entries = ({ endpoint, after = 0, ...rest }: RequestPattern = {}): readonly JournalEntry[] => {
    // These are known at no cost; reading an entry is not free.
    const possible = log.kept.filter(
      ({ id, exchange }) => id > after && (endpoint === undefined || exchange.endpoint === endpoint),
    );
    return matching(possible.map(read), rest);
  };
  return {
    next: () => next,
    record(exchange) {
      const id = next++;
      keep(log, id, exchange);
      for (const listener of listeners) notify(listener, id, exchange);
    },
    entries,
    entry(id) {
      const found = find(id);
      return found && read(found);
    },
    reproduction(id) {
      const found = find(id);
      return found && reproduce(found.exchange);
    },
    count: (pattern) => (pattern === undefined ? log.kept.length : entries(pattern).length),
    clear() {
      while (log.kept.length > 0) drop(log.kept[0]);
      cleared = next - 1;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    dropped: (after = 0) => Math.max(0, (log.kept[0]?.id ?? next) - 1 - Math.max(cleared, after)),
  };

  /** A listener that fails affects neither the request nor the other listeners. */
  function notify(listener: (entry: JournalEntry) => void, id: number, exchange: Exchange): void {
    try {
      listener(readable(id, session, exchange));
    } catch (error) {
      reportFailure(exchange.request.method, exchange.request.target, error);
    }
  }
}

/** What an entry takes besides its texts, in bytes. */
const OVERHEAD = 1000;

/** About the bytes of an exchange. */
function sizeOf({ request, wire }: Exchange): number {
  let size = OVERHEAD + request.target.length + (request.body?.length ?? 0) + wire.body.length;
  for (const value of Object.values(request.headers)) size += value?.length ?? 0;
  return size;
}

/** Says how dropped entries make an answer about past requests doubtful; `undefined` if there are none. */
export function doubtAfter(dropped: number): string | undefined {
  if (dropped === 0) return undefined;
  const entries = dropped === 1 ? '1 entry was' : `${dropped} entries were`;
  return `${entries} dropped to make room, the oldest first. Clear the journal before the requests that you look for, or ask only for those after a number.`;
}
