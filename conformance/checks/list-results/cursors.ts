import { endpoints } from '../../../spec/index.ts';
import { MOST_KEPT, type Finding, type Judge } from '../../check.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { wordOf } from '../../history/facts/failures.ts';
import { hasEnded, type Broken, type List } from '../../history/facts/lists.ts';
import { describeQuery } from '../../history/facts/selection.ts';
import { queryValue, type Exchange, type Excerpt } from '../../http/exchange.ts';
import { EMPTY_PAGES } from '../../probes/walk.ts';
import { pageOf } from '../../results/relations.ts';
import { counted, show } from '../../show.ts';
import { compareSpans } from './filters/windows.ts';
import { excerptsOf, unreadableIn } from './pages.ts';

/** Judges that following nextCursor shows no result twice. */
export const judgeOnceEach = (): Judge => ({
  page({ page, list, index }, verdict) {
    if (index > 0 && page.rows.length > 0) verdict.judged++;
    const row = page.rows[page.repeat ?? -1];
    if (!row) return;
    const first = pageOf(list, row.id);
    verdict.findings.push({
      expected: `each result once (${describeQuery(list.query)})`,
      actual: `result ${show(row.id)} on page ${first + 1} and again on page ${index + 1}`,
      at: `/results/${page.repeat}`,
      exchanges: excerptsOf(list, first, index),
    });
  },
});

/** Judges that the cursor of a page is accepted, whatever other requests came in between. */
export function judgeCursors({ lists, listRefusals, excuses, policy: { freshCursorMs } }: Facts): Judge {
  const firstUses = freshCursorMs === undefined ? undefined : createFirstUses(freshCursorMs);

  function isBroken(list: List, brokenBy: Broken, elsewhere: ReadonlySet<Excerpt>): boolean {
    const { status, problem, ways, excerpt } = brokenBy;
    if (list.open || wordOf(status) !== 'refused' || elsewhere.has(excerpt)) return false;
    if (firstUses?.isFresh(list, excerpt) === false) return false;
    // Some servers accept a cursor beside the parameters of its list, others only alone. That is open.
    const isTriedInEveryWay = list.query.length === 0 || lists.isTakenBeside(list) || ways.size > 1;
    return isTriedInEveryWay && !(problem === 'an empty page' && lists.takenAlone.has(list.of));
  }

  return {
    see: (exchange) => firstUses?.see(exchange),
    unserved: (exchange) => firstUses?.see(exchange),
    page({ index }, verdict) {
      if (index > 0) verdict.judged++;
    },
    conclude(verdict) {
      const refusals = listRefusals.all();
      const others = refusals.filter(({ by, isUsed }) => by !== 'cursor' || isUsed);
      const elsewhere = new Set(others.map(({ excerpt }) => excerpt));
      const blamed = new Set<Excerpt>();
      for (const list of lists.all) {
        const { brokenBy, pages, query } = list;
        if (!brokenBy || !isBroken(list, brokenBy, elsewhere)) continue;
        blamed.add(brokenBy.excerpt);
        verdict.findings.push({
          expected: `the cursor of page ${pages.length} leads to the next page (${describeQuery(query)})`,
          actual: `the answer was ${brokenBy.status}`,
          exchanges: [...excerptsOf(list, pages.length - 1), brokenBy.excerpt],
        });
      }
      for (const { by, n, excerpt } of refusals)
        if (by === 'cursor' && !blamed.has(excerpt)) excuses.use('used-cursor', n);
    },
  };
}

function createFirstUses(freshMs: number) {
  const sent = new Set<string>();
  const refused = new Map<Excerpt, number>();
  return {
    see(exchange: Exchange): void {
      const { endpoint, answer, excerpt, sentAt } = exchange;
      const cursor = queryValue(exchange, 'cursor');
      if (endpoints[endpoint].does !== 'lists' || cursor === undefined || sent.size > MOST_KEPT * 10) return;
      const isRefused = answer && wordOf(answer.status) === 'refused';
      if (isRefused && !sent.has(cursor) && refused.size < MOST_KEPT) refused.set(excerpt, sentAt);
      sent.add(cursor);
    },
    isFresh({ pages }: List, refusal: Excerpt): boolean {
      const at = refused.get(refusal);
      return at !== undefined && at - (pages.at(-1)?.stamp.at ?? -Infinity) < freshMs;
    },
  };
}

/** Judges that nextCursor becomes null after the last result, and not before for callers with less access. */
export const judgeEnds = ({ lists }: Facts): Judge => ({
  conclude(verdict) {
    for (const [list, longer] of endedEarly(lists.all))
      verdict.findings.push({
        expected: `a cursor after ${counted(list.rows.length, 'result')} (${describeQuery(list.query)})`,
        actual: `null with the ${list.caller} token, and the same list goes on with another one`,
        at: '/nextCursor',
        exchanges: [...excerptsOf(longer, 0), ...excerptsOf(list, 0)],
      });
  },
  page({ list, index }, verdict) {
    if (list.open) return;
    if (hasEnded(list)) verdict.judged++;
    const endless = endlessIn(list);
    if (endless)
      verdict.findings.push({ ...endless, at: '/nextCursor', exchanges: excerptsOf(list, index - 1, index) });
  },
});

/**
 * Lists of callers with less access that end with a full first page, and lists that begin with the same results and go on. Such a
 * caller may see fewer results, but then not as many as were asked for, nor more in another list.
 */
function endedEarly(all: readonly List[]): readonly (readonly [List, List])[] {
  const ended = all.filter(({ open, caller, pages, rows, selection }) => {
    const isLess = caller === 'read' || caller === 'guest';
    return isLess && !open && pages.length === 1 && pages[0]?.nextCursor === null && rows.length === selection.limit;
  });
  return ended.flatMap((list) => {
    const isLimited = !all.some(({ of, rows }) => of === list.of && rows.length > list.rows.length);
    const longer = all.find(({ agentId, caller, selection, rows }) => {
      const isOfSame = agentId === list.agentId && caller === 'valid' && selection.key === list.selection.key;
      return isOfSame && rows.length > list.rows.length && list.rows.every(({ id }, i) => rows[i]?.id === id);
    });
    return longer === undefined || isLimited ? [] : [[list, longer] as const];
  });
}

/** A list that ends without null, or goes on with nothing new: two pages that it had shown, or several empty pages in a row. */
function endlessIn(list: List): Omit<Finding, 'exchanges'> | undefined {
  const { pages } = list;
  const expected = `nextCursor null after the last result (${describeQuery(list.query)})`;
  if (pages.at(-1)?.hasBlankCursor === true) return { expected, actual: 'the string ""' };
  if (hasEnded(list)) return undefined;
  if (pages.length > 2 && pages.slice(-2).every(({ rows, fresh }) => rows.length > 0 && fresh === 0))
    return { expected, actual: `the cursors loop back to an earlier page after ${counted(pages.length, 'page')}` };
  const empty = pages.slice(-EMPTY_PAGES - 1);
  if (empty.length > EMPTY_PAGES && empty.every((page) => page.count === 0))
    return { expected, actual: `a cursor on each of ${counted(empty.length, 'empty page')}` };
  return undefined;
}

/** Judges that a cursor keeps the filter of the list that it continues. */
export const judgeKeptFilters = (facts: Facts): Judge => ({
  conclude(verdict) {
    const [failed, held]: [number[], number[]] = [[], []];
    const { unfiltered, strays } = facts.derive(compareSpans);
    for (const list of facts.lists.all.filter(({ open, selection }) => !open && selection.span !== 'allTime'))
      for (const [index, page] of list.pages.entries()) {
        const stray = strays.get(list)?.[index];
        if (stray === null) held.push(page.n);
        if (index === 0 || stray === undefined) continue;
        verdict.judged++;
        if (stray === null || !unfiltered.has(list)) continue;
        failed.push(page.n);
        verdict.findings.push({
          expected: `on page ${index + 1} results of ${list.selection.span} (${describeQuery(list.query)})`,
          actual: `one of ${show(page.rows[stray]?.createdAt)}`,
          at: `/results/${stray}/createdAt`,
          exchanges: excerptsOf(list, index - 1, index),
        });
      }
    if (verdict.judged === 0) verdict.missing = unreadableIn(facts.lists.all);
    verdict.trace = { failed, held };
  },
});
