import { createLists, hasEnded, type Lists } from './lists.ts';
import { sampleExchange, type SampleExchange } from './sample-exchange.ts';

const page = (ids: string, nextCursor?: string | null): object => ({
  results: ids.split('').map((id) => ({ id, createdAt: '2026-05-20T12:00:00Z' })),
  ...(nextCursor === undefined ? {} : { nextCursor }),
});

function listsOf(...exchanges: readonly Omit<SampleExchange, 'n'>[]): Lists {
  const lists = createLists();
  for (const [n, one] of exchanges.entries()) lists.see(sampleExchange({ ...one, n: 2 * n + 2 }));
  return lists;
}

const shown = ({ all }: Lists): readonly string[] =>
  all.map(({ pages }) => pages.map(({ rows }) => rows.map(({ id }) => id).join('')).join('|'));

test.each<[string, readonly Omit<SampleExchange, 'n'>[], readonly string[]]>([
  ['a cursor leads on', [{ json: page('ab', 'x') }, { query: { cursor: 'x' }, json: page('c', null) }], ['ab|c']],
  [
    'lists that wait for the same cursor are told apart by their parameters',
    [
      { query: { limit: 2 }, json: page('ab', 'x') },
      { query: { limit: 3 }, json: page('abc', 'x') },
      { query: { limit: 2, cursor: 'x' }, json: page('cd', null) },
      { query: { limit: 3, cursor: 'x' }, json: page('def', null) },
    ],
    ['ab|cd', 'abc|def'],
  ],
  [
    'a cursor of one name is the same on every page',
    [
      { json: page('ab', 'scroll') },
      { query: { cursor: 'scroll' }, json: page('cd', 'scroll') },
      { query: { cursor: 'scroll' }, json: page('e', null) },
    ],
    ['ab|cd|e'],
  ],
  [
    'a cursor that is refused beside parameters is taken alone',
    [
      { query: { limit: 2 }, json: page('ab', 'x') },
      { query: { limit: 2, cursor: 'x' }, status: 400 },
      { query: { cursor: 'x' }, json: page('cd', 'y') },
      { query: { cursor: 'y' }, json: page('e', null) },
    ],
    ['ab|cd|e'],
  ],
  [
    'one that was not refused is another list',
    [
      { query: { limit: 2 }, json: page('ab', 'x') },
      { query: { cursor: 'x' }, json: page('zz', null) },
    ],
    ['ab', 'zz'],
  ],
  [
    'another agent, another caller',
    [
      { json: page('ab', 'x') },
      { agentId: 'b', query: { cursor: 'x' }, json: page('c', null) },
      { caller: 'read', query: { cursor: 'x' }, json: page('d', null) },
    ],
    ['ab', 'c', 'd'],
  ],
  [
    'a cursor after it was asked to come again',
    [
      { json: page('ab', 'x') },
      { query: { cursor: 'x' }, status: 429 },
      { query: { cursor: 'x' }, json: page('c', null) },
    ],
    ['ab|c'],
  ],
  ['callers who are not to be let in', [{ caller: 'none', json: page('ab', null) }], []],
])('%s', (_, exchanges, expected) => {
  expect(shown(listsOf(...exchanges))).toEqual(expected);
});

test('null is an end; an absent cursor breaks the shape, and says nothing of what follows', () => {
  const ends = [undefined, null, 'x'].map((cursor) => listsOf({ json: page('a', cursor) }).all[0]);
  expect(ends.map((list) => list && hasEnded(list))).toEqual([false, true, false]);
});

test('a refused cursor breaks a list off, and one that is accepted then does not', () => {
  const refused = [
    { query: { limit: 2 }, json: page('ab', 'x') },
    { query: { limit: 2, cursor: 'x' }, status: 400 },
  ];
  expect(listsOf(...refused).all[0]?.brokenBy).toMatchObject({ status: 400, ways: new Set(['beside']) });
  const empty = listsOf(...refused, { query: { cursor: 'x' }, json: page('', null) });
  expect(empty.all[0]?.brokenBy).toMatchObject({ status: 400, ways: new Set(['beside', 'alone']) });
  const taken = listsOf(...refused, { query: { cursor: 'x' }, json: page('c', null) });
  expect(taken.all[0]?.brokenBy).toBeUndefined();
});

test('what is repeated, and what is fresh', () => {
  const [list] = listsOf({ json: page('ab', 'x') }, { query: { cursor: 'x' }, json: page('cba', 'y') }).all;
  expect(list?.pages.map(({ repeat, fresh }) => [repeat, fresh])).toEqual([
    [undefined, 2],
    [1, 1],
  ]);
});

test('results that cannot be read are counted and left out', () => {
  const [list] = listsOf({ json: { results: [{ id: 'a' }, {}, null], nextCursor: 7 } }).all;
  expect(list?.pages[0]).toMatchObject({ count: 3, isWhole: false, nextCursor: undefined });
});
