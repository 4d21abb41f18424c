import { readSelection } from '../../history/facts/selection.ts';
import { createParameterCounts, parametersOf, type Parameter } from './parameter-counts.ts';

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
  expect([counts.all, counts.requests('limit'), counts.requests('limit', '5'), counts.requests('filter')]).toEqual([
    4, 3, 2, 1,
  ]);
  expect(counts.requests('limit', '8')).toBe(0);
  expect([counts.isBareRefused, countsOf('!limit=5').isBareRefused, countsOf('!').isBareRefused]).toEqual([
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
