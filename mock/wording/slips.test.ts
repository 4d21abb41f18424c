import type { Json } from '../../text/json.ts';
import { instantMeant } from './query-slips.ts';
import { abridged, asType, orMeant, slipOf } from './slips.ts';
import rows from '../testing/slips.json';

test.each([...(rows.read as [string, Json, Json?][]), ['object', `{"a":"${'x'.repeat(100_000)}"}`, undefined]])(
  'as %s, %j is read as %j',
  (type, value, ...[expected]) => {
    expect(asType(type, value)).toEqual(expected);
  },
);

test.each([
  [98, 100, false],
  [99, 100, true],
])('a text of %d characters is shown with %d', (length, shown, isCut) => {
  expect(abridged('x'.repeat(length))).toBe(`"${'x'.repeat(length)}"`.slice(0, shown) + (isCut ? '…' : ''));
});

test('a value outside JSON is shown as it is, and without a suggestion there is no question', () => {
  expect(abridged(undefined)).toBe('undefined');
  expect([orMeant(undefined), orMeant('a')]).toEqual(['', ' Did you mean a?']);
});

const suggestions = rows.suggestions as [string, string[], string?][];
test.each(suggestions)('for %s the suggestion among %j is %s', (typed, known, ...[expected]) => {
  expect(slipOf(typed, known)).toBe(expected);
});

test.each(rows.instants as [string, string?][])('for the instant %j the suggestion is %j', (value, ...[expected]) => {
  expect(instantMeant(value, 'UTC')).toBe(expected);
});
