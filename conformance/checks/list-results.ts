import { timeFilters, type TimeFilter } from '../../spec/index.ts';
import type { Answer, Exchange } from '../history/exchange.ts';
import type { Api, CallParameters } from '../asking/api.ts';
import type { Check, CheckContext } from '../check.ts';
import { CannotJudge, Violation, count, show } from '../expect.ts';
import { mustBeAccepted, refusalReason, slipSupply, smallPages, type Given } from '../asking/given.ts';
import {
  differences,
  disorderBetweenPages,
  disorderWithinPages,
  firstRepeat,
  lostFrom,
  type Difference,
  type Disorder,
} from '../results/relations.ts';
import { describeQuery, find, readPage, usable, walk, type Page, type Row, type Walk } from '../results/walk.ts';
import { windowBounds, within, type Span } from '../results/windows.ts';
import { judgesShape } from './shape.ts';

const AGENT_WITH_RESULTS = '--agent-id of an agent with results';

/** Section 4.5. Every request but those about the defaults carries timeFilter=allTime. */
export const listResultsChecks: readonly Check[] = [
  {
    id: 'list-results-accepts-valid-request',
    title: 'List results answers without any parameter',
    endpoint: 'list-results',
    verifies: ['list-results-works', 'path-prefix'],
    provenBy: ['list-results-refused'],
    async run({ given }) {
      const answer = await given.valid('list-results');
      if (!answer.accepted && given.target.agentId === undefined && [403, 404, 410].includes(answer.status))
        throw new CannotJudge('The agent that the run created was not found.', AGENT_WITH_RESULTS);
      await mustBeAccepted(answer, given, { request: 'List results without parameters', userGave: ['agentId'] });
    },
  },
  judgesShape('list-results', ['list-results-answer', 'answers-are-json', 'result-shape', 'variable-shape']),
  {
    id: 'list-results-newest-first',
    title: 'Results within a page come newest first',
    endpoint: 'list-results',
    verifies: ['results-newest-first'],
    provenBy: ['results-ascending', 'results-out-of-order-in-page'],
    async run({ given }) {
      const list = await given.reference();
      const disorder = disorderWithinPages(list);
      if (disorder) throw outOfOrder(list, disorder);
      needTimes(list.rows, 2);
    },
  },
  {
    id: 'list-results-newest-first-across-pages',
    title: 'Results stay newest first from page to page',
    endpoint: 'list-results',
    verifies: ['results-newest-first'],
    provenBy: ['results-ascending', 'results-out-of-order-between-pages'],
    async run({ given }) {
      const known = await given.reference();
      const walks = await smallWalks(given);
      for (const walked of walks) {
        const disorder = disorderBetweenPages(walked, known);
        if (disorder) throw outOfOrder(walked, disorder);
      }
      const useful = walks.filter(({ pages, end }) => pages.length > 1 && end !== 'loop');
      const [first] = useful;
      if (!first) throw new CannotJudge('No walk went on to a second page.', AGENT_WITH_RESULTS);
      needTimes(
        useful.flatMap(({ rows }) => rows),
        2,
      );
    },
  },
  {
    id: 'list-results-accepts-limit-bounds',
    title: 'limit=1 and limit=100 are accepted',
    endpoint: 'list-results',
    verifies: ['limit-bounds'],
    provenBy: ['limit-1-refused', 'limit-100-refused'],
    async run({ given }) {
      const control = await acceptedAllTime(given);
      for (const limit of [1, 100]) {
        const { refusal } = await given.walk(limit, 'allTime');
        if (refusal && refusal.agentId !== undefined && isFirstPage(refusal))
          throw new Violation(
            {
              expected: `limit=${limit}, which lies within the bounds, is accepted`,
              actual: `answered with ${refusal.status}`,
            },
            [control.exchange, refusal.exchange],
          );
      }
    },
  },
  {
    id: 'list-results-respects-limit',
    title: 'A page holds no more results than its limit',
    endpoint: 'list-results',
    verifies: ['limit-obeyed', 'cursor-keeps-selection'],
    provenBy: ['limit-ignored', 'limit-exceeded', 'cursor-drops-limit'],
    async run({ given }) {
      const walks = await smallWalks(given);
      for (const { pages, query } of walks) {
        const page = pages.find((one) => one.count > (query.limit ?? 100));
        if (page)
          throw new Violation(
            {
              expected: `at most ${count(query.limit ?? 100, 'result')}`,
              actual: count(page.count, 'result'),
              at: '/results',
            },
            [page.exchange],
          );
      }
      if (!walks.some(({ rows }) => rows.length > 1))
        throw new CannotJudge('The agent has fewer than two results.', AGENT_WITH_RESULTS);
    },
  },
  {
    id: 'list-results-never-over-100',
    title: 'No page holds more than 100 results',
    endpoint: 'list-results',
    verifies: ['limit-maximum', 'limit-obeyed'],
    provenBy: ['limit-over-100-served'],
    run: neverOverHundred,
  },
  {
    id: 'list-results-default-limit',
    title: 'Without limit a page is that of limit=50',
    endpoint: 'list-results',
    verifies: ['limit-default'],
    provenBy: ['default-limit-20', 'default-limit-100'],
    run: defaultLimit,
  },
  {
    id: 'list-results-walk-once-each',
    title: 'Following nextCursor shows no result twice',
    endpoint: 'list-results',
    verifies: ['cursor-continues'],
    provenBy: ['page-boundary-repeats-result', 'cursor-starts-over'],
    async run({ given }) {
      const walks = [...(await smallWalks(given)), await given.walk(100, 'allTime')];
      for (const walked of walks) {
        const repeat = firstRepeat(walked);
        if (repeat)
          throw new Violation(
            {
              expected: `each result once, walking with ${describeQuery(walked.query)}`,
              actual: `result ${show(repeat.row.id)} on page ${repeat.firstPage + 1} and again on page ${repeat.page + 1}`,
              at: `/results/${repeat.index}`,
            },
            exchangesOf(walked, repeat.firstPage, repeat.page),
          );
        if (walked.refusal && walked.pages.length > 0 && !given.isSlip(walked.refusal))
          throw new Violation(
            {
              expected: 'the cursor that a page gave leads to the next page',
              actual: `it was answered with ${walked.refusal.status}`,
            },
            [...exchangesOf(walked, walked.pages.length - 1), walked.refusal.exchange],
          );
      }
      if (!walks.some(({ pages }) => pages.length > 1))
        throw new CannotJudge('No walk went on to a second page.', AGENT_WITH_RESULTS);
    },
  },
  {
    id: 'list-results-walks-agree',
    title: 'Pages of any size show the same results in the same order',
    endpoint: 'list-results',
    verifies: ['page-size-irrelevant', 'cursor-continues'],
    provenBy: [
      'page-boundary-loses-result',
      'next-cursor-null-early',
      'results-out-of-order-in-page',
      'results-out-of-order-between-pages',
    ],
    run: walksAgree,
  },
  {
    id: 'list-results-cursor-keeps-filter',
    title: 'A cursor keeps the timeFilter of the list that it continues',
    endpoint: 'list-results',
    verifies: ['cursor-keeps-selection'],
    provenBy: ['cursor-drops-time-filter'],
    run: cursorKeepsFilter,
  },
  {
    id: 'list-results-walk-ends',
    title: 'After the last result nextCursor becomes null',
    endpoint: 'list-results',
    verifies: ['walk-ends'],
    provenBy: ['next-cursor-never-null', 'cursor-starts-over'],
    run: walkEnds,
  },
  ...timeFilters.map((filter): Check => timeFilterCheck(filter)),
  {
    id: 'list-results-windows-nest',
    title: 'Windows lie within and apart from each other as their names say',
    endpoint: 'list-results',
    verifies: ['time-filter-nesting'],
    provenBy: [
      'time-filter-today-ignored',
      'time-filter-last7Days-ignored',
      'time-filter-monthToDate-ignored',
      'time-filter-lastMonth-ignored',
      'time-filter-last7Days-loses',
      'time-filter-last30Days-loses',
      'time-filter-yearToDate-loses',
    ],
    run: windowsNest,
  },
  {
    id: 'list-results-default-time-filter',
    title: 'Without timeFilter the list is that of last7Days',
    endpoint: 'list-results',
    verifies: ['time-filter-default'],
    provenBy: ['default-time-filter-all-time', 'default-time-filter-today'],
    run: defaultTimeFilter,
  },
  {
    id: 'list-results-belong-to-the-agent',
    title: 'Every result listed belongs to the agent in the path',
    endpoint: 'list-results',
    verifies: ['results-of-the-agent'],
    provenBy: ['results-of-another-agent'],
    async run({ given }) {
      const agentId = given.need('agentId');
      const list = await given.reference();
      for (const { rows, exchange } of list.pages) {
        const index = rows.findIndex((row) => row.agentId !== undefined && row.agentId !== agentId);
        if (index >= 0)
          throw new Violation(
            {
              expected: `results of the agent ${show(agentId)}`,
              actual: `one of ${show(rows[index]?.agentId)}`,
              at: `/results/${index}/agentId`,
            },
            [exchange],
          );
      }
      if (!list.rows.some((row) => row.agentId !== undefined))
        throw new CannotJudge('No result shows an agentId.', AGENT_WITH_RESULTS);
    },
  },
  {
    id: 'list-results-agents-share-none',
    title: 'An agent that was just created lists no result of another',
    endpoint: 'list-results',
    verifies: ['results-of-the-agent'],
    provenBy: ['results-same-for-every-agent'],
    async run({ api, given }) {
      const list = await given.reference();
      if (list.rows.length === 0) throw new CannotJudge('The agent has no results.', AGENT_WITH_RESULTS);
      const { id: agentId } = await given.created('create-agent');
      if (agentId === undefined) throw new CannotJudge('The created agent has no identifier.');
      if (agentId === given.need('agentId')) throw new CannotJudge('The created agent has the id of the given one.');
      const query = { limit: 100, timeFilter: 'allTime' };
      const [head, page] = [
        await acceptedPage(api, { agentId: given.need('agentId'), query }),
        await acceptedPage(api, { agentId, query }),
      ];
      const known = new Set([...list.place.keys(), ...head.rows.map(({ id }) => id)]);
      const index = page.rows.findIndex(({ id }) => known.has(id));
      const shared = page.rows[index];
      if (shared)
        throw new Violation(
          {
            expected: `no result of another agent in the list of ${show(agentId)}, which has just been created`,
            actual: `result ${show(shared.id)}, which ${show(given.need('agentId'))} lists too`,
            at: `/results/${index}`,
          },
          [head.exchange, page.exchange],
        );
    },
  },
];

function timeFilterCheck(filter: TimeFilter): Check {
  return {
    id: `list-results-time-filter-${filter}`,
    title:
      filter === 'allTime'
        ? 'timeFilter=allTime shows results of any time'
        : `timeFilter=${filter} shows the results of that span of time`,
    endpoint: 'list-results',
    verifies: ['time-filter-values', 'time-filter-meaning'],
    provenBy:
      filter === 'allTime'
        ? ['time-filter-allTime-refused', 'time-filter-allTime-cut', 'time-filter-allTime-loses']
        : [`time-filter-${filter}-refused`, `time-filter-${filter}-ignored`, `time-filter-${filter}-loses`],
    run: filter === 'allTime' ? allTimeShowsEverything : (t) => showsItsWindow(t, filter),
  };
}

const isFirstPage = ({ exchange }: Answer): boolean => !/[?&]cursor=/.test(exchange.request.url);

const exchangesOf = (walked: Walk, ...pages: readonly number[]): readonly Exchange[] =>
  [...new Set(pages)].flatMap((page) => walked.pages[page]?.exchange ?? []);

/** Walks in small pages, as far as they can be used. @throws CannotJudge where none can. */
async function smallWalks(given: Given): Promise<readonly Walk[]> {
  const walks: Walk[] = [];
  for (const limit of smallPages) walks.push(await given.walk(limit, 'allTime'));
  const readable = walks.filter(({ pages }) => pages.length > 0);
  const refusal = walks.find((walked) => walked.refusal)?.refusal;
  if (readable.length === 0 && refusal)
    throw new CannotJudge(refusalReason(refusal), slipSupply(refusal, given.target));
  if (readable.length === 0) walks.map(usable);
  return readable;
}

/** The accepted request for all results, which those with further parameters are compared with. */
async function acceptedAllTime(given: Given): Promise<Answer> {
  const answer = await given.allTime();
  if (!answer.accepted) throw new CannotJudge(refusalReason(answer), slipSupply(answer, given.target));
  return answer;
}

async function acceptedPage(api: Api, parameters: CallParameters): Promise<Page> {
  const answer = await api.call('list-results', parameters);
  if (!answer.accepted) throw new CannotJudge(refusalReason(answer));
  const page = readPage(answer);
  if (typeof page === 'string') throw new CannotJudge(`Nothing can be compared: ${page}.`);
  return page;
}

function needTimes(rows: readonly Row[], atLeast: number): void {
  if (rows.length < atLeast) throw new CannotJudge(`There are fewer than ${atLeast} results.`, AGENT_WITH_RESULTS);
  const unknown = rows.find(({ at }) => !at);
  if (unknown)
    throw new CannotJudge(`createdAt is ${show(unknown.createdAt)}, which is no timestamp of a common form.`);
}

function outOfOrder(walked: Walk, { earlier, later, page, index }: Disorder): Violation {
  const { pages } = walked;
  const previous = index > 0 ? page : pages.findLastIndex(({ rows }, i) => i < page && rows.length > 0);
  return new Violation(
    {
      expected: `results by falling createdAt, walking with ${describeQuery(walked.query)}`,
      actual: `${show(earlier.createdAt)}, and after it ${show(later.createdAt)}`,
      at: `/results/${index}/createdAt`,
    },
    exchangesOf(walked, previous, page),
  );
}

async function neverOverHundred({ api, given, observe }: CheckContext): Promise<void> {
  const agentId = given.need('agentId');
  const list = await given.reference();
  const answer = await api.call('list-results', { agentId, query: { limit: 500, timeFilter: 'allTime' } });
  observe(
    'limit-out-of-range',
    answer.accepted ? 'clamped' : 'refused',
    answer.accepted ? 'limit=500 is accepted' : `limit=500 is answered with ${answer.status}`,
  );
  const page = answer.accepted ? readPage(answer) : undefined;
  for (const one of [...list.pages, ...(typeof page === 'object' ? [page] : [])])
    if (one.count > 100)
      throw new Violation({ expected: 'at most 100 results', actual: count(one.count, 'result'), at: '/results' }, [
        one.exchange,
      ]);
  if (typeof page === 'string') throw new CannotJudge(`With limit=500, ${page}.`);
  if (page && list.rows.length <= 100 && list.end === 'null')
    throw new CannotJudge(
      'The agent has no more than 100 results.',
      '--agent-id of an agent with more than 100 results',
    );
}

/** Compares pages without limit and pages of limit=50, by turns, so that a list that changes raises no alarm. */
async function defaultLimit({ api, given }: CheckContext): Promise<void> {
  const agentId = given.need('agentId');
  await acceptedAllTime(given);
  const pagesOf = { none: [] as PageSize[], fifty: [] as PageSize[] };
  for (let turn = 0; turn < 3; turn++)
    for (const [kind, limit] of [
      ['none', undefined],
      ['fifty', 50],
    ] as const) {
      const page = await acceptedPage(api, { agentId, query: { limit, timeFilter: 'allTime' } });
      pagesOf[kind].push({ size: page.count, isLast: page.nextCursor === null, exchange: page.exchange });
    }
  const { none, fifty } = pagesOf;
  const [unlimited, limited] = [none.at(-1), fifty.at(-1)];
  if (!unlimited || !limited) throw new Error('no pages were read');
  const over = none.find(({ size }) => size > 50);
  if (over)
    throw new Violation(
      { expected: 'at most 50 results without limit', actual: count(over.size, 'result'), at: '/results' },
      [limited.exchange, over.exchange],
    );
  const steady = (pages: readonly PageSize[]): boolean => pages.every(({ size }) => size === pages[0]?.size);
  if (steady(none) && steady(fifty)) {
    if (unlimited.size !== limited.size && (unlimited.size > limited.size || !unlimited.isLast))
      throw new Violation(
        {
          expected: `a page without limit as with limit=50, ${count(limited.size, 'result')}`,
          actual: count(unlimited.size, 'result'),
          at: '/results',
        },
        [limited.exchange, unlimited.exchange],
      );
    if (limited.isLast && unlimited.isLast)
      throw new CannotJudge('All results fit on one page.', '--agent-id of an agent with more than 50 results');
    return;
  }
  const sizes = (pages: readonly PageSize[]): string => pages.map(({ size }) => size).join(', ');
  if (sizes(none) !== sizes(fifty))
    throw new CannotJudge(`Page sizes vary: ${sizes(none)} without limit, ${sizes(fifty)} with limit=50.`);
}

interface PageSize {
  readonly size: number;
  readonly isLast: boolean;
  readonly exchange: Exchange;
}

async function walksAgree({ given }: CheckContext): Promise<void> {
  const whole = await given.reference();
  if (whole.end === 'loop') throw new CannotJudge('Pages of 100 go round in circles; another check judges that.');
  if (whole.rows.length < 2) throw new CannotJudge('The agent has fewer than two results.', AGENT_WITH_RESULTS);
  let compared = 0;
  for (const limit of smallPages) {
    const walked = await given.walk(limit, 'allTime');
    if (walked.problem !== undefined || walked.end === 'loop' || walked.pages.length < 2) continue;
    compared++;
    if (differences(whole, walked).length === 0) continue;
    const [certain] = await confirmed(given, whole, walked);
    if (certain) throw disagreement(whole, walked, certain);
  }
  if (compared === 0) throw new CannotJudge('No walk in smaller pages went on to a second page.', AGENT_WITH_RESULTS);
}

/** Differences that cannot come from a list that changed in between: confirmed by reading it once more. */
async function confirmed(given: Given, whole: Walk, walked: Walk): Promise<readonly Difference[]> {
  const found = differences(whole, walked);
  // Two results of known and different age never change places by themselves.
  const certain = found.filter((one) => one.kind === 'order' && one.first.at && one.second.at);
  if (certain.length > 0) return certain;
  const again = await given.once('reference again', () => given.walkAgain(100, 'allTime'));
  if (again.problem !== undefined) return [];
  return found.filter((one) => {
    if (one.kind === 'missing') return again.place.has(one.row.id);
    if (one.kind === 'extra') return !again.place.has(one.row.id);
    return (again.place.get(one.first.id) ?? 0) > (again.place.get(one.second.id) ?? 0);
  });
}

function disagreement(whole: Walk, walked: Walk, difference: Difference): Violation {
  const size = describeQuery(walked.query);
  const wholeSize = describeQuery(whole.query);
  switch (difference.kind) {
    case 'missing': {
      const { row } = difference;
      const before = whole.rows[(whole.place.get(row.id) ?? 0) - 1];
      const near = before ? find(walked, before.id)?.page : undefined;
      const last = walked.pages.length - 1;
      const pages = near === undefined ? [last] : [near, Math.min(near + 1, last)];
      return new Violation(
        {
          expected: `every result that ${wholeSize} shows`,
          actual: `${size} shows no result ${show(row.id)} of ${show(row.createdAt)}`,
          at: '/results',
        },
        [...exchangesOf(whole, find(whole, row.id)?.page ?? 0), ...exchangesOf(walked, ...pages)],
      );
    }
    case 'extra': {
      const place = find(walked, difference.row.id);
      return new Violation(
        {
          expected: `no result that ${wholeSize} does not show`,
          actual: `${size} shows result ${show(difference.row.id)} of ${show(difference.row.createdAt)}`,
          at: `/results/${place?.index ?? 0}`,
        },
        [...exchangesOf(whole, whole.pages.length - 1), ...exchangesOf(walked, place?.page ?? 0)],
      );
    }
    case 'order': {
      const { first, second } = difference;
      const places = [find(walked, first.id), find(walked, second.id)];
      return new Violation(
        {
          expected: `results in the order of ${wholeSize}: ${show(second.id)} before ${show(first.id)}`,
          actual: `the other way round with ${size}`,
          at: `/results/${places[1]?.index ?? 0}`,
        },
        [
          ...exchangesOf(whole, find(whole, second.id)?.page ?? 0, find(whole, first.id)?.page ?? 0),
          ...exchangesOf(walked, places[0]?.page ?? 0, places[1]?.page ?? 0),
        ],
      );
    }
  }
}

/** A window with more results is not read a second time. */
const MOST_REREAD = 500;

/** Judged with the first filter that leaves something out and still fills more than one page of 50. */
async function cursorKeepsFilter({ api, given }: CheckContext): Promise<void> {
  const everything = await given.reference();
  for (const filter of ['last7Days', 'last30Days', 'yearToDate'] as const) {
    const whole = await given.window(filter);
    // What lies before the head of the window may have arrived since that was read.
    const known = whole.rows.find(({ id }) => everything.place.has(id));
    const head = everything.place.get(known?.id ?? '') ?? everything.rows.length;
    const left = everything.rows.slice(head).filter(({ id }) => !whole.place.has(id));
    if (whole.end !== 'null' || whole.rows.length <= 50 || whole.rows.length > MOST_REREAD || left.length === 0)
      continue;
    const pages = Math.ceil(whole.rows.length / 50) + 3;
    const query = { agentId: given.need('agentId'), limit: 50, timeFilter: filter };
    const walked = usable(await walk(api, query, { maxPages: pages, emptyPages: 20, known: everything }));
    const leftOut = new Set(left.map(({ id }) => id));
    for (const [number, { rows }] of walked.pages.entries()) {
      const index = rows.findIndex(({ id }) => leftOut.has(id));
      const row = rows[index];
      if (row && number > 0)
        throw new Violation(
          {
            expected: `on page ${number + 1} what ${describeQuery(whole.query)} shows`,
            actual: `result ${show(row.id)} of ${show(row.createdAt)}, which that list does not hold`,
            at: `/results/${index}`,
          },
          exchangesOf(walked, number - 1, number),
        );
    }
    if (walked.pages.length > 1) return;
  }
  throw new CannotJudge(
    'No timeFilter leaves out some results and still fills a second page of 50.',
    AGENT_WITH_RESULTS,
  );
}

async function walkEnds({ given }: CheckContext): Promise<void> {
  const never = (walked: Walk, actual: string): Violation =>
    new Violation(
      {
        expected: `nextCursor null after the last result, walking with ${describeQuery(walked.query)}`,
        actual,
        at: '/nextCursor',
      },
      exchangesOf(walked, walked.pages.length - 2, walked.pages.length - 1),
    );
  const judge = (walked: Walk): void => {
    const pages = walked.pages.length;
    if (walked.end === 'loop')
      throw never(walked, `the walk goes round in circles; after ${count(pages, 'page')} it was where it had been`);
    if (walked.end === 'empty-pages')
      throw never(
        walked,
        `a cursor on each of ${count(walked.pages.filter((p) => p.count === 0).length, 'empty page')}`,
      );
  };
  const whole = await given.reference();
  judge(whole);
  const small = await given.walk(7, 'allTime');
  if (small.end === 'loop' && small.problem === undefined) judge(small);
  if (whole.end === 'null') return;
  for (const filter of ['last30Days', 'last7Days', 'today'] as const) {
    const shorter = await given.window(filter);
    judge(shorter);
    if (shorter.end === 'null') return;
  }
  throw new CannotJudge(
    `The list is longer than ${count(whole.rows.length, 'result')}, and was read no further.`,
    '--agent-id of an agent with fewer results',
  );
}

async function showsItsWindow({ given }: CheckContext, filter: TimeFilter): Promise<void> {
  const all = await given.reference();
  const [control] = all.pages;
  const walked = await given.walk(100, filter);
  if (control && walked.refusal && isFirstPage(walked.refusal))
    throw refusedFilter(filter, control.exchange, walked.refusal);
  usable(walked);
  const found = await outsideOrLost(given, filter, walked, all);
  if (found) throw found;
}

function refusedFilter(filter: TimeFilter, control: Exchange, refusal: Answer): Violation {
  return new Violation(
    { expected: `timeFilter=${filter} is accepted`, actual: `it was answered with ${refusal.status}` },
    [control, refusal.exchange],
  );
}

/** A violation, or nothing where the window shows what it must. @throws CannotJudge */
async function outsideOrLost(
  given: Given,
  filter: TimeFilter,
  walked: Walk,
  all: Walk,
): Promise<Violation | undefined> {
  needTimes([...walked.rows, ...all.rows], 0);
  const zoneKnown = [...walked.rows, ...all.rows].every(({ at }) => at?.zoneKnown === true);
  const { possible, certain } = windowBounds(filter, walked.instants, zoneKnown);
  const outside = walked.rows.find(({ at }) => at !== undefined && !within(at.ms, possible));
  if (outside) {
    const place = find(walked, outside.id);
    return new Violation(
      {
        expected: `results of ${filter} (${describeSpan(possible)}, in any time zone)`,
        actual: `one of ${show(outside.createdAt)}`,
        at: `/results/${place?.index ?? 0}/createdAt`,
      },
      exchangesOf(walked, place?.page ?? 0),
    );
  }
  const violation = await lostResult(given, walked, all, lossWithin(certain));
  if (violation) return violation;
  if (all.rows.length === 0) throw new CannotJudge('The agent has no results.', AGENT_WITH_RESULTS);
  if (walked.end !== 'null')
    throw new CannotJudge(
      `The window was not read to its end: ${describeEnd(walked)}.`,
      '--agent-id of an agent with fewer results',
    );
  const isInside = !all.rows.some(({ at }) => at && !within(at.ms, possible));
  if (isInside && walked.instants.length > 1)
    throw new CannotJudge(
      `By the Date of the answers it is ${walked.instants.map(dayOf).join(', by our clock ')}, so it is not known when this span is.`,
      'a run without --read-only: what it creates shows the clock of the target',
    );
  if (isInside)
    throw new CannotJudge(
      'Every result lies inside this span, so nothing shows whether others would be left out.',
      `--agent-id of an agent with results outside ${filter} too`,
    );
  if (walked.rows.length === 0)
    throw new CannotJudge('No result lies inside this span.', `--agent-id of an agent with results in ${filter}`);
  return undefined;
}

/** Finds results that one list must show and does not, though the other shows them. */
type Loss = (walked: Walk, other: Walk) => readonly Row[];

const lossWithin =
  (certain: Span): Loss =>
  (walked, other) =>
    lostFrom(walked, other, certain);

/** A result that one list must show and does not: in two readings of both, since lists may change in between. */
async function lostResult(given: Given, first: Walk, second: Walk, loss: Loss): Promise<Violation | undefined> {
  if (loss(first, second).length === 0) return undefined;
  const again = ({ query: { limit, timeFilter } }: Walk): Promise<Walk> => given.walkAgain(limit, timeFilter);
  const other = await again(second);
  const walked = await again(first);
  const [row] = loss(walked, other);
  if (!row) return undefined;
  const older = walked.rows.find(({ at }) => at && row.at && at.ms < row.at.ms);
  const page = older ? (find(walked, older.id)?.page ?? 0) : walked.pages.length - 1;
  return new Violation(
    {
      expected: `${describeQuery(walked.query)} shows the result ${show(row.id)} of ${show(row.createdAt)}`,
      actual: `only ${describeQuery(other.query)} shows it`,
      at: '/results',
    },
    [...exchangesOf(other, find(other, row.id)?.page ?? 0), ...exchangesOf(walked, page)],
  );
}

async function allTimeShowsEverything({ given }: CheckContext): Promise<void> {
  const answer = await given.allTime();
  if (!answer.accepted) {
    const control = await given.accepted('list-results');
    throw refusedFilter('allTime', control.exchange, answer);
  }
  const all = await given.reference();
  needTimes(all.rows, 0);
  const certain = windowBounds('allTime', all.instants, true).certain;
  let seen = 0;
  for (const filter of ['lastMonth', 'yearToDate', 'last30Days'] as const) {
    const part = await given.walk(100, filter);
    if (part.problem !== undefined) continue;
    needTimes(part.rows, 0);
    seen += part.rows.length;
    const violation = await lostResult(given, all, part, lossWithin(certain));
    if (violation) throw violation;
  }
  if (seen === 0) throw new CannotJudge('No other span shows a result to look for.', AGENT_WITH_RESULTS);
}

async function windowsNest({ given }: CheckContext): Promise<void> {
  const walks = new Map<TimeFilter, Walk>();
  // The wider ones last, so that what arrived in between can be in them.
  for (const filter of ['today', 'last7Days', 'last30Days', 'monthToDate', 'yearToDate', 'lastMonth'] as const)
    walks.set(filter, await given.window(filter));
  const window = (filter: TimeFilter): Walk => {
    const walked = walks.get(filter);
    if (!walked) throw new Error(`${filter} was not read`);
    return walked;
  };
  let compared = 0;
  for (const [inner, outer] of nested) {
    const [part, whole] = [window(inner), window(outer)];
    if (part.rows.length === 0) continue;
    const loss = lossOf(part, whole);
    if (!loss) continue;
    compared++;
    const violation = await lostResult(given, whole, part, loss);
    if (violation) throw violation;
  }
  const [before, now] = [window('lastMonth'), window('monthToDate')];
  const shared = before.rows.find(({ id }) => now.place.has(id));
  if (shared && (await sharedStill(given, shared)))
    throw new Violation(
      {
        expected: 'no result both in lastMonth and in monthToDate',
        actual: `result ${show(shared.id)} of ${show(shared.createdAt)} in both`,
        at: `/results/${find(before, shared.id)?.index ?? 0}`,
      },
      [
        ...exchangesOf(now, find(now, shared.id)?.page ?? 0),
        ...exchangesOf(before, find(before, shared.id)?.page ?? 0),
      ],
    );
  if (compared === 0 && (before.rows.length === 0 || now.rows.length === 0))
    throw new CannotJudge('The windows hold no results to compare.', AGENT_WITH_RESULTS);
}

/** How to tell what a window lacks of one that lies within it; without readable times only what fits on one page. */
function lossOf(part: Walk, whole: Walk): Loss | undefined {
  if ([...part.rows, ...whole.rows].every(({ at }) => at)) return lossWithin({ from: -Infinity, to: Infinity });
  const comparable = (walked: Walk, other: Walk): boolean =>
    walked.end === 'null' && walked.pages.length === 1 && other.headRead <= walked.begun;
  if (!comparable(whole, part)) return undefined;
  return (walked, other) => (comparable(walked, other) ? other.rows.filter(({ id }) => !walked.place.has(id)) : []);
}

const nested = [
  ['today', 'last7Days'],
  ['last7Days', 'last30Days'],
  ['monthToDate', 'yearToDate'],
] as const satisfies readonly (readonly [TimeFilter, TimeFilter])[];

/** Whether both windows still show a result, so that it was not the turn of the month in between. */
async function sharedStill(given: Given, { id }: Row): Promise<boolean> {
  for (const filter of ['lastMonth', 'monthToDate'] as const) {
    const again = await given.once(`again ${filter}`, () => given.walkAgain(100, filter));
    if (!again.place.has(id)) return false;
  }
  return true;
}

/** Compares the list without timeFilter and that of last7Days, by turns, so that a list that changes raises no alarm. */
async function defaultTimeFilter({ given }: CheckContext): Promise<void> {
  const window = await given.window('last7Days');
  const all = await given.reference();
  const today = await given.window('today');
  if (all.rows.length === 0) throw new CannotJudge('The agent has no results.', AGENT_WITH_RESULTS);
  const same = (one: Walk, other: Walk): boolean => differences(one, other).length === 0 && one.rows.length > 0;
  if (same(all, window) && same(today, window))
    throw new CannotJudge('Every result is of today, so no window can be told from another.', AGENT_WITH_RESULTS);
  if (await isAtFault(given, window, all))
    throw new CannotJudge('timeFilter=last7Days itself does not show its window; another check judges that.');

  for (let attempt = 0; attempt < 2; attempt++) {
    const [first, second, third, fourth] = [
      usable(await given.walkAgain(100, undefined)),
      usable(await given.walkAgain(100, 'last7Days')),
      usable(await given.walkAgain(100, undefined)),
      usable(await given.walkAgain(100, 'last7Days')),
    ];
    const neighbours = [
      [first, second],
      [second, third],
      [third, fourth],
    ] as const;
    const apart = neighbours.find(([one, other]) => differences(one, other).length > 0);
    if (!apart) return;
    if (differences(first, third).length > 0 || differences(second, fourth).length > 0) continue;
    const [difference] = differences(...apart);
    throw new Violation(
      {
        expected: `without timeFilter, the list of last7Days (${count(second.rows.length, 'result')})`,
        actual: `another list (${count(first.rows.length, 'result')})${difference ? describeDifference(difference) : ''}`,
        at: '/results',
      },
      [...exchangesOf(second, 0), ...exchangesOf(first, 0)],
    );
  }
  throw new CannotJudge('The list changed while it was compared.');
}

function describeDifference(difference: Difference): string {
  if (difference.kind === 'order') return '';
  return `: only one of them holds ${show(difference.row.id)} of ${show(difference.row.createdAt)}`;
}

async function isAtFault(given: Given, window: Walk, all: Walk): Promise<boolean> {
  try {
    return (await outsideOrLost(given, 'last7Days', window, all)) !== undefined;
  } catch (error) {
    if (error instanceof CannotJudge) return false;
    throw error;
  }
}

function describeEnd({ end, rows }: Walk): string {
  if (end === 'loop') return 'it goes round in circles';
  if (end === 'empty-pages') return 'empty pages follow without end';
  return `it is longer than ${count(rows.length, 'result')}`;
}

const instant = (ms: number): string => new Date(ms).toISOString();
const dayOf = (ms: number): string => instant(ms).slice(0, 10);

function describeSpan({ from, to }: { readonly from: number; readonly to: number }): string {
  if (from === -Infinity) return 'any time';
  return to === Infinity ? `from ${instant(from)}` : `from ${instant(from)} to ${instant(to)}`;
}
