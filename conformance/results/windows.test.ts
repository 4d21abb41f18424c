import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { timeFilters, type TimeFilter } from '../../spec/index.ts';
import { windowBounds, within } from './windows.ts';

/** Zones at both ends of the world, with odd offsets, and with daylight saving time in both hemispheres. */
const zones =
  'UTC Etc/GMT+12 Pacific/Kiritimati Asia/Kathmandu Australia/Lord_Howe America/New_York America/St_Johns Europe/London Pacific/Chatham'.split(
    ' ',
  );

type Reading = readonly [from?: DateTime | undefined, to?: DateTime];

function readings(filter: TimeFilter, now: DateTime): readonly Reading[] {
  const [day, month] = [now.startOf('day'), now.startOf('month')];
  const last = (days: number): readonly Reading[] => [
    [day.minus({ days: days - 1 })],
    [day.minus({ days })],
    [now.minus({ hours: days * 24 })],
    [day.minus({ days }), day],
  ];
  const all: Readonly<Record<TimeFilter, readonly Reading[]>> = {
    today: [[day]],
    last7Days: last(7),
    last30Days: last(30),
    monthToDate: [[month]],
    lastMonth: [[month.minus({ months: 1 }), month]],
    yearToDate: [[now.startOf('year')]],
    allTime: [[]],
  };
  return all[filter];
}

const instants = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) });

test.each([
  ['for any zone and any reading, a window lies inside possible and contains certain', true, 0],
  ['a timestamp without a zone may be off by any offset', false, 0],
  ['a timestamp of which only the day is written may be off by a day too', true, 86_400_000],
])('%s', (_, isZoned, cut) => {
  expect.hasAssertions();
  const property = fc.property(
    instants,
    fc.constantFrom(...timeFilters),
    fc.constantFrom(...zones),
    fc.integer({ min: -400 * 24, max: 0 }),
    (now, filter, zone, hours) => {
      const { possible, certain } = windowBounds(filter, [now], isZoned, cut);
      const at = now + hours * 3_600_000;
      const written = isZoned ? at - (cut && at % cut) : at + DateTime.fromMillis(at, { zone }).offset * 60_000;
      for (const [from, to] of readings(filter, DateTime.fromMillis(now, { zone }))) {
        const isIn = at >= (from?.toMillis() ?? -Infinity) && at < (to?.toMillis() ?? Infinity);
        if (isIn) expect(within(written, possible)).toBe(true);
        if (within(written, certain)) expect(isIn).toBe(true);
      }
    },
  );
  fc.assert(property, { numRuns: 700, seed: isZoned ? 1 : 2 });
});

test('the bounds are tight enough to distinguish windows', () => {
  const now = Date.UTC(2026, 4, 20, 12);
  const hours = (n: number): number => now - n * 3_600_000;
  expect(within(hours(48), windowBounds('today', [now], true).possible)).toBe(false);
  expect(within(hours(9 * 24), windowBounds('last7Days', [now], true).possible)).toBe(false);
  expect(within(hours(5 * 24), windowBounds('last7Days', [now], true).certain)).toBe(true);
  expect(within(Date.UTC(2026, 3, 2), windowBounds('lastMonth', [now], true).certain)).toBe(true);
  expect(within(Date.UTC(2026, 4, 2), windowBounds('lastMonth', [now], true).possible)).toBe(false);
  expect(within(now + 1, windowBounds('allTime', [now], true).possible)).toBe(true);
});

test('for several instants, the window may be that of any of them', () => {
  const [now, other] = [Date.UTC(2026, 4, 20, 12), Date.UTC(2026, 9, 20, 12)];
  const { possible, certain } = windowBounds('lastMonth', [now, other], true);
  expect(within(Date.UTC(2026, 3, 15), possible) && within(Date.UTC(2026, 8, 15), possible)).toBe(true);
  expect(within(Date.UTC(2026, 3, 15), certain) || within(Date.UTC(2026, 8, 15), certain)).toBe(false);
  const today = windowBounds('today', [now, other], true);
  expect(within(now, today.possible)).toBe(true);
  expect(within(now, today.certain) || within(other, today.certain)).toBe(false);
});
