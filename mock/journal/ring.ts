import { bytesOf } from '../../text/curl.ts';
import { sizeOf, type JournalBudget, type KeptAnswer, type SharedText } from './journal-budget.ts';
import type { Exchange, KeptExchange } from './journal-entry.ts';

/** The overhead of an entry, in bytes. */
const ENTRY = 200;

/** An exchange in compact form: values that entries have in common are shared. */
export interface Kept {
  readonly id: number;
  readonly at: number;
  readonly endpoint: Exchange['endpoint'];
  readonly agentId: string;
  readonly duration: number;
  /** Bytes of the body of the request. */
  readonly size: number;
  readonly oversize: boolean;
  readonly target: SharedText;
  /** JSON of the method and the headers. */
  readonly asked: SharedText;
  /** JSON of the answer without its body. */
  readonly answered: SharedText;
  /** Each byte as a character; `dropped` once it is dropped. */
  body: SharedText | 'none' | 'dropped';
  readonly answer: KeptAnswer;
}

/** The latest exchanges, limited in number and by a budget that many journals share. */
export interface Ring {
  readonly size: () => number;
  /** The number of the oldest entry, or of the next one if there is none. */
  readonly oldest: () => number;
  readonly next: () => number;
  push(exchange: Exchange): Kept;
  /** Oldest first. */
  all(): readonly Kept[];
  find(id: number): Kept | undefined;
  clear(): void;
}

export function createRing(most: number, budget: JournalBudget): Ring {
  const queue = createQueue();
  /** No entry before this number has a body that could be dropped. */
  let bodies = 1;
  let bytes = 0;
  let next = 1;

  const dropEntry = (): void => {
    const entry = queue.shift();
    if (!entry) return;
    bytes -= ownBytes(entry);
    for (const shared of textsOf(entry)) budget.release(shared);
    budget.hold(-ENTRY);
  };
  const spender = {
    bytes: () => bytes,
    dropOldest() {
      bodies = Math.max(bodies, queue.oldest() ?? next);
      while (typeof queue.find(bodies)?.body === 'string') bodies++;
      const entry = queue.find(bodies);
      if (!entry || typeof entry.body === 'string') return dropEntry();
      bytes -= sizeOf(entry.body.text);
      budget.release(entry.body);
      entry.body = 'dropped';
    },
  };

  return {
    size: queue.size,
    oldest: () => queue.oldest() ?? next,
    next: () => next,
    push(exchange) {
      const entry = keep(exchange, next++, budget);
      queue.push(entry);
      bytes += ownBytes(entry);
      budget.hold(ENTRY);
      if (queue.size() > most) dropEntry();
      budget.settle(spender);
      return entry;
    },
    all: queue.all,
    find: queue.find,
    clear() {
      while (queue.size() > 0) dropEntry();
      budget.settle(spender);
    },
  };
}

/** Entries with consecutive numbers, first in, first out. */
interface Queue {
  readonly size: () => number;
  /** The number of the oldest entry. */
  readonly oldest: () => number | undefined;
  readonly push: (entry: Kept) => void;
  readonly shift: () => Kept | undefined;
  readonly all: () => readonly Kept[];
  readonly find: (id: number) => Kept | undefined;
}

function createQueue(): Queue {
  let kept: Kept[] = [];
  /** Entries before this index are gone; the array is trimmed now and then. */
  let first = 0;
  return {
    size: () => kept.length - first,
    oldest: () => kept[first]?.id,
    push: (entry) => void kept.push(entry),
    shift() {
      const { [first]: entry } = kept;
      if (!entry) return undefined;
      first++;
      if (first * 2 >= kept.length) {
        kept = kept.slice(first);
        first = 0;
      }
      return entry;
    },
    all: () => (first === 0 ? kept : kept.slice(first)),
    find(id) {
      const oldest = kept[first]?.id ?? Infinity;
      return id < oldest ? undefined : kept[first + id - oldest];
    },
  };
}

function keep(exchange: Exchange, id: number, budget: JournalBudget): Kept {
  const { request, endpoint, agentId, wire, at, duration, warnings, applied, plan } = exchange;
  const { status, headers, cookies, encoding, delivery } = wire;
  const { method, target, body } = request;
  return {
    id,
    at,
    endpoint,
    agentId,
    duration,
    size: body?.length ?? 0,
    oversize: request.oversize === true,
    target: budget.share(target),
    asked: budget.share(JSON.stringify([method, request.headers])),
    answered: budget.share(
      JSON.stringify({ wire: { status, headers, cookies, encoding, delivery }, warnings, applied, plan }),
    ),
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

/** The bytes of an entry, as if it shared nothing. */
const ownBytes = (entry: Kept): number => textsOf(entry).reduce((sum, { text }) => sum + sizeOf(text), ENTRY);

/** What is still known of a kept exchange. */
export function exchangeOf({
  at,
  endpoint,
  agentId,
  duration,
  size,
  oversize,
  target,
  asked,
  answered,
  body,
  answer,
}: Kept): KeptExchange {
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
    sizes: { request: size, response: answer.size },
    at,
    duration,
    ...more,
  };
}
