import { createLists, type List } from '../history/facts/lists.ts';
import { sampleExchange } from '../testing/sample-exchange.ts';
import { disorderOn, isOrderly, pageOf, positionsIn } from './relations.ts';
import cases from '../testing/list-orders.json';

const base = Date.UTC(2026, 4, 20, 12);
const timeOf = (minutes: number): string => new Date(base - minutes * 60_000).toISOString();

/** Pages of results, given by their ages in minutes. A result has its age as its name; `?` is an unreadable time. */
function listOf(pages: string, ends = true): List {
  const lists = createLists();
  const inPages = pages.split('|').map((page) => page.match(/\S+/g) ?? []);
  for (const [number, ages] of inPages.entries()) {
    const results = ages.map((age) => ({ id: `r${age}`, createdAt: age === '?' ? 'soon' : timeOf(Number(age)) }));
    const nextCursor = number + 1 < inPages.length || !ends ? `to ${number + 1}` : null;
    const query: Record<string, string> = number === 0 ? {} : { cursor: `to ${number}` };
    lists.see(sampleExchange({ n: 2 * number + 2, query, json: { results, nextCursor } }));
  }
  const [list] = lists.all;
  if (!list) throw new Error('no list');
  return list;
}

test.each(cases.disorders as [string, string, object | null][])('the order of a list %s', (_, pages, expected) => {
  const list = listOf(pages);
  const found = disorderOn(list, list.pages.length - 1);
  expect(found && { ...found, earlier: found.earlier.id, later: found.later.id }).toEqual(expected ?? undefined);
});

test.each(cases.orders as [string, string, boolean][])('whether a list is in order: %s', (_, pages, expected) => {
  expect(isOrderly(listOf(pages))).toBe(expected);
});

test.each(cases.positions as [string, string, boolean, string, string][])(
  'the expected place of a result: %s',
  (_, pages, ends, age, expected) => {
    const [row] = listOf(age).rows;
    expect(row && positionsIn(listOf(pages, ends))(row)).toBe(expected);
  },
);

test('a result belongs to the first page that shows it', () => {
  const list = listOf('1 2 | 2 3');
  expect(['r1', 'r2', 'r3', 'r4'].map((id) => pageOf(list, id))).toEqual([0, 0, 1, -1]);
});
