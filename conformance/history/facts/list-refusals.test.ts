import { sampleHistory, type SampleExchange } from '../../testing/sample-exchange.ts';
import { createListRefusals, createParameterCounts, parametersOf, type Parameter } from './list-refusals.ts';
import { readSelection } from './selection.ts';

type Query = NonNullable<SampleExchange['query']>;
const takes = (query: Query): SampleExchange => ({ query });
const refuses = (query: Query): SampleExchange => ({ query, status: 400 });

test.each<[string, readonly SampleExchange[], readonly string[]]>([
  ['one limit', [takes({}), refuses({ limit: 2 })], ['limit']],
  ['one filter', [takes({}), refuses({ timeFilter: 'today' })], ['filter']],
  [
    'a filter beside a limit that is taken',
    [takes({ limit: 2 }), refuses({ limit: 2, timeFilter: 'today' })],
    ['filter'],
  ],
  ['a limit and a filter that were never taken', [takes({}), refuses({ limit: 2, timeFilter: 'today' })], ['request']],
  ['one cursor', [takes({}), refuses({ cursor: 'x' })], ['cursor']],
  ['a list without parameters', [takes({ limit: 1 }), refuses({}), refuses({ limit: 2 })], ['request', 'request']],
  [
    'every list, whatever its limit and filter',
    [takes({ limit: 1 }), refuses({ limit: 1, timeFilter: 'today' }), refuses({ limit: 3, timeFilter: 'last7Days' })],
    ['request', 'request'],
  ],
  [
    'lists of several limits and filters, before one is taken again',
    [
      takes({ limit: 1 }),
      refuses({ limit: 1, timeFilter: 'today' }),
      refuses({ limit: 3, timeFilter: 'last7Days' }),
      takes({ limit: 1 }),
    ],
    ['filter', 'request'],
  ],
  ['a busy server', [takes({}), { query: { limit: 2 }, status: 503 }], []],
  ['what the specification leaves open', [takes({}), refuses({ limit: 101 })], []],
])('blames the responsible part for the refusal of %s', (_, samples, blamed) => {
  const refusals = createListRefusals();
  for (const exchange of sampleHistory(samples)) refusals.see(exchange);
  expect(refusals.all().map(({ by }) => by)).toEqual(blamed);
});

const of = (query: string) => readSelection([...new URLSearchParams(query)]);

/** Counts of queries; those that start with "!" are refused. */
function countsOf(...queries: readonly string[]) {
  const counts = createParameterCounts();
  for (const query of queries) counts.note(of(query.replace('!', '')), !query.startsWith('!'));
  return counts;
}

test.each<[string, readonly (readonly [Parameter, string])[]]>([
  ['', []],
  ['limit=5', [['limit', 'limit=5']]],
  [
    'limit=5&timeFilter=today',
    [
      ['limit', 'limit=5'],
      ['filter', 'filter=today'],
    ],
  ],
  ['cursor=x', [['cursor', 'cursor alone']]],
  [
    'cursor=x&limit=5',
    [
      ['cursor', 'cursor beside'],
      ['limit', 'limit=5'],
    ],
  ],
])('"%s" gives %j', (query, given) => {
  expect(parametersOf(of(query))).toEqual(given);
});

test('counts requests by parameter and value, accepted or refused', () => {
  const counts = countsOf('', 'limit=5', '!limit=5', 'limit=7&timeFilter=today');
  expect([counts.requests('request'), counts.requests('limit'), counts.requests('filter')]).toEqual([4, 3, 1]);
  expect(counts.requests('cursor')).toBe(0);
  expect([counts.isBareRefused(), countsOf('!limit=5').isBareRefused(), countsOf('!').isBareRefused()]).toEqual([
    false,
    false,
    true,
  ]);
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
