import { bytesOf } from '../../text/curl.ts';
import { tellFailure } from '../hosts/sendable.ts';
import { createJournalBudget, sizeOf, type JournalBudget, type KeptAnswer, type SharedText } from './journal-budget.ts';
import { readable, type Exchange, type JournalEntry, type KeptExchange } from './journal-entry.ts';
import { reproduce, type Reproduction } from './reproduce.ts';
import { matching, type RequestPattern } from './request-pattern.ts';

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

/** What an entry costs beside its texts, in bytes. */
const ENTRY = 200;

/** An exchange in little room: what entries have in common is there once. */
interface Kept {
  readonly id: number;
  readonly at: number;
  readonly endpoint: Exchange['endpoint'];
  readonly agentId: string;
  readonly oversize: boolean;
  readonly target: SharedText;
  /** JSON of the method and the headers. */
  readonly asked: SharedText;
  /** JSON of all that was answered, but for the body. */
  readonly answered: SharedText;
  /** Each byte as a character; `dropped` after it was. */
  body: SharedText | 'none' | 'dropped';
  readonly answer: KeptAnswer;
}

/** A ring of the latest exchanges. What it keeps is made readable, and secrets taken out, only when somebody reads it. */
export function createJournal(
  session: string,
  most: number = MOST_ENTRIES,
  budget: JournalBudget = createJournalBudget(),
): Journal {
  let kept: Kept[] = [];
  /** Entries before this place were dropped; they are cut off now and then, not one by one. */
  let first = 0;
  /** No entry before this place has a body that could be dropped. */
  let bodies = 0;
  let bytes = 0;
  let next = 1;
  /** The number of the last entry before the journal was cleared. */
  let cleared = 0;
  const listeners = new Set<(entry: JournalEntry) => void>();

  const give = (shared: SharedText): void => {
    bytes -= sizeOf(shared.text);
    budget.release(shared);
  };
  const dropEntry = (): void => {
    const entry = kept[first];
    if (!entry) return;
    for (const shared of textsOf(entry)) give(shared);
    bytes -= ENTRY;
    budget.hold(-ENTRY);
    first++;
    bodies = Math.max(bodies, first);
    if (first * 2 < kept.length) return;
    kept = kept.slice(first);
    bodies -= first;
    first = 0;
  };
  const spender = {
    get bytes() {
      return bytes;
    },
    dropOldest() {
      while (bodies < kept.length && typeof kept[bodies]?.body === 'string') bodies++;
      const { [bodies]: entry } = kept;
      if (!entry || typeof entry.body === 'string') return dropEntry();
      give(entry.body);
      entry.body = 'dropped';
    },
  };

  const alive = (): readonly Kept[] => (first === 0 ? kept : kept.slice(first));
  const oldest = (): number => kept[first]?.id ?? next;
  const find = (id: number): Kept | undefined => (id < oldest() ? undefined : kept[first + id - oldest()]);
  const read = (entry: Kept): JournalEntry => readable(entry.id, session, exchangeOf(entry));
  /** A listener that fails harms neither the request nor the other listeners. */
  const tell = ({ id }: Kept, exchange: Exchange): void => {
    if (listeners.size === 0) return;
    for (const listener of listeners)
      try {
        listener(readable(id, session, exchange));
      } catch (error) {
        tellFailure(exchange.request.method, exchange.request.target, error);
      }
  };
  const entries = (pattern?: RequestPattern): readonly JournalEntry[] => {
    if (pattern === undefined) return alive().map(read);
    const { endpoint, after = 0 } = pattern;
    // These cost nothing to know; to read an entry does.
    const possible = alive().filter((one) => one.id > after && (endpoint === undefined || one.endpoint === endpoint));
    return matching(possible.map(read), pattern);
  };

  return {
    get next() {
      return next;
    },
    record(exchange) {
      const entry = keep(exchange, next++, budget);
      kept.push(entry);
      bytes += textsOf(entry).reduce((sum, { text }) => sum + sizeOf(text), ENTRY);
      budget.hold(ENTRY);
      if (kept.length - first > most) dropEntry();
      budget.settle(spender);
      tell(entry, exchange);
    },
    entries,
    entry(id) {
      const found = find(id);
      return found && read(found);
    },
    reproduction(id) {
      const found = find(id);
      if (!found) return undefined;
      return found.body === 'dropped' ? { curl: null, test: null } : reproduce(exchangeOf(found));
    },
    count: (pattern) => (pattern === undefined ? kept.length - first : entries(pattern).length),
    clear() {
      while (first < kept.length) dropEntry();
      budget.settle(spender);
      cleared = next - 1;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get dropped() {
      return oldest() - 1 - cleared;
    },
    shortfall({ body, ...rest } = {}) {
      return {
        entries: Math.max(0, oldest() - 1 - Math.max(cleared, rest.after ?? 0)),
        bodies: body === undefined ? 0 : entries(rest).filter(({ dropped }) => dropped.includes('body')).length,
      };
    },
  };
}

function keep(exchange: Exchange, id: number, budget: JournalBudget): Kept {
  const { request, endpoint, agentId, wire, at, warnings, applied, plan } = exchange;
  const { status, headers, delivery } = wire;
  const { method, target, body } = request;
  return {
    id,
    at,
    endpoint,
    agentId,
    oversize: request.oversize === true,
    target: budget.share(target),
    asked: budget.share(JSON.stringify([method, request.headers])),
    answered: budget.share(JSON.stringify({ wire: { status, headers, delivery }, warnings, applied, plan })),
    body: body === undefined ? 'none' : budget.share(bytesOf(body)),
    answer: budget.answer(wire.body),
  };
}

const textsOf = ({ target, asked, answered, body }: Kept): readonly SharedText[] => [
  target,
  asked,
  answered,
  ...(typeof body === 'string' ? [] : [body]),
];

function exchangeOf({ at, endpoint, agentId, oversize, target, asked, answered, body, answer }: Kept): KeptExchange {
  const [method, headers] = JSON.parse(asked.text) as [string, Record<string, string>];
  const { wire, ...more } = JSON.parse(answered.text) as Pick<KeptExchange, 'warnings' | 'applied' | 'plan'> & {
    readonly wire: Omit<KeptExchange['wire'], 'body'>;
  };
  return {
    request: {
      method,
      target: target.text,
      headers,
      ...(typeof body === 'string' ? {} : { body: Uint8Array.from(body.text, (byte) => byte.charCodeAt(0)) }),
      ...(oversize ? { oversize } : {}),
    },
    isBodyDropped: body === 'dropped',
    endpoint,
    agentId,
    wire: { ...wire, body: answer.text },
    at,
    ...more,
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
