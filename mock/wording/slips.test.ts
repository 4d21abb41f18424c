import type { Json } from '../../text/json.ts';
import { instantMeant } from './query-slips.ts';
import { abridged, asType, orMeant, slipOf } from './slips.ts';
import rows from '../testing/slips.json';

const read = [...rows.read, ['object', `{"a":"${'x'.repeat(100_000)}"}`]] as [string, Json, Json?][];
test.each(read)('as %s, %j is read as %j', (type, value, ...[expected]) => {
  expect(asType(type, value)).toEqual(expected);
});

test('a text is shown with up to 100 characters, what is no JSON as it is, and no question without a suggestion', () => {
  expect(abridged('x'.repeat(98))).toBe(`"${'x'.repeat(98)}"`);
  expect(abridged('x'.repeat(99))).toBe(`"${'x'.repeat(99)}…`);
  expect([abridged(undefined), orMeant(undefined), orMeant('a')]).toEqual(['undefined', '', ' Did you mean a?']);
});

const suggestions = rows.suggestions as [string, string[], string?][];
test.each(suggestions)('for %s the suggestion among %j is %s', (typed, known, ...[expected]) => {
  expect(slipOf(typed, known)).toBe(expected);
});

test.each(rows.instants as [string, string?][])('for the instant %j the suggestion is %j', (value, ...[expected]) => {
  expect(instantMeant(value, 'UTC')).toBe(expected);
});
