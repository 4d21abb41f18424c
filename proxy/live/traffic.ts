import { timeFilters } from '../../spec/index.ts';
import { reasons } from '../../conformance/foreign/foreign-exchange.ts';
import type { HttpExchange } from '../../http/exchange.ts';
import { visible } from '../../conformance/report/redact.ts';
import { parseUrl } from '../../text/parse-url.ts';
import type { Clean } from '../clean.ts';
import type { Passed } from '../inspect.ts';

/** One exchange in the list of what passed. It contains no credential. */
export interface PassedEntry {
  readonly n: number;
  /** RFC 3339. */
  readonly at: string;
  readonly method: string;
  /** With the values of documented query parameters only. */
  readonly path: string;
  /** 0 if there was no answer. */
  readonly status: number;
  /** Milliseconds. */
  readonly took: number;
  /** What is wrong with its answer. */
  readonly wrong: readonly string[];
  /** Why it was not judged. */
  readonly why?: string | undefined;
  /** The number of exchanges before it that were neither judged nor listed. */
  readonly unlisted?: number | undefined;
}

export type Traffic = ReturnType<typeof createTraffic>;

const MOST = 500;
/** Under load, at most one unjudged exchange is listed in so many milliseconds, since listing each would slow all down. */
const UNJUDGED_GAP_MS = 20;
const MAX_TEXT = 300;
const MAX_WRONG = 5;
const PAUSE_MS = 250;
const SHOWN: ReadonlySet<string> = new Set(['limit', 'timeFilter', 'timeZone', 'start', 'end', 'interval']);

/** The latest exchanges that passed. */
export function createTraffic(clean: Clean) {
  const listed: Listed[] = [];
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let count = 0;
  let skipped = 0;
  let unjudgedAt = -Infinity;

  function notify(): void {
    timer = undefined;
    for (const listener of listeners) listener();
  }

  return {
    /** The number of exchanges so far. */
    get count(): number {
      return count;
    },
    add({ exchange, found }: Passed): void {
      count++;
      if (found === 'not-judged') {
        if (exchange.answeredAt < unjudgedAt + UNJUDGED_GAP_MS) return void skipped++;
        unjudgedAt = exchange.answeredAt;
      }
      listed.push({ n: count, unlisted: skipped || undefined, exchange: withoutBodies(exchange), found });
      skipped = 0;
      if (listed.length > 2 * MOST) listed.splice(0, MOST);
      if (listeners.size > 0) timer ??= setTimeout(notify, PAUSE_MS).unref();
    },
    /** The entries after number `n`, the oldest first. */
    after: (n: number): readonly PassedEntry[] =>
      listed
        .slice(-MOST)
        .filter((item) => item.n > n)
        .map((item) => entryOf(item, clean)),
    /** Calls the listener after new traffic, at most a few times a second, until you call the returned function. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface Listed extends Passed {
  readonly n: number;
  readonly unlisted: number | undefined;
}

function withoutBodies({ request: { method, url }, answer, sentAt, answeredAt }: HttpExchange): HttpExchange {
  const bare = answer && { status: answer.status, headers: {} };
  return { request: { method, url, headers: {} }, answer: bare, sentAt, answeredAt };
}

function entryOf({ n, unlisted, exchange, found }: Listed, clean: Clean): PassedEntry {
  const cut = (text: string): string => visible(text).slice(0, MAX_TEXT);
  const { request, answer, sentAt, answeredAt } = exchange;
  const isLeftOut = typeof found === 'string';
  const findings = isLeftOut ? [] : found.slice(0, MAX_WRONG);
  return {
    n,
    at: new Date(sentAt).toISOString(),
    method: cut(clean.text(request.method)),
    path: cut(clean.text(pathOf(request.url))),
    status: answer?.status ?? 0,
    took: Math.max(0, Math.round(answeredAt - sentAt)),
    wrong: findings.map(({ at, expected, actual }) => {
      const place = at ? `${at}: ` : '';
      return cut(clean.sentence(`${place}expected ${expected}; met ${actual}`));
    }),
    why: isLeftOut ? reasons[found] : undefined,
    unlisted,
  };
}

/** Hides values of other parameters, which may be credentials. */
function pathOf(text: string): string {
  const url = parseUrl(text);
  if (!url) return '';
  const parameters = [...url.searchParams].map(([name, value]) => {
    const isPlain = SHOWN.has(name) && (name !== 'timeFilter' || timeFilters.some((filter) => filter === value));
    return `${name}=${isPlain ? value : '…'}`;
  });
  const search = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
  return url.pathname + search;
}
