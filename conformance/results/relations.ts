import { hasEnded, type List, type ListedPage } from '../history/facts/lists.ts';
import type { Page, Row } from './page.ts';
import { mayBeClockChange } from './timestamps.ts';

/** Two neighbours of which the earlier in the list was created before the later. */
export interface Disorder {
  readonly earlier: Row;
  readonly later: Row;
  /** The pages on which they stand, and the position of `later` on its own. */
  readonly pages: readonly [number, number];
  readonly index: number;
}

/** Whether `later`, which follows `earlier` in a list, is newer than it; false if a time is unknown. */
function isNewer(later: Row, earlier: Row): boolean {
  if (!later.at || !earlier.at) return false;
  return later.at.ms > earlier.at.ms && !mayBeClockChange(earlier.at, later.at);
}

/**
 * The first result of a page that is newer than the one before it, be that on the page or the last of the pages before.
 * A page that shows again what came before, or begins with something newer than the head of its list, starts over: that
 * is another fact.
 */
export function disorderOn(list: List, page: number): Disorder | undefined {
  const { rows = [] } = list.pages[page] ?? {};
  for (const [index, later] of rows.entries()) {
    const earlier = rows[index - 1];
    if (earlier && isNewer(later, earlier)) return { earlier, later, pages: [page, page], index };
  }
  const [later] = rows;
  const before = list.pages.findLastIndex((one, i) => i < page && one.rows.length > 0);
  const earlier = list.pages[before]?.rows.at(-1);
  if (!later || !earlier || !isNewer(later, earlier) || startsOver(list.pages[page])) return undefined;
  return { earlier, later, pages: [before, page], index: 0 };
}

const startsOver = (page: ListedPage | undefined): boolean =>
  page !== undefined &&
  (page.repeat !== undefined ||
    (page.newestBefore > -Infinity && (page.rows[0]?.at?.ms ?? -Infinity) > page.newestBefore));

/** The page of a list on which a result stands first. */
export const pageOf = ({ pages }: List, id: string): number =>
  pages.findIndex(({ rows }) => rows.some((row) => row.id === id));

/** Whether a list keeps its order and shows nothing twice, so that what lies between its results is known. */
export const isOrderly = (list: List): boolean =>
  list.pages.every((page, number) => page.isWhole && !startsOver(page) && !disorderOn(list, number));

/** Where in a list a result would have to stand. */
export type Position = 'head' | 'inside' | 'between' | 'end' | 'beyond' | 'unknown';

/**
 * Where in an orderly list a result would stand: `inside` a page, `between` two of them, before the `head`, or at the
 * `end` of a list that has ended; `beyond` what was read of one that has not. Beside results of the same time it may
 * stand on either side.
 */
export function positionsIn(list: List): (row: Row) => Position {
  const spans = list.pages.flatMap(({ rows }) => spanOf(rows) ?? []);
  const [first, last] = [spans[0], spans.at(-1)];
  const after = hasEnded(list) ? 'end' : 'beyond';
  return ({ at }) => {
    if (!at) return hasEnded(list) ? 'unknown' : 'beyond';
    if (!first || !last) return after;
    if (at.ms > first.to || (at.ms === first.to && at.ms !== first.from)) return 'head';
    // Pages come one after the other: the first that begins no later than this holds it, or ends before it.
    const span = spans[bisect(spans.length, (n) => (spans[n]?.from ?? 0) < at.ms)];
    if (span) return at.ms < span.to ? 'inside' : 'between';
    return after;
  };
}

/** The first of `count` places for which `isPast` holds, or `count`; it holds for every place after one for which it does. */
function bisect(count: number, isPast: (n: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Pages are compared with those of many lists. */
const spans = new WeakMap<Page['rows'], Span | null>();

/** The oldest and the newest result of a page, in epoch milliseconds; null where one of their times is unknown. */
function spanOf(rows: Page['rows']): Span | null {
  const known = spans.get(rows);
  if (known !== undefined) return known;
  const times = rows.flatMap(({ at }) => (at ? [at.ms] : []));
  const isKnown = times.length === rows.length && times.length > 0;
  const span = isKnown ? { from: Math.min(...times), to: Math.max(...times) } : null;
  spans.set(rows, span);
  return span;
}
