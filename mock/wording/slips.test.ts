import type { Json } from '../json.ts';
import { abridged, asType, orMeant } from './slips.ts';

test.each<[string, Json, Json | undefined]>([
  ['string', 12, '12'],
  ['string', false, 'false'],
  ['string', null, undefined],
  ['string', ['a'], undefined],
  ['number', '12', 12],
  ['number', '-1.5', -1.5],
  ['number', '1e5', undefined],
  ['number', ' 1', undefined],
  ['number', '9'.repeat(15), 999_999_999_999_999],
  ['number', '9'.repeat(16), undefined],
  ['number', true, undefined],
  ['boolean', 'TRUE', true],
  ['boolean', 'False', false],
  ['boolean', 'truely', undefined],
  ['boolean', 'untrue', undefined],
  ['boolean', 1, true],
  ['boolean', 0, false],
  ['boolean', 2, undefined],
  ['array', ' ["a"]', ['a']],
  ['array', '{"a":1}', undefined],
  ['array', '[', undefined],
  ['array', 'a', undefined],
  ['array', { a: 1 }, [{ a: 1 }]],
  ['array', null, undefined],
  ['object', '{"a":1}', { a: 1 }],
  ['object', '[{"a":1}]', undefined],
  ['object', [{ a: 1 }], undefined],
  ['object', `{"a":"${'x'.repeat(100_000)}"}`, undefined],
  ['null', 'null', undefined],
])('as %s, %j is %j', (type, value, expected) => {
  expect(asType(type, value)).toEqual(expected);
});

test.each([
  [98, 100, false],
  [99, 100, true],
])('a text of %d characters is shown with %d', (length, shown, isCut) => {
  expect(abridged('x'.repeat(length))).toBe(`"${'x'.repeat(length)}"`.slice(0, shown) + (isCut ? '…' : ''));
});

test('what is no JSON is shown as it is, and what is not meant is not asked', () => {
  expect(abridged(undefined)).toBe('undefined');
  expect([orMeant(undefined), orMeant('a')]).toEqual(['', ' Did you mean a?']);
});
