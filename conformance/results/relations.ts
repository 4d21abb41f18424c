import { bisect } from '../collections.ts';
import { hasEnded, type List, type ListedPage } from '../history/facts/lists.ts';
import type { Row } from '../history/facts/page.ts';
import { mayBeClockChange } from '../content/timestamps.ts';

/** Whether `later`, which follows `earlier` in a list, is newer than it; false if a time is unknown. */
function isNewer(later: Row, earlier: Row): boolean {
  if (!later.at || !earlier.at) return false;
  return later.at.ms > earlier.at.ms && !mayBeClockChange(earlier.at, later.at);
}

/**
 * The first result of a page that is newer than its predecessor, on this page or an earlier one. A page that repeats
 * earlier results starts over, which another check judges. So does one that begins with a result newer than the head of its
 * list, if a result comes again later. @returns both, their pages, and the index of `later` on its page.
 */
export function disorderOn(list: List, page: number) {
  const { rows = [] } = list.pages[page] ?? {};
  for (const [index, later] of rows.entries()) {
    const earlier = rows[index - 1];
    if (earlier && isNewer(later, earlier)) return { earlier, later, pages: [page, page], index };
  }
  const [later] = rows;
  const before = list.pages.findLastIndex((one, i) => i < page && one.rows.length > 0);
  const earlier = list.pages[before]?.rows.at(-1);
  const [here, ...following] = list.pages.slice(page);
  const isRepeat = here?.repeat !== undefined;
  const isNewest = here && beginsNewest(here) && following.some(({ repeat }) => repeat !== undefined);
  if (!later || !earlier || !isNewer(later, earlier) || isRepeat || isNewest) return undefined;
  return { earlier, later, pages: [before, page], index: 0 };
}

export const beginsNewest = ({ newestBefore, rows: [first] }: ListedPage): boolean =>
  newestBefore > -Infinity && (first?.at?.ms ?? -Infinity) > newestBefore;

/** The page on which a result first appears. */
export const pageOf = ({ pages }: List, id: string): number =>
  pages.findIndex(({ rows }) => rows.some((row) => row.id === id));

/** Whether a list is ordered and free of repeats, so that positions between its results are meaningful. */
export const isOrderly = (list: List): boolean =>
  list.pages.every((page, number) => page.isWhole && page.repeat === undefined && !disorderOn(list, number));

/** Where in a list a result would belong. */
export type Position = 'head' | 'inside' | 'between' | 'end' | 'beyond' | 'unknown';

/** Where a result would belong in an ordered list; on either side of one of the same time, `beyond` what was read. */
export function positionsIn(list: List): (row: Row) => Position {
  const spans = list.pages.flatMap(({ span }) => span ?? []);
  const [first, last] = [spans[0], spans.at(-1)];
  // The last result that was read may be out of order, and stand before ones that the next page shows, of the same time too.
  const end = hasEnded(list) ? -Infinity : (list.rows.at(-2)?.at?.ms ?? -Infinity);
  const after = hasEnded(list) ? 'end' : 'beyond';
  return ({ at }) => {
    if (!at) return hasEnded(list) ? 'unknown' : 'beyond';
    if (!first || !last) return after;
    if (at.ms > first.to || (at.ms === first.to && at.ms !== first.from)) return 'head';
    if (at.ms <= end) return 'beyond';
    // Pages are consecutive: the first page that begins no later than this time holds it, or ends before it.
    const span = spans[bisect(spans.length, (n) => (spans[n]?.from ?? 0) < at.ms)];
    if (!span) return after;
    return at.ms < span.to ? 'inside' : 'between';
  };
}
