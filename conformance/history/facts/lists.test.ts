import { queryValue, type Caller } from '../../http/exchange.ts';
import { createLists, hasEnded, type Lists } from './lists.ts';
import facts from '../../testing/facts.json';
import { sampleExchange, sampleHistory, type SampleExchange } from '../../testing/sample-exchange.ts';

const page = (ids: string, nextCursor?: string | null): object => ({
  results: ids.split('').map((id) => ({ id, createdAt: '2026-05-20T12:00:00Z' })),
  ...(nextCursor === undefined ? {} : { nextCursor }),
});

function listsOf(samples: readonly SampleExchange[]): Lists {
  const lists = createLists();
  for (const exchange of sampleHistory(samples)) lists.see(exchange);
  return lists;
}

/** Requests with their answers: `limit=2&cursor=x: ab>y` is a page of two results and a cursor, `cursor=x: 400` a refusal. */
const walked = (...requests: readonly string[]): readonly SampleExchange[] =>
  requests.map((request) => {
    const [query = '', answer = ''] = request.split(': ');
    const { agentId, caller, ...others } = Object.fromEntries(new URLSearchParams(query));
    const [ids = '', next = null] = answer.split('>');
    const about = { agentId, caller: caller as Caller | undefined, query: others };
    if (/^\d+$/.test(ids)) return { ...about, status: Number(ids) };
    return { ...about, json: page(ids, next) };
  });

const shown = ({ all }: Lists): readonly string[] =>
  all.map(({ pages }) => pages.map(({ rows }) => rows.map(({ id }) => id).join('')).join('|'));

test.each(facts.lists as unknown as [string, string[], string[]][])('%s', (_, requests, expected) => {
  expect(shown(listsOf(walked(...requests)))).toEqual(expected);
});

test('null ends a list; an absent cursor breaks the shape, and says nothing about what follows', () => {
  const ends = [undefined, null, 'x'].map((cursor) => listsOf([{ json: page('a', cursor) }]).all[0]);
  expect(ends.map((list) => list && hasEnded(list))).toEqual([false, true, false]);
});

test('a refused cursor breaks a list off, unless it is accepted later', () => {
  const brokenBy = (...later: readonly string[]) =>
    listsOf(walked('limit=2: ab>x', 'limit=2&cursor=x: 400', ...later)).all[0]?.brokenBy;
  expect(brokenBy()).toMatchObject({ status: 400, ways: new Set(['beside']) });
  expect(brokenBy('cursor=x: ')).toMatchObject({ status: 400, ways: new Set(['beside', 'alone']) });
  expect(brokenBy('cursor=x: c')).toBeUndefined();
});

test('repeated and new results', () => {
  const [list] = listsOf(walked(': ab>x', 'cursor=x: cba>y')).all;
  expect(list?.pages.map(({ repeat, fresh }) => `${repeat} ${fresh}`)).toEqual(['undefined 2', '1 1']);
});

test('a repeated result is kept once, and its page knows the newest result of earlier pages', () => {
  const [list] = listsOf(walked(': ab>x', 'cursor=x: ab>y')).all;
  const [first, second] = list?.pages ?? [];
  expect(second?.rows.map((row, index) => row === first?.rows[index])).toEqual([true, true]);
  expect([first?.newestBefore, second?.newestBefore]).toEqual([-Infinity, Date.UTC(2026, 4, 20, 12)]);
});

test('keeps the latest of very many lists, and all of one very long list', () => {
  const many = listsOf(Array.from({ length: 2001 }, (_, n) => ({ json: page(String.fromCodePoint(0x4e00 + n)) })));
  expect(many.all.length).toBe(2000);
  expect(many.all[0]?.rows[0]?.id).toBe('\u4e01');
  const results = Array.from({ length: 1000 }, (_, n) => ({ id: `r${n}` }));
  const json = { results, nextCursor: 'x' };
  const next: SampleExchange = { query: { cursor: 'x' }, json };
  const long = listsOf([{ json }, ...Array.from({ length: 400 }, () => next)]);
  expect(long.all.map(({ pages }) => pages.length)).toEqual([401]);
  long.see(sampleExchange({ n: 9999, agentId: 'b', json: page('a', null) }));
  expect(shown(long)).toEqual(['a']);
});

test('reads the parameters of a query', () => {
  const exchange = sampleExchange({ query: { limit: 3, cursor: 'x' } });
  expect(['limit', 'cursor', 'start'].map((name) => queryValue(exchange, name))).toEqual(['3', 'x', undefined]);
});

test('counts unreadable results and leaves them out', () => {
  const [list] = listsOf([{ json: { results: [{ id: 'a' }, {}, { id: 7 }], nextCursor: 7 } }]).all;
  expect(list?.pages[0]).toMatchObject({ count: 3, isWhole: false, nextCursor: undefined });
});
