import { timeFilters } from '../../spec/index.ts';
import { reasons } from '../../conformance/foreign/met.ts';
import { visible } from '../../conformance/report/redact.ts';
import { parseUrl } from '../../text/parse-url.ts';
import type { Clean } from '../clean.ts';
import type { Passed } from '../inspect.ts';

/** One exchange in the live list. It contains no credential. */
export interface Entry {
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
  readonly why?: string;
  /** The number of exchanges before it that were neither judged nor listed. */
  readonly unlisted?: number;
  /** All of that in a few words. */
  readonly says: string;
}

/** The latest exchanges that passed. */
export interface Traffic {
  add(passed: Passed): void;
  /** The number of exchanges so far. */
  readonly count: number;
  /** The entries after number `n`, the oldest first. */
  after(n: number): readonly Entry[];
  /** Calls the listener after new traffic, at most a few times a second, until you call the returned function. */
  subscribe(listener: () => void): () => void;
}

const MOST = 500;
/** Under load, at most one unjudged exchange is listed in so many milliseconds, since listing each would slow all down. */
const UNJUDGED_GAP_MS = 20;
const MAX_TEXT = 300;
const MAX_WRONG = 5;
const PAUSE_MS = 250;
const SHOWN: ReadonlySet<string> = new Set(['limit', 'timeFilter', 'timeZone', 'start', 'end', 'interval']);

export function createTraffic(clean: Clean): Traffic {
  const kept: Kept[] = [];
  const listeners = createListeners();
  let count = 0;
  let skipped = 0;
  let unjudgedAt = -Infinity;

  return {
    get count() {
      return count;
    },
    add({ met: { method, url, status, sentAt, answeredAt }, found }) {
      count++;
      if (found === 'not-judged') {
        if (answeredAt < unjudgedAt + UNJUDGED_GAP_MS) return void skipped++;
        unjudgedAt = answeredAt;
      }
      // Without its bodies.
      kept.push({ n: count, unlisted: skipped, passed: { met: { method, url, status, sentAt, answeredAt }, found } });
      skipped = 0;
      if (kept.length > 2 * MOST) kept.splice(0, MOST);
      listeners.notify();
    },
    after: (n) =>
      kept
        .slice(-MOST)
        .filter((one) => one.n > n)
        .map((one) => entryOf(one, clean)),
    subscribe: listeners.subscribe,
  };
}

/** Calls listeners at most once in {@link PAUSE_MS}. */
function createListeners(): { readonly notify: () => void; readonly subscribe: Traffic['subscribe'] } {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  return {
    notify() {
      if (listeners.size === 0) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const listener of listeners) listener();
      }, PAUSE_MS);
      timer.unref();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function wordsOf({ wrong, why, unlisted }: Pick<Entry, 'wrong' | 'why' | 'unlisted'>): string {
  const verdict =
    wrong.length > 0 ? wrong.join(' · ') : why === undefined ? 'judged' : `left out: such exchanges ${why}`;
  return unlisted === undefined ? verdict : `${verdict} (and ${unlisted} unjudged before it)`;
}

interface Kept {
  readonly n: number;
  readonly unlisted: number;
  readonly passed: Passed;
}

function entryOf({ n, unlisted, passed: { met, found } }: Kept, clean: Clean): Entry {
  const shown = (text: string): string => visible(text).slice(0, MAX_TEXT);
  const findings = typeof found === 'string' ? [] : found.slice(0, MAX_WRONG);
  const judged = {
    wrong: findings.map(({ at = '', expected, actual }) =>
      shown(clean.sentence(`${at === '' ? '' : `${at}: `}expected ${expected}; met ${actual}`)),
    ),
    ...(typeof found === 'string' ? { why: reasons[found] } : {}),
    ...(unlisted === 0 ? {} : { unlisted }),
  };
  return {
    n,
    at: new Date(met.sentAt).toISOString(),
    method: shown(clean.text(met.method)),
    path: shown(clean.text(pathOf(met.url))),
    status: met.status,
    took: Math.max(0, Math.round(met.answeredAt - met.sentAt)),
    ...judged,
    says: wordsOf(judged),
  };
}

/** Hides values of other parameters, which may be credentials. */
function pathOf(text: string): string {
  const url = parseUrl(text);
  if (!url) return '';
  const parameters = [...url.searchParams].map(([name, value]) => {
    const isPlain = SHOWN.has(name) && (name !== 'timeFilter' || timeFilters.some((one) => one === value));
    return isPlain ? `${name}=${value}` : `${name}=…`;
  });
  return url.pathname + (parameters.length === 0 ? '' : `?${parameters.join('&')}`);
}
