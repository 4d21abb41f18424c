import { sampleHistory, type SampleExchange } from '../../testing/sample-exchange.ts';
import { createListRefusals, createParameterCounts, type BlamedList } from './list-refusals.ts';
import { readSelection } from './selection.ts';

/** Lists of one agent; those of queries that start with "!" are refused. */
const historyOf = (queries: readonly string[]): readonly SampleExchange[] =>
  queries.map((query) => ({
    query: Object.fromEntries(new URLSearchParams(query.replace('!', ''))),
    status: query.startsWith('!') ? 400 : 200,
  }));

function refusalsOf(samples: readonly SampleExchange[]): readonly BlamedList[] {
  const refusals = createListRefusals();
  for (const exchange of sampleHistory(samples)) refusals.see(exchange);
  return refusals.all();
}

const taken = 'cursor=x&limit=5';
/** The cursor is taken more often than this limit. */
const beside = [taken, taken, taken, '!cursor=x&limit=2'];

test.each<[string, readonly string[], readonly string[]]>([
  ['one limit', ['', '!limit=2'], ['limit']],
  ['one filter', ['', '!timeFilter=today'], ['filter']],
  ['a filter beside a limit that is taken', ['limit=2', '!limit=2&timeFilter=today'], ['filter']],
  ['a limit and a filter that were never taken', ['', '!limit=2&timeFilter=today'], ['request']],
  ['one cursor', ['', '!cursor=x'], ['cursor']],
  ['a list without parameters', ['limit=1', '!', '!limit=2'], ['request', 'request']],
  ['every list', ['limit=1', '!limit=1&timeFilter=today', '!limit=3&timeFilter=last7Days'], ['request', 'request']],
  [
    'lists of several limits and filters, before one is taken again',
    ['limit=1', '!limit=1&timeFilter=today', '!limit=3&timeFilter=last7Days', 'limit=1'],
    ['filter', 'request'],
  ],
  ['cursors beside any limit and filter', [...beside, '!cursor=x&timeFilter=today', ''], ['cursor', 'cursor']],
  ['a limit beside a cursor that is taken', [...beside, ''], ['limit']],
  ['a cursor that is taken once', ['', 'cursor=x&limit=5', '!cursor=x&limit=2', ''], ['cursor']],
  ['what the specification leaves open', ['', '!limit=101'], []],
])('blames the responsible part for the refusal of %s', (_, queries, blamed) => {
  expect(refusalsOf(historyOf(queries)).map(({ by }) => by)).toEqual(blamed);
});

test('blames nothing for the refusal of a busy server', () => {
  expect(refusalsOf([{}, { query: { limit: 2 }, status: 503 }])).toEqual([]);
});

test.each<[string, readonly string[], boolean]>([
  ['before and after it', ['', '!limit=2', ''], true],
  ['only before it', ['', '!limit=2'], false],
  ['only after it', ['!limit=2', ''], false],
])('a list that is accepted %s is a control', (_, queries, isControl) => {
  expect(refusalsOf(historyOf(queries)).map(({ control }) => control !== undefined)).toEqual([isControl]);
});

const of = (query: string) => readSelection([...new URLSearchParams(query)]);

/** Counts of queries; those that start with "!" are refused. */
function countsOf(...queries: readonly string[]) {
  const counts = createParameterCounts();
  for (const query of queries) counts.note(of(query.replace('!', '')), !query.startsWith('!'));
  return counts;
}

test('counts requests by parameter and value, accepted or refused', () => {
  const counts = countsOf('', 'limit=5', '!limit=5', 'limit=7&timeFilter=today');
  expect([counts.requests('request'), counts.requests('limit'), counts.requests('filter')]).toEqual([4, 3, 1]);
  expect(counts.requests('cursor')).toBe(0);
  const bare = [counts, countsOf('!limit=5'), countsOf('!')].map((one) => one.isBareRefused());
  expect(bare).toEqual([false, false, true]);
});

test.each<[string, readonly string[], readonly [string, string], -1 | 0 | 1]>([
  ['refused more often', ['!limit=5', 'filter=x', 'limit=7', '!limit=7'], ['limit=5', 'limit=7'], -1],
  ['refused less often', ['limit=5', '!limit=5', '!limit=7'], ['limit=5', 'limit=7'], 1],
  ['refused once for one value, and always for many', ['!limit=5', '!limit=7', '!limit=7'], ['limit=5', 'limit=7'], 1],
  ['never refused', ['limit=5', 'limit=7'], ['limit=5', 'limit=7'], 0],
  ['refused alike', ['!limit=5', '!limit=7'], ['limit=5', 'limit=7'], 0],
])('a parameter that is %s', (_, queries, [one, other], sign) => {
  expect(Math.sign(countsOf(...queries).compare(one, other))).toBe(sign);
});
