import { createLists, type List } from '../history/facts/lists.ts';
import { sampleExchange } from '../testing/sample-exchange.ts';
import { disorderOn, isOrderly, pageOf, positionsIn } from './relations.ts';

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

test.each<[string, string, object | undefined]>([
  ['newest first', '1 2 | 3 4', undefined],
  ['with equal times', '1 1 | 1', undefined],
  ['with a newer one on a page', '1 | 5 3 4', { earlier: 'r5', later: 'r3', pages: [1, 1], index: 1 }],
  ['with a newer one on the next page', '1 5 | 4 6', { earlier: 'r5', later: 'r4', pages: [0, 1], index: 0 }],
  ['with an empty page between', '1 5 | | 4', { earlier: 'r5', later: 'r4', pages: [0, 2], index: 0 }],
  ['that starts over at its head', '1 2 | 1 2', undefined],
  ['that starts over with something newer', '1 5 | 0 1', undefined],
  ['with something newer than its head', '1 5 | 0 6', { earlier: 'r5', later: 'r0', pages: [0, 1], index: 0 }],
  ['with an unreadable time', '5 ? 3', undefined],
])('the order of a list %s', (_, pages, expected) => {
  const list = listOf(pages);
  const found = disorderOn(list, list.pages.length - 1);
  expect(found && { ...found, earlier: found.earlier.id, later: found.later.id }).toEqual(expected);
});

test.each<[string, string, boolean]>([
  ['newest first', '1 2 | 3 4', true],
  ['empty', '', true],
  ['that starts over', '1 2 | 2 3', false],
  ['that starts over with something newer', '1 5 | 0 6', false],
  ['out of order', '2 1', false],
])('whether a list is in order: %s', (_, pages, expected) => {
  expect(isOrderly(listOf(pages))).toBe(expected);
});

test.each<[string, string, boolean, string, string]>([
  ['newer than all', '10 20 | 30 40', true, '5', 'head'],
  ['as new as the newest', '10 20 | 30 40', true, '10', 'head'],
  ['within a page', '10 20 | 30 40', true, '15', 'inside'],
  ['as old as the end of a page', '10 20 | 30 40', true, '20', 'between'],
  ['between pages', '10 20 | 30 40', true, '25', 'between'],
  ['as new as the beginning of a page', '10 20 | 30 40', true, '30', 'between'],
  ['within the last page', '10 20 | 30 40', true, '39', 'inside'],
  ['older than all', '10 20 | 30 40', true, '50', 'end'],
  ['older than all that was read', '10 20 | 30 40', false, '50', 'beyond'],
  ['with an unreadable time', '10 20 | 30 40', true, '?', 'unknown'],
  ['with an unreadable time, in a list that goes on', '10 20 | 30 40', false, '?', 'beyond'],
  ['in an empty list', '', true, '5', 'end'],
  ['as new as the only result', '10', true, '10', 'end'],
])('the expected place of a result: %s', (_, pages, ends, age, expected) => {
  const [row] = listOf(age).rows;
  expect(row && positionsIn(listOf(pages, ends))(row)).toBe(expected);
});

test('a result belongs to the first page that shows it', () => {
  const list = listOf('1 2 | 2 3');
  expect(['r1', 'r2', 'r3', 'r4'].map((id) => pageOf(list, id))).toEqual([0, 0, 1, -1]);
});
