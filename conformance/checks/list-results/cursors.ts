import { EMPTY_PAGES, defaults, filterWalks, readings, sizes } from '../../probes/lists.ts';
import type { Check, Finding } from '../../check.ts';
import type { Exchange, Kept } from '../../http/exchange.ts';
import type { List } from '../../history/facts/lists.ts';
import { hasEnded } from '../../history/facts/lists.ts';
import { pageOf } from '../../results/relations.ts';
import { describeQuery } from '../../history/facts/selection.ts';
import { count, show } from '../../show.ts';
import { NO_SECOND_PAGE, AGENT_WITH_RESULTS, createVerdict, keptOf } from './verdict-builder.ts';
import { strayOn } from './filters/windows.ts';
import { EXCUSED, createRefusals } from './refusals.ts';

const walks = [...readings, sizes, filterWalks, defaults];

export const onceEach: Check = {
  id: 'list-results-walk-once-each',
  title: 'Following nextCursor shows no result twice',
  endpoint: 'list-results',
  verifies: ['cursor-continues'],
  provenBy: ['page-boundary-repeats-result', 'cursor-starts-over'],
  probes: walks,
  judge({ lists }) {
    const verdict = createVerdict();
    return {
      see(exchange) {
        const placed = lists.placeOf(exchange);
        const page = placed?.list.pages[placed.index];
        if (!placed || !page) return;
        const { list, index: number } = placed;
        if (number > 0 && page.rows.length > 0) verdict.judged();
        const row = page.rows[page.repeat ?? -1];
        if (!row) return;
        const first = pageOf(list, row.id);
        verdict.found({
          expected: `each result once (${describeQuery(list.query)})`,
          actual: `result ${show(row.id)} on page ${first + 1} and again on page ${number + 1}`,
          at: `/results/${page.repeat}`,
          exchanges: keptOf(list, first, number),
        });
      },
      verdict: () => verdict.verdict(NO_SECOND_PAGE),
    };
  },
};

export const cursorLeadsOn: Check = {
  id: 'list-results-cursor-leads-on',
  title: 'The cursor of a page is accepted, whatever other requests came in between',
  endpoint: 'list-results',
  verifies: ['cursor-continues'],
  provenBy: ['second-list-ends-first'],
  probes: walks,
  judge({ lists, isForeign }) {
    const verdict = createVerdict();
    const refusals = createRefusals();
    const fresh = createFresh();
    return {
      see(exchange) {
        refusals.see(exchange);
        if (isForeign === true) fresh.see(exchange);
        const placed = lists.placeOf(exchange);
        if (placed && placed.index > 0) verdict.judged();
      },
      verdict() {
        const elsewhere = new Set(refusals.all().flatMap(({ by, kept }) => (by === 'cursor' ? [] : [kept])));
        for (const list of lists.all) {
          const { brokenBy } = list;
          if (
            !brokenBy ||
            list.open ||
            EXCUSED.has(brokenBy.status) ||
            !isTriedInEveryWay(list) ||
            elsewhere.has(brokenBy.kept)
          )
            continue;
          if (isForeign === true && !fresh.has(list, brokenBy.kept)) continue;
          if (brokenBy.status < 300 || (brokenBy.problem === 'an empty page' && lists.isTakenAlone(list.of))) continue;
          verdict.found({
            expected: `the cursor of page ${list.pages.length} leads to the next page (${describeQuery(list.query)})`,
            actual: `the answer was ${brokenBy.status}`,
            exchanges: [...keptOf(list, list.pages.length - 1), brokenBy.kept],
          });
        }
        return verdict.verdict(NO_SECOND_PAGE);
      },
    };
  },
};

/** A cursor cannot expire within this time. */
const FRESH_MS = 10_000;
const MAX_FRESH = 1_000;

/** Foreign cursors that were refused at their first use, soon after they were issued. */
function createFresh(): {
  see(exchange: Exchange): void;
  has(list: List, refusal: Kept): boolean;
} {
  const sent = new Set<string>();
  const refused = new Map<Kept, number>();
  return {
    see({ endpoint, query, answer, kept, sentAt }) {
      const cursor = query.find(([name]) => name === 'cursor')?.[1];
      if (endpoint !== 'list-results' || cursor === undefined || sent.size > MAX_FRESH * 10) return;
      if (answer?.accepted === false && !sent.has(cursor) && answer.status < 500 && refused.size < MAX_FRESH)
        refused.set(kept, sentAt);
      sent.add(cursor);
    },
    has({ pages }, refusal) {
      const at = refused.get(refusal);
      return at !== undefined && at - (pages.at(-1)?.stamp.at ?? -Infinity) < FRESH_MS;
    },
  };
}

/**
 * Some servers accept a cursor beside the parameters of its list, others only alone. The specification leaves that
 * open.
 */
const isTriedInEveryWay = ({ query, brokenBy }: List): boolean =>
  query.length === 0 || (brokenBy?.ways.has('alone') === true && brokenBy.ways.has('beside'));

export const walkEnds: Check = {
  id: 'list-results-walk-ends',
  title: 'After the last result nextCursor becomes null',
  endpoint: 'list-results',
  verifies: ['walk-ends'],
  provenBy: ['next-cursor-never-null'],
  alsoFailsOn: ['cursor-starts-over'],
  probes: walks,
  judge({ lists }) {
    const verdict = createVerdict();
    return {
      see(exchange) {
        const placed = lists.placeOf(exchange);
        if (!placed || placed.list.open) return;
        const { list } = placed;
        if (list.pages.at(-1)?.nextCursor === null) verdict.judged();
        const endless = endlessIn(list);
        if (endless)
          verdict.found({ ...endless, at: '/nextCursor', exchanges: keptOf(list, placed.index - 1, placed.index) });
      },
      verdict: () =>
        verdict.verdict({
          reason: 'No list was read to its end.',
          supply: '--agent-id of an agent with fewer results',
        }),
    };
  },
};

/** A list that goes on without anything new: two pages that it had shown before, or several empty pages in a row. */
function endlessIn(list: List): Omit<Finding, 'exchanges'> | undefined {
  const { pages } = list;
  if (hasEnded(list)) return undefined;
  const expected = `nextCursor null after the last result (${describeQuery(list.query)})`;
  if (pages.length > 2 && pages.slice(-2).every(({ rows, fresh }) => rows.length > 0 && fresh === 0))
    return {
      expected,
      actual: `the cursors loop back to an earlier page after ${count(pages.length, 'page')}`,
    };
  const empty = pages.slice(-EMPTY_PAGES - 1);
  if (empty.length > EMPTY_PAGES && empty.every((page) => page.count === 0))
    return { expected, actual: `a cursor on each of ${count(empty.length, 'empty page')}` };
  return undefined;
}

export const cursorKeepsFilter: Check = {
  id: 'list-results-cursor-keeps-filter',
  title: 'A cursor keeps the filter of the list that it continues, even if that list names no filter',
  endpoint: 'list-results',
  verifies: ['cursor-keeps-selection'],
  provenBy: ['cursor-drops-time-filter', 'third-page-drops-filter', 'cursor-alone-drops-filter'],
  alsoFailsOn: [
    'time-filter-today-ignored',
    'time-filter-last7Days-ignored',
    'time-filter-last30Days-ignored',
    'time-filter-monthToDate-ignored',
    'time-filter-lastMonth-ignored',
    'time-filter-yearToDate-ignored',
    'default-time-filter-all-time',
  ],
  probes: [...readings, filterWalks, defaults],
  judge({ lists, clock }) {
    const verdict = createVerdict();
    return {
      verdict() {
        for (const list of lists.all)
          for (const [number] of list.pages.entries()) {
            if (number === 0 || list.open) continue;
            const stray = strayOn(list, number, clock);
            if (stray === undefined || list.selection.filter === 'allTime') continue;
            verdict.judged();
            if (stray === null) continue;
            const row = list.pages[number]?.rows[stray];
            verdict.found({
              expected: `on page ${number + 1} results of ${list.selection.filter} (${describeQuery(list.query)})`,
              actual: `one of ${show(row?.createdAt)}`,
              at: `/results/${stray}/createdAt`,
              exchanges: keptOf(list, number - 1, number),
            });
          }
        return verdict.verdict({ reason: 'No filter fills a second page.', supply: AGENT_WITH_RESULTS });
      },
    };
  },
};
