import { editDistance, nearest } from './nearest.ts';

test.each([
  ['', '', 0, 0],
  ['limt', 'limit', 1, 1],
  ['limti', 'limit', 2, 1],
  ['lmiti', 'limit', 2, 2],
])('from %j to %j takes %i edits, and %i if neighbours may be swapped', (one, other, edits, withSwaps) => {
  expect(editDistance(one, other)).toBe(edits);
  expect(editDistance(other, one)).toBe(edits);
  expect(editDistance(one, other, true)).toBe(withSwaps);
});

test('the nearest comes first, in any case, and distant ones are left out', () => {
  expect(nearest('LIMT', ['time', 'limit', 'list', 'createdAt'])).toEqual(['limit', 'list', 'time']);
});

test.each([
  ['gap', ['gaps']],
  ['ascending', ['results-ascending']],
  ['', []],
])('%j is taken for %j', (typed, found) => {
  expect(nearest(typed, ['results-ascending', 'gaps', 'checks', 'limit-ignored'])).toEqual(found);
});
