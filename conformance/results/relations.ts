import { mayBeClockChange } from './timestamps.ts';
import type { Row, Walk } from './walk.ts';
import { within, type Span } from './windows.ts';

/** A result that came twice in one walk. */
export interface Repeat {
  readonly row: Row;
  readonly firstPage: number;
  readonly page: number;
  readonly index: number;
}

/** The first result that a walk shows twice (section 4.5: a cursor that repeats results does not paginate). */
export function firstRepeat(walked: Walk): Repeat | undefined {
  const pageOf = new Map<string, number>();
  for (const [page, { rows }] of walked.pages.entries())
    for (const [index, row] of rows.entries()) {
      const firstPage = pageOf.get(row.id);
      if (firstPage !== undefined) return { row, firstPage, page, index };
      pageOf.set(row.id, page);
    }
  return undefined;
}

/** Two neighbours of which the earlier in the list was created before the later. */
export interface Disorder {
  readonly earlier: Row;
  readonly later: Row;
  readonly page: number;
  /** The position of `later` on its page. */
  readonly index: number;
}

/** Whether `later`, which follows `earlier` in a list, is newer than it; false where a time is unknown. */
function isNewer(later: Row, earlier: Row): boolean {
  if (!later.at || !earlier.at) return false;
  return later.at.ms > earlier.at.ms && !mayBeClockChange(earlier.at, later.at);
}

/** The first pair of neighbours within a page that is not in descending order of creation. */
export function disorderWithinPages(walked: Walk): Disorder | undefined {
  for (const [page, { rows }] of walked.pages.entries())
    for (const [i, later] of rows.entries()) {
      const earlier = rows[i - 1];
      if (earlier && isNewer(later, earlier)) return { earlier, later, page, index: i };
    }
  return undefined;
}

/**
 * The first page that begins with a result newer than the one with which the page before ended. Pages that repeat
 * results, or show what arrived since `known` was read, are passed over: a cursor that starts over is another fact.
 */
export function disorderBetweenPages(walked: Walk, known: Walk): Disorder | undefined {
  const newest = Math.max(...known.rows.map(({ at }) => at?.ms ?? -Infinity));
  const seen = new Set<string>();
  let earlier: Row | undefined;
  for (const [page, { rows }] of walked.pages.entries()) {
    const later = rows[0];
    const continues =
      later !== undefined &&
      !rows.some(({ id }) => seen.has(id)) &&
      (known.place.has(later.id) || (later.at?.ms ?? -Infinity) < newest);
    if (earlier && continues && isNewer(later, earlier)) return { earlier, later, page, index: 0 };
    for (const { id } of rows) seen.add(id);
    earlier = rows.at(-1) ?? earlier;
  }
  return undefined;
}

/** In what two readings of one list disagree. */
export type Difference =
  | { readonly kind: 'missing'; readonly row: Row }
  | { readonly kind: 'extra'; readonly row: Row }
  | { readonly kind: 'order'; readonly first: Row; readonly second: Row };

/**
 * Everything in which two readings of a list disagree, `earlier` having been begun before `later`. Not held against
 * either: results that arrived at the head in between, results of equal `createdAt` that change places, and what lies
 * beyond the end of a reading that was broken off.
 */
export function differences(earlier: Walk, later: Walk): readonly Difference[] {
  const found: Difference[] = [];
  const arrived = later.rows.findIndex(({ id }) => earlier.place.has(id));
  const rows = arrived < 0 ? [] : later.rows.slice(arrived);

  const earlierEnded = earlier.end === 'null' || earlier.end === 'empty-pages';
  const laterEnded = later.end === 'null' || later.end === 'empty-pages';
  const common = rows.filter(({ id }) => earlier.place.has(id));
  const lastCommon = common.reduce((last, { id }) => Math.max(last, earlier.place.get(id) ?? -1), -1);
  const edge = laterEnded ? undefined : later.rows.at(-1)?.at?.ms;
  const upTo = laterEnded || isAnotherList(earlier, later, common) ? earlier.rows.length : lastCommon + 1;
  for (const row of earlier.rows.slice(0, upTo))
    if (!later.place.has(row.id) && (edge === undefined || row.at?.ms !== edge)) found.push({ kind: 'missing', row });

  const lastKnown = rows.findLastIndex(({ id }) => earlier.place.has(id));
  const extraUpTo = earlierEnded ? rows.length : lastKnown + 1;
  const earlierEdge = earlierEnded ? undefined : earlier.rows.at(-1)?.at?.ms;
  for (const row of rows.slice(0, extraUpTo))
    if (!earlier.place.has(row.id) && (earlierEdge === undefined || row.at?.ms !== earlierEdge))
      found.push({ kind: 'extra', row });

  for (const [i, second] of common.entries()) {
    const first = common[i - 1];
    if (!first || (earlier.place.get(first.id) ?? 0) < (earlier.place.get(second.id) ?? 0)) continue;
    const tied = first.at !== undefined && second.at !== undefined && first.at.ms === second.at.ms;
    if (!tied) found.push({ kind: 'order', first, second });
  }
  return found;
}

/** Whether two readings share nothing although the later went back beyond the head of the earlier. */
function isAnotherList(earlier: Walk, later: Walk, common: readonly Row[]): boolean {
  const newest = earlier.rows[0]?.at?.ms;
  const oldest = later.rows.at(-1)?.at?.ms;
  return common.length === 0 && newest !== undefined && oldest !== undefined && oldest < newest;
}

/** The instants between the oldest and the newest result of each page, with the pages in between left out. */
interface Coverage {
  readonly pages: readonly Span[];
  readonly gaps: readonly Span[];
  readonly whole: Span | undefined;
}

function coverageOf(walked: Walk): Coverage {
  const pages = walked.pages.flatMap(({ rows }): Span[] => {
    const times = rows.flatMap(({ at }) => (at ? [at.ms] : []));
    return times.length === 0 ? [] : [{ from: Math.min(...times), to: Math.max(...times) }];
  });
  const gaps = pages.flatMap((page, i): Span[] => {
    const before = pages[i - 1];
    if (!before) return [];
    if (page.to <= before.from) return [{ from: page.to, to: before.from }];
    return page.from >= before.to ? [{ from: before.to, to: page.from }] : [];
  });
  const whole =
    pages.length === 0
      ? undefined
      : { from: Math.min(...pages.map(({ from }) => from)), to: Math.max(...pages.map(({ to }) => to)) };
  return { pages, gaps, whole };
}

/**
 * Results of `other` that `walked` must show and does not: those that lie between two results of one of its pages, and,
 * where it was read to its end, those inside `certain`. What lies between two pages is left alone, since what a cursor
 * loses is another fact; so is what may have arrived after the head of `walked` was read.
 */
export function lostFrom(walked: Walk, other: Walk, certain: Span): readonly Row[] {
  const { pages, gaps, whole } = coverageOf(walked);
  const ended = walked.end === 'null';
  const mayHaveArrived = other.headRead > walked.begun;
  return other.rows.filter(({ id, at }) => {
    if (!at || walked.place.has(id)) return false;
    const { ms } = at;
    if (pages.some(({ from, to }) => ms > from && ms < to)) return true;
    if (!ended || !within(ms, certain)) return false;
    if (mayHaveArrived && (!whole || ms >= whole.to)) return false;
    return !gaps.some(({ from, to }) => ms >= from && ms <= to) && !(whole && (ms === whole.from || ms === whole.to));
  });
}
