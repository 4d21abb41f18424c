import { mayBeClockChange, parseTimestamp } from './timestamps.ts';

const ms = Date.UTC(2026, 4, 20, 15, 30, 5);

describe('parseTimestamp', () => {
  test.each<[string | number, number, boolean]>([
    ['2026-05-20T15:30:05Z', ms, true],
    ['2026-05-20T15:30:05.123Z', ms + 123, true],
    ['2026-05-20T15:30:05.123456789Z', ms + 123, true],
    ['2026-05-20t15:30:05z', ms, true],
    ['2026-05-20T21:00:05+05:30', ms, true],
    ['2026-05-20T10:30:05-0500', ms, true],
    ['2026-05-20T15:30:05', ms, false],
    ['20260520T153005Z', ms, true],
    ['2026-05-20', Date.UTC(2026, 4, 20), false],
    ['2026-05-20 15:30:05', ms, false],
    ['2026/05/20 15:30:05', ms, false],
    ['2026-05-20 15:30:05.123', ms + 123, false],
    ['2026-05-20 15:30:05Z', ms, true],
    ['2026-05-20 15:30:05 UTC', ms, true],
    ['2026-05-20 17:30:05+02', ms, true],
    ['2026-05-20 17:30:05 +02:00', ms, true],
    ['Wed, 20 May 2026 15:30:05 GMT', ms, true],
    ['Wed, 20 May 2026 15:30:05 UTC', ms, true],
    ['Wed, 20 May 2026 17:30:05 +0200', ms, true],
    ['20 May 2026 17:30:05 +0200', ms, true],
    ['Wednesday, 20-May-26 15:30:05 GMT', ms, true],
    ['Wed May 20 2026 17:30:05 GMT+0200 (Central European Summer Time)', ms, true],
    [String(ms), ms, true],
    [String(ms / 1000), ms, true],
    [`${ms / 1000}.25`, ms + 250, true],
    [`${ms}000`, ms, true],
    [`${ms}000000`, ms, true],
    [ms, ms, true],
    [ms / 1000, ms, true],
  ])('reads %j', (text, expected, zoneKnown) => {
    expect(parseTimestamp(text)).toMatchObject({ ms: expected, zoneKnown });
  });

  test.each<[unknown]>([
    ['day 140 of the year 2026, 15h30'],
    ['yesterday'],
    [''],
    ['42'],
    [42],
    [0],
    [-1],
    [Number.NaN],
    ['1899-01-01T00:00:00Z'],
    ['9999-01-01T00:00:00Z'],
    ['2026-02-30T00:00:00Z'],
    ['2026-13-01 00:00:00'],
    ['1'.repeat(5000)],
    [null],
    [undefined],
    [true],
    [{ ms }],
    [['2026-05-20T15:30:05Z']],
  ])('does not read %j', (value) => {
    expect(parseTimestamp(value)).toBeUndefined();
  });
});

test.each([
  ['a Sunday night', '2026-11-01 01:05:00', '2026-11-01 01:55:00', true],
  ['a Thursday night on which clocks change', '2026-10-29 00:10:00', '2026-10-29 00:50:00', true],
  ['midnight', '2026-10-29 23:10:00', '2026-10-30 00:05:00', true],
  ['more than an hour', '2026-11-01 01:05:00', '2026-11-01 02:06:00', false],
  ['noon', '2026-11-01 12:05:00', '2026-11-01 12:55:00', false],
  ['a time that names its zone', '2026-11-01T01:05:00Z', '2026-11-01T01:55:00Z', false],
])('a clock that is set back: %s', (_, earlier, later, expected) => {
  const [one, other] = [parseTimestamp(earlier), parseTimestamp(later)];
  expect(one && other && mayBeClockChange(one, other)).toBe(expected);
});
