import { DateTime } from 'luxon';
import type { Run } from '../probes/probe.ts';
import type { CallParameters } from '../probes/api/request.ts';
import type { TimeFilter } from '../../spec/index.ts';
import { isEntitled, queryValue, type Answered } from '../http/exchange.ts';
import type { Facts } from '../history/facts/facts.ts';
import { hasEnded, type List } from '../history/facts/lists.ts';
import { readResultsPage, type Row } from '../history/facts/page.ts';
import { onlyOf } from '../collections.ts';
import { counted } from '../show.ts';
import { noteFormats } from './formats.ts';
import type { Observe, Observer } from './observe.ts';
import { emptyPage } from './queries.ts';
import { byAnswer, observerOf } from './question.ts';
import { questionsOf } from './questions.ts';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

/** The list with the most rows; on request, of those that ended if there are some. */
function fullest({ lists }: Facts, filter: TimeFilter, isToEnd = false): List | undefined {
  const of = lists.all.filter(
    ({ open, caller, selection, rows }) =>
      !open && isEntitled(caller) && selection.filter === filter && rows.length > 0,
  );
  const sorted = of.toSorted((one, other) => other.rows.length - one.rows.length);
  return (isToEnd && sorted.find(hasEnded)) || sorted[0];
}

const questions = questionsOf('lists', {
  'foreign-cursor': [
    (run) => {
      const agentId = run.need('agentId');
      const list = run.facts.lists.all.find(
        (one) => one.agentId === agentId && one.selection.filter === 'allTime' && one.pages[0]?.nextCursor,
      );
      const cursor = list?.pages[0]?.nextCursor;
      if (typeof cursor !== 'string') return undefined;
      return { agentId, query: { limit: list?.selection.limit, timeFilter: 'last30Days', cursor } };
    },
    byAnswer('foreign-cursor', 'refused', emptyPage, 'the cursor of another filter is '),
  ],
  'start-end-with-filter': [
    (run) => hourBefore(run, 1000, 'today'),
    byAnswer('start-end-with-filter', undefined, (exchange, facts) => {
      const page = readResultsPage(exchange);
      const row = middleOf(exchange, facts);
      if (typeof page === 'string' || !row) return undefined;
      if (page.rows.some(({ id }) => id === row.id)) return ['replace', 'results outside timeFilter are shown'];
      if (page.count === 0) return ['intersect', 'only what both allow is shown'];
      return ['ignored', 'the results of timeFilter are shown'];
    }),
  ],
  'end-edge': [(run) => hourBefore(run, 0, 'allTime'), noteEdge],
  'interval-meaning': [
    (run) => ({ agentId: run.need('agentId'), query: { timeFilter: 'allTime', limit: 100, interval: 'P1D' } }),
    byAnswer('interval-meaning', undefined, fewerByInterval, 'P1D is '),
  ],
});

function fewerByInterval(exchange: Answered, facts: Facts): readonly ['iso-8601' | undefined, string] | undefined {
  const page = readResultsPage(exchange);
  const first = fullest(facts, 'allTime')?.pages[0];
  if (typeof page === 'string' || !first) return undefined;
  if (page.count < first.count && page.nextCursor === null) return ['iso-8601', 'P1D shows fewer'];
  // If start and end have no effect, the server may understand interval and still ignore it.
  return [undefined, 'P1D shows no fewer'];
}

export const listObservers: readonly Observer[] = [
  {
    conclude(observe, facts) {
      const whole = fullest(facts, 'allTime');
      const [newest] = whole?.rows ?? [];
      if (!whole || !newest) return;
      noteFormats(observe, newest);
      const last = whole.pages.at(-1);
      if (last?.nextCursor === null && last.count === 0) observe('last-page', 'empty-page-after', 'on an empty page');
      else if (last?.nextCursor === null) observe('last-page', 'with-last-result', 'on a page with results');
      notePages(observe, facts);
      noteArrivals(observe, facts, whole);
      const idle = whole.rows.filter(({ isIdle }) => isIdle).length;
      const seen = `${idle} of ${counted(whole.rows.length, 'result')} never started or are archived`;
      observe('listed-results', idle > 0 ? 'all' : undefined, seen);
      noteWindows(observe, facts, whole);
    },
  },
  ...Object.values(questions).map(observerOf),
];

function notePages(observe: Observe, { lists: { all } }: Facts): void {
  const walked = all.filter(({ open, pages }) => !open && pages.length > 1);
  // How full the pages are before the last that holds a result.
  const parts = walked.flatMap(({ pages, selection: { limit = 50 } }) => {
    const last = pages.findLastIndex(({ count }) => count > 0);
    return pages.filter((_, index) => index < last).map(({ count }) => count / limit);
  });
  if (parts.includes(0)) observe('page-filling', 'empty', 'some before the last hold nothing');
  else if (parts.some((part) => part < 1)) observe('page-filling', 'short', 'some hold fewer results than their limit');
  else if (walked.length > 0) observe('page-filling', 'full', 'they are');
  const cursors = all.flatMap(({ pages }) => pages.flatMap(({ nextCursor }) => nextCursor ?? []));
  const isPlain = cursors.every((cursor) => /^[\w.~-]+$/.test(cursor));
  if (!isPlain) observe('cursor-characters', 'any', 'some have to be encoded in a URL');
  else if (cursors.length > 0) observe('cursor-characters', 'plain', 'none has to be encoded in a URL');
}

function noteArrivals(observe: Observe, { lists: { all } }: Facts, whole: List): void {
  const readings = all.filter(
    ({ open, of, selection }) => !open && of === whole.of && selection.key === whole.selection.key,
  );
  const known = readings.find(hasEnded);
  const later = readings.filter(({ pages }) => known && (pages[0]?.begun ?? 0) > (known.pages.at(-1)?.n ?? 0));
  if (!known || later.length === 0) return;
  const arrived = later.some(({ rows: [first] }) => first !== undefined && !known.place.has(first.id));
  if (arrived) observe('results-while-reading', 'arriving', 'later lists begin with newer results');
  else observe('results-while-reading', 'still', 'none came during the run');
}

function noteWindows(observe: Observe, facts: Facts, whole: List): void {
  const week = fullest(facts, 'last7Days', true);
  const stamp = week?.pages[0]?.stamp;
  if (!week || !stamp) return;
  const now = onlyOf(facts.clock.instants(stamp));
  if (now === undefined) return;
  const edges = edgeOf(week, whole);
  if (edges && edges.leftOut >= now - WEEK) observe('window-edges', 'calendar-days', 'later than 7 times 24 hours ago');
  else if (edges && edges.shown <= now - WEEK + HOUR / 4) observe('window-edges', 'rolling', '7 times 24 hours ago');

  const today = fullest(facts, 'today', true);
  const dayBreak = today && edgeOf(today, whole);
  if (!dayBreak) return;
  const begins = (zone: string): boolean => {
    const midnight = DateTime.fromMillis(now, { zone }).startOf('day').toMillis();
    return midnight > dayBreak.leftOut && midnight <= dayBreak.shown;
  };
  const [utc, newYork] = [begins('UTC'), begins('America/New_York')];
  if (utc && !newYork) observe('default-time-zone', 'utc', 'today begins as in UTC');
  else if (!utc && newYork) observe('default-time-zone', 'new-york', 'today begins as in New York');
  else if (!utc) observe('default-time-zone', undefined, 'today begins neither as in UTC nor as in New York');
}

/** The instants between which a window begins: that of its oldest result, and of the next older one outside it. */
function edgeOf(window: List, whole: List): { readonly shown: number; readonly leftOut: number } | undefined {
  const oldest = window.rows.at(-1);
  if (!hasEnded(window) || !oldest?.at?.zoneKnown) return undefined;
  const next = whole.rows[(whole.place.get(oldest.id) ?? whole.rows.length) + 1];
  if (next?.at && !window.place.has(next.id)) return { shown: oldest.at.ms, leftOut: next.at.ms };
  return undefined;
}

/** Asks for the hour before a result from an earlier day, with a margin after it in milliseconds. */
function hourBefore(run: Run, after: number, timeFilter: TimeFilter): CallParameters | undefined {
  const agentId = run.need('agentId');
  const whole = fullest(run.facts, 'allTime');
  const today = fullest(run.facts, 'today');
  // A time with milliseconds, so that the request names exactly that result.
  const row = whole?.rows.find(
    ({ id, at }) => at?.zoneKnown === true && at.ms % 1000 !== 0 && today?.place.has(id) !== true,
  );
  if (!row?.at) return undefined;
  const write = (ms: number): string => new Date(ms).toISOString();
  return { agentId, query: { timeFilter, limit: 100, start: write(row.at.ms - HOUR), end: write(row.at.ms + after) } };
}

function middleOf(exchange: Answered, facts: Facts): Row | undefined {
  const start = Date.parse(queryValue(exchange, 'start') ?? '');
  return fullest(facts, 'allTime')?.rows.find(({ at }) => at?.ms === start + HOUR);
}

function noteEdge(observe: Observe, exchange: Answered, facts: Facts): void {
  const page = readResultsPage(exchange);
  const whole = fullest(facts, 'allTime');
  const row = middleOf(exchange, facts);
  if (!exchange.answer.accepted || typeof page === 'string' || !whole || !row) return;
  const place = (one: Row): number => whole.place.get(one.id) ?? -1;
  if (page.rows.some((one) => place(one) < place(row))) return;
  if (page.rows.some(({ id }) => id === row.id)) observe('end-edge', 'inclusive', 'a result of that instant is shown');
  else observe('end-edge', 'exclusive', 'it is not shown');
}
