import facts from '../../testing/facts.json';
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
  const refusals = createListRefusals({ creationOf: () => undefined });
  for (const exchange of sampleHistory(samples)) refusals.see(exchange);
  return refusals.all();
}

test.each(facts.blamed as unknown as [string, string[], string[]][])(
  'blames the responsible part for the refusal of %s',
  (_, queries, blamed) => {
    expect(refusalsOf(historyOf(queries)).map(({ by }) => by)).toEqual(blamed);
  },
);

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

/** Counts of queries; those that start with "!" are refused. */
function countsOf(...queries: readonly string[]) {
  const counts = createParameterCounts();
  for (const query of queries)
    counts.note(readSelection([...new URLSearchParams(query.replace('!', ''))]), !query.startsWith('!'));
  return counts;
}

test('counts requests by parameter and value, accepted or refused', () => {
  const counts = countsOf('', 'limit=5', '!limit=5', 'limit=7&timeFilter=today');
  expect([counts.requests('request'), counts.requests('limit'), counts.requests('filter')]).toEqual([4, 3, 1]);
  expect(counts.requests('cursor')).toBe(0);
  const bare = [counts, countsOf('!limit=5'), countsOf('!')].map((one) => one.isBareRefused());
  expect(bare).toEqual([false, false, true]);
});

test.each(facts.compared as unknown as [string, string[], [string, string], number][])(
  'a parameter that is %s',
  (_, queries, [one, other], sign) => {
    expect(Math.sign(countsOf(...queries).compare(one, other))).toBe(sign);
  },
);
