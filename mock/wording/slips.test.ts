import type { Json } from '../../text/json.ts';
import { instantMeant } from './query-slips.ts';
import { abridged, asType, orMeant, slipOf } from './slips.ts';

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
])('as %s, %j is read as %j', (type, value, expected) => {
  expect(asType(type, value)).toEqual(expected);
});

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

test.each([
  ['name', ['name'], 'name'],
  ['Na_Me', ['name'], 'name'],
  ['nbme', ['name'], 'name'],
  ['nbmf', ['name'], undefined],
  ['limits', ['timers'], undefined],
  ['setings', ['settings'], 'settings'],
  ['setingz', ['settings'], 'settings'],
  ['zetingz', ['settings'], undefined],
  ['agent', ['agentId'], 'agentId'],
  ['dom', ['domid'], undefined],
])('for %s the suggestion among %j is %s', (typed, known, expected) => {
  expect(slipOf(typed, known)).toBe(expected);
});

test.each([
  ['2026-05-01', undefined],
  ['2026/05/01', '2026-05-01'],
  ['2026.5.1', '2026-05-01'],
  [' 2026-05-01 ', '2026-05-01'],
  ['2026-05-01 10:30', '2026-05-01T10:30'],
  ['2026/5/1 10:30:15', '2026-05-01T10:30:15'],
  ['2026/5/1 10:30Z', '2026-05-01T10:30Z'],
  ['2026/5/1  10:30+02:00', '2026-05-01T10:30+02:00'],
  ['2026/5/1T10:30:15-11:30', '2026-05-01T10:30:15-11:30'],
  ['2026/5/1 10:30+2:00', undefined],
  ['2026/13/1', undefined],
  ['2026/5', undefined],
  ['1779291000', '2026-05-20T15:30:00.000Z'],
  ['1779291000000', '2026-05-20T15:30:00.000Z'],
  ['17792910000', undefined],
])('for the instant %j the suggestion is %j', (value, expected) => {
  expect(instantMeant(value, 'UTC')).toBe(expected);
});
