import { tellFailure } from '../sendable.ts';
import { readable, type Exchange, type JournalEntry } from './journal-entry.ts';
import { matching, type RequestPattern } from './request-pattern.ts';

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
  /** A listener that fails harms neither the request nor the other listeners. */
  const tell = (entry: Kept): void => {
    for (const listener of listeners)
      try {
        listener(read(entry));
      } catch (error) {
        tellFailure(entry.exchange.request.method, entry.exchange.request.target, error);
      }
  };
  const entries = (pattern?: RequestPattern): readonly JournalEntry[] => {
    const all = alive().map(read);
    return pattern === undefined ? all : matching(all, pattern);
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
      tell(entry);
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
