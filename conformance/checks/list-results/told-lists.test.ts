import { sampleExchange, type SampleExchange } from '../../history/sample-exchange.ts';
import { createJudgement } from '../../history/judgement.ts';
import type { Verdict } from '../../check.ts';
import { listResultsChecks } from '../list-results.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);
const HOUR = 3_600_000;

type Told = Omit<SampleExchange, 'n'>;

/** Verdicts of a history of lists. */
function verdicts(told: readonly Told[]): ReadonlyMap<string, Verdict> {
  const judgement = createJudgement(
    listResultsChecks.filter(({ id }) => !id.endsWith('-answer-shape')),
    { target: {}, strictNull: false, now },
  );
  for (const [i, one] of told.entries()) judgement.see(sampleExchange({ at: now, ...one, n: 2 * i + 2 }));
  return new Map(
    judgement.conclude().map((judged) => {
      if ('error' in judged) throw judged.error;
      return [judged.check.id.replace('list-results-', ''), judged.verdict];
    }),
  );
}

/** What fails: the check, the place, what was met, and which of the exchanges show it, counted from 1. */
const failures = (told: readonly Told[]): readonly string[] =>
  [...verdicts(told)].flatMap(([id, { findings }]) =>
    findings.map(({ at = 'nowhere', actual, requirement, exchanges }) => {
      const shown = exchanges.map(({ request: { url } }) => Number(url.split('/').at(-1)) / 2);
      return [id, ...(requirement ? [requirement] : []), at, actual, shown.join(' ')].join('; ');
    }),
  );

/** A page of results by their ages in hours. */
const page = (ages: Readonly<Record<string, number>>, nextCursor: string | null = null): { readonly json: object } => ({
  json: {
    results: Object.entries(ages).map(([id, age]) => ({ id, createdAt: new Date(now - age * HOUR).toISOString() })),
    nextCursor,
  },
});
const all = { a: 1, b: 2, c: 3, d: 4 };
const windowed = (timeFilter: string, ages: Readonly<Record<string, number>>): Told => ({
  query: { timeFilter },
  ...page(ages),
});
const reads = (currentUserMode: string): Told => ({ endpoint: 'get-agent', agentId: 'b', json: { currentUserMode } });
const makesB: Told = { endpoint: 'create-agent', json: { agent: { id: 'b' } } };
const ofB = (status: number): Told => ({ agentId: 'b', status });

test.each<[string, readonly Told[], readonly string[]]>([
  [
    'the list of an agent that is read',
    [page(all), reads('write'), ofB(404)],
    ['accepts-valid-request; nowhere; the answer was 404; 2 3'],
  ],
  ['the list of an agent that its caller may only read', [page(all), reads('guest'), ofB(403), ofB(404)], []],
  [
    'that list with an error',
    [page(all), reads('guest'), ofB(500)],
    ['accepts-valid-request; nowhere; the answer was 500; 2 3'],
  ],
  [
    'the list of an agent that was made',
    [makesB, ofB(404)],
    ['accepts-valid-request; nowhere; the answer was 404; 1 2'],
  ],
  ['the list of an agent that takes a moment to be there', [makesB, ofB(404), { ...page({}), agentId: 'b' }], []],
  ['the list of an agent that nobody knows', [page(all), ofB(404), ofB(410)], []],
  ['the list of an agent that is gone', [{ ...page(all), agentId: 'b' }, ofB(404)], []],
  [
    'the list of an agent without an excuse',
    [page(all), ofB(400)],
    ['accepts-valid-request; nowhere; the answer was 400; 1 2'],
  ],
  ['every list where nothing is accepted', [ofB(400)], []],
  [
    'very many lists',
    [reads('write'), ...Array.from({ length: 9 }, () => ofB(400))],
    Array.from({ length: 5 }, (_, i) => `accepts-valid-request; nowhere; the answer was 400; 1 ${i + 2}`),
  ],
])('refused: %s', (_, told, expected) => {
  expect(failures(told)).toEqual(expected);
});

const walk = (...told: readonly Told[]): readonly Told[] => [
  { query: { limit: 2 }, ...page({ a: 1, b: 2 }, 'x') },
  ...told.map((one) => ({ ...one, query: { ...one.query, cursor: 'x' } })),
];
const beside: Told = { query: { limit: 2 }, status: 400 };
const alone: Told = { status: 400 };

test.each<[string, readonly Told[], readonly string[]]>([
  ['beside the parameters of its list alone', walk(beside), []],
  ['by itself alone', walk(alone), []],
  ['in both ways', walk(beside, alone), ['cursor-leads-on; nowhere; the answer was 400; 1 3']],
  [
    'where it is the only parameter',
    [page({ a: 1, b: 2 }, 'x'), { query: { cursor: 'x' }, status: 400 }],
    ['cursor-leads-on; nowhere; the answer was 400; 1 2'],
  ],
  ['by a busy server', walk(beside, { status: 503 }), []],
  ['and then leads to nothing', walk(beside, page({})), ['cursor-leads-on; nowhere; the answer was 400; 1 2']],
  [
    'and then leads to nothing, as the last page does where cursors are taken alone',
    [...walk(beside, page({ c: 3 })), ...walk(beside, page({}))],
    [],
  ],
])('a cursor that is refused %s', (_, told, expected) => {
  expect(failures(told)).toEqual(expected);
});

const short = { a: 1, b: 2 };
const days = { a: 24, b: 48, c: 72 };
/** An hour and a half into the month where time is universal, and in the month before where it is late. */
const turn = { e: 471 - 1.5 };

test.each<[string, readonly Told[], readonly string[]]>([
  [
    'the end of a list without a filter',
    [page(all), page(short), page(all)],
    [
      'walks-agree; page-size-irrelevant; /results; it is missing; 1 3 2',
      'walks-agree; page-size-irrelevant; /results; it is missing; 1 3 2',
    ],
  ],
  [
    'the end of a list with one',
    [windowed('last30Days', all), windowed('last30Days', short), windowed('last30Days', all)],
    [
      'walks-agree; page-size-irrelevant; /results; it is missing; 1 3 2',
      'walks-agree; page-size-irrelevant; /results; it is missing; 1 3 2',
    ],
  ],
  [
    'what lies between two pages',
    [
      windowed('today', all),
      { query: { timeFilter: 'today', limit: 2 }, ...page({ a: 1, b: 2 }, 'x') },
      { query: { timeFilter: 'today', limit: 2, cursor: 'x' }, ...page({ d: 4 }) },
      windowed('today', all),
    ],
    ['walks-agree; cursor-continues; /results; it is missing; 1 4 2 3'],
  ],
  [
    'the end of a window',
    [windowed('allTime', days), windowed('last30Days', { a: 24, b: 48 }), windowed('allTime', days)],
    ['time-filter-last30Days; time-filter-meaning; /results; it is missing; 1 3 2'],
  ],
  [
    'the end of a window that a later reading shows',
    [
      windowed('allTime', days),
      windowed('last30Days', { a: 24, b: 48 }),
      windowed('allTime', days),
      windowed('last30Days', days),
    ],
    [],
  ],
  [
    'what is in two months, where it is of neither',
    [windowed('monthToDate', { a: 1 }), windowed('lastMonth', { a: 1 }), windowed('monthToDate', { a: 1 })],
    ['time-filter-lastMonth; time-filter-meaning; /results/0/createdAt; one of "2026-05-20T14:30:00.000Z"; 2'],
  ],
  [
    'what is in two months',
    [windowed('monthToDate', turn), windowed('lastMonth', turn), windowed('monthToDate', turn)],
    ['windows-nest; /results/0; result "e" of "2026-05-01T02:00:00.000Z" in both; 1 3 2'],
  ],
])('%s', (_, told, expected) => {
  expect(failures(told)).toEqual(expected);
});

test('what was judged gives no reason why it was not', () => {
  const told = [page({ a: 1 }, 'x'), { query: { cursor: 'x' }, ...page({ b: 2 }, 'y') }];
  const reason = (of: readonly Told[]): string | undefined => verdicts(of).get('walk-once-each')?.missing?.reason;
  expect([reason(told.slice(0, 1)), reason(told)]).toEqual(['No list had a second page.', undefined]);
});

test('every check has a title of its own', () => {
  expect(new Set(listResultsChecks.map(({ title }) => title)).size).toBe(listResultsChecks.length);
});
