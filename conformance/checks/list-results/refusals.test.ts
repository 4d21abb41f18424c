import { sampleExchange, type SampleExchange } from '../../testing/sample-exchange.ts';
import { createRefusals } from './refusals.ts';

type Query = NonNullable<SampleExchange['query']>;
const takes = (query: Query): Omit<SampleExchange, 'n'> => ({ query });
const refuses = (query: Query): Omit<SampleExchange, 'n'> => ({ query, status: 400 });

test.each<[string, readonly Omit<SampleExchange, 'n'>[], readonly string[]]>([
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
])('blames the responsible part for the refusal of %s', (_, told, blamed) => {
  const refusals = createRefusals();
  for (const [i, one] of told.entries()) refusals.see(sampleExchange({ ...one, n: 2 * i + 2 }));
  expect(refusals.all().map(({ by }) => by)).toEqual(blamed);
});
