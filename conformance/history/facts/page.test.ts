import { sampleExchange } from '../../testing/sample-exchange.ts';
import { readResultsPage, type ResultsPage } from './page.ts';

const pageOf = (json: unknown): ResultsPage => {
  const page = readResultsPage(sampleExchange({ n: 2, json }));
  if (typeof page === 'string') throw new Error(page);
  return page;
};
const results = (length: number): object[] => Array.from({ length }, (_, index) => ({ id: `r${index}` }));

test('reads a thousand results of a page, and counts all', () => {
  const of = (length: number): unknown[] => {
    const { count, rows, isWhole } = pageOf({ results: results(length), nextCursor: null });
    return [count, rows.length, isWhole];
  };
  expect([of(1000), of(1001)]).toEqual([
    [1000, 1000, true],
    [1001, 1000, false],
  ]);
});

test.each<[string, unknown, unknown]>([
  ['null', null, null],
  ['a text', 'x', 'x'],
  ['the longest text', 'x'.repeat(8000), 'x'.repeat(8000)],
  ['a longer text', 'x'.repeat(8001), undefined],
  ['a number', 7, undefined],
  ['nothing', undefined, undefined],
])('the cursor that %s is', (_, nextCursor, read) => {
  expect(pageOf({ results: [], nextCursor }).nextCursor).toBe(read);
});

test('keeps of a result only what is shown', () => {
  const rowOf = (result: object): ResultsPage['rows'][number] | undefined => pageOf({ results: [result] }).rows[0];
  expect(rowOf({ id: 'x'.repeat(1000) })?.id).toHaveLength(1000);
  expect(rowOf({ id: 'x'.repeat(1001) })).toBeUndefined();
  const rows = ['x'.repeat(200), 'x'.repeat(201), [1], { a: 1 }, 7].map((createdAt) => rowOf({ id: 'a', createdAt }));
  expect(rows.map((row) => row?.createdAt)).toEqual(['x'.repeat(200), 'x'.repeat(200), [], {}, 7]);
});

test.each([
  [{}, false],
  [{ isArchived: true }, true],
  [{ hasStarted: false }, true],
  [{ isArchived: false, hasStarted: true }, false],
])('whether a result with %j is idle: %s', (fields, isIdle) => {
  expect(pageOf({ results: [{ id: 'a', ...fields }] }).rows[0]?.isIdle).toBe(isIdle);
});

test('an answer without results is not a page, and says why', () => {
  expect(readResultsPage(sampleExchange({ n: 2, json: { results: 7 } }))).toBe('an answer holds no array of results');
  const exchange = sampleExchange({ n: 2 });
  expect(readResultsPage({ ...exchange, answer: { ...exchange.answer, problem: 'no JSON' } })).toBe(
    'a page was no JSON',
  );
});
