import { mayBeClockChange, parseTimestamp } from './timestamps.ts';
import judged from '../testing/judged.json';

const ms = Date.UTC(2026, 4, 20, 15, 30, 5);

describe('parseTimestamp', () => {
  test.each(judged.times as unknown as [string | number, string, boolean][])(
    'reads %j',
    (text, expected, zoneKnown) => {
      expect(parseTimestamp(text)).toMatchObject({ ms: Date.parse(expected), zoneKnown });
    },
  );

  const noTime =
    'day 140 of the year 2026, 15h30|yesterday||42|1899-01-01T00:00:00Z|9999-01-01T00:00:00Z|2026-02-30T00:00:00Z|2026-13-01 00:00:00';
  const others = [42, 0, -1, Number.NaN, '1'.repeat(5000), null, undefined, true, { ms }, ['2026-05-20T15:30:05Z']];
  test.each<unknown>([...noTime.split('|'), ...others])('does not read %j', (value) => {
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
