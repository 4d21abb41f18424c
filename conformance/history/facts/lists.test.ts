import { parameter } from '../../http/exchange.ts';
import { createLists, hasEnded, type Lists } from './lists.ts';
import { sampleExchange, type SampleExchange } from '../../testing/sample-exchange.ts';

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
    'lists that wait for the same cursor differ in their parameters',
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
    'a cursor that is refused beside parameters is sent alone',
    [
      { query: { limit: 2 }, json: page('ab', 'x') },
      { query: { limit: 2, cursor: 'x' }, status: 400 },
      { query: { cursor: 'x' }, json: page('cd', 'y') },
      { query: { cursor: 'y' }, json: page('e', null) },
    ],
    ['ab|cd|e'],
  ],
  [
    'a cursor alone that was not refused before starts another list',
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
    'a cursor after a request to retry',
    [
      { json: page('ab', 'x') },
      { query: { cursor: 'x' }, status: 429 },
      { query: { cursor: 'x' }, json: page('c', null) },
    ],
    ['ab|c'],
  ],
  ['callers without access', [{ caller: 'none', json: page('ab', null) }], []],
])('%s', (_, exchanges, expected) => {
  expect(shown(listsOf(...exchanges))).toEqual(expected);
});

test('null ends a list; an absent cursor breaks the shape, and says nothing about what follows', () => {
  const ends = [undefined, null, 'x'].map((cursor) => listsOf({ json: page('a', cursor) }).all[0]);
  expect(ends.map((list) => list && hasEnded(list))).toEqual([false, true, false]);
});

test('a refused cursor breaks a list off, unless it is accepted later', () => {
  const refused: Omit<SampleExchange, 'n'>[] = [
    { query: { limit: 2 }, json: page('ab', 'x') },
    { query: { limit: 2, cursor: 'x' }, status: 400 },
  ];
  expect(listsOf(...refused).all[0]?.brokenBy).toMatchObject({ status: 400, ways: new Set(['beside']) });
  const empty = listsOf(...refused, { query: { cursor: 'x' }, json: page('', null) });
  expect(empty.all[0]?.brokenBy).toMatchObject({ status: 400, ways: new Set(['beside', 'alone']) });
  const taken = listsOf(...refused, { query: { cursor: 'x' }, json: page('c', null) });
  expect(taken.all[0]?.brokenBy).toBeUndefined();
});

test('repeated and new results', () => {
  const [list] = listsOf({ json: page('ab', 'x') }, { query: { cursor: 'x' }, json: page('cba', 'y') }).all;
  expect(list?.pages.map(({ repeat, fresh }) => [repeat, fresh])).toEqual([
    [undefined, 2],
    [1, 1],
  ]);
});

test('a repeated result is kept once, and its page knows the newest result of earlier pages', () => {
  const [list] = listsOf({ json: page('ab', 'x') }, { query: { cursor: 'x' }, json: page('ab', 'y') }).all;
  const [first, second] = list?.pages ?? [];
  expect(second?.rows.map((row, index) => row === first?.rows[index])).toEqual([true, true]);
  expect([first?.newestBefore, second?.newestBefore]).toEqual([-Infinity, Date.UTC(2026, 4, 20, 12)]);
});

test('keeps the latest of very many lists, and all of one very long list', () => {
  const many = listsOf(...Array.from({ length: 2001 }, (_, n) => ({ json: page(String.fromCodePoint(0x4e00 + n)) })));
  expect(many.all.length).toBe(2000);
  expect(many.all[0]?.rows[0]?.id).toBe('\u4e01');
  const results = Array.from({ length: 1000 }, (_, n) => ({ id: `r${n}` }));
  const long = listsOf(
    ...Array.from({ length: 401 }, (_, n) => ({
      ...(n === 0 ? {} : { query: { cursor: 'x' } }),
      json: { results, nextCursor: 'x' },
    })),
  );
  expect(long.all.map(({ pages }) => pages.length)).toEqual([401]);
  long.see(sampleExchange({ n: 9999, agentId: 'b', json: page('a', null) }));
  expect(shown(long)).toEqual(['a']);
});

test('uses the first parameter of a name', () => {
  const exchange = sampleExchange({ n: 1, query: { limit: 3, cursor: 'x' } });
  expect([parameter(exchange, 'limit'), parameter(exchange, 'cursor'), parameter(exchange, 'start')]).toEqual([
    '3',
    'x',
    undefined,
  ]);
});

test('counts unreadable results and leaves them out', () => {
  const [list] = listsOf({ json: { results: [{ id: 'a' }, {}, null], nextCursor: 7 } }).all;
  expect(list?.pages[0]).toMatchObject({ count: 3, isWhole: false, nextCursor: undefined });
});
