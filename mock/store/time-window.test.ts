import fc from 'fast-check';
import { DateTime } from 'luxon';
import { timeFilters, type TimeFilter } from '../../spec/index.ts';
import windows from '../testing/time-windows.json';
import { namedWindow, readDate, readInterval, readZone } from './time-window.ts';

type Row = [string, string, string, string];

const at = (text: string): number => Date.parse(text);
const iso = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : String(ms));

/** An instant within a day of the next clock change of a zone, or the given instant if there is none in that year. */
function nearChange(instant: number, zone: string): number {
  const offsetAt = (ms: number): number => DateTime.fromMillis(ms, { zone }).offset;
  const days = Array.from({ length: 366 }, (_, i) => instant + i * 86_400_000);
  const day = days.find((ms) => offsetAt(ms) !== offsetAt(ms + 86_400_000));
  return day === undefined ? instant : day + 86_400_000;
}

describe('named windows', () => {
  // A day with two midnights begins with the first, and one without with its first instant.
  const open = windows.open as [TimeFilter, string, string, string][];
  test.each(open)('%s in %s, at %s, begins at %s and is still open', (filter, zone, now, from) => {
    const window = namedWindow(filter, at(now), zone, 'calendar');
    expect([iso(window.from), window.to]).toEqual([from, Infinity]);
  });

  test.each(windows.lastMonth as Row[])('lastMonth in %s, at %s, is from %s to %s', (zone, now, from, to) => {
    const window = namedWindow('lastMonth', at(now), zone, 'calendar');
    expect([iso(window.from), iso(window.to)]).toEqual([from, to]);
  });

  test('a window begins with the first instant of a local day, in every zone and on every date', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const filters = timeFilters.filter((filter) => filter !== 'allTime');
    const hours = Array.from({ length: 27 * 4 }, (_, quarter) => (quarter + 1) * 15 * 60_000);
    const instants = fc.integer({ min: at('1975-03-01T00:00:00Z'), max: at('2036-12-31T00:00:00Z') });
    const cases = [fc.constantFrom(...zones), instants, fc.constantFrom(...filters)] as const;
    const beginsWithItsDay = fc.property(...cases, (timeZone, now, filter) => {
      // Near a clock change if there is one within the year, since other days are all alike.
      const { from } = namedWindow(filter, nearChange(now, timeZone), timeZone, 'calendar');
      const calendar = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
      const day = calendar.format(from);
      expect(calendar.format(from - 1)).not.toBe(day);
      expect(hours.filter((before) => calendar.format(from - before) === day)).toEqual([]);
    });
    fc.assert(beginsWithItsDay, { numRuns: 120 });
  });

  test('across a clock change days begin at midnight, and rolling windows count hours', () => {
    const from = (edges: 'calendar' | 'rolling'): string =>
      iso(namedWindow('last7Days', at('2026-03-31T10:00:00Z'), 'Europe/Paris', edges).from);
    expect([from('calendar'), from('rolling')]).toEqual(['2026-03-24T23:00:00.000Z', '2026-03-24T10:00:00.000Z']);
  });
});

test.each(windows.zones)('the zone %j is read as %j', (text, zone) => {
  expect(readZone(String(text)) ?? null).toBe(zone);
});

test.each(windows.dates as Row[])('the date %j covers %s to %s', (text, from, to) => {
  const read = readDate(text, 'UTC');
  expect(read && [iso(read.from), iso(read.to)]).toEqual([from, to]);
});

test('a date covers the whole of a day that has two midnights', () => {
  const day = { from: at('2026-11-01T04:00:00Z'), to: at('2026-11-02T05:00:00Z') };
  expect(readDate('2026-11-01', 'America/Havana')).toEqual(day);
  expect(readDate('2026-10-31', 'America/Havana')?.to).toBe(day.from);
  expect(readInterval('2026-11-01/2026-11-02', 0, 'America/Havana')).toEqual(day);
  expect(readInterval('2026-10-30/P2D', 0, 'America/Havana')?.to).toBe(day.from);
});

test.each([
  ['yesterday', 'sometimes'],
  ['9999999999-01-01', 'P9999999999D'],
])('an invalid date and interval are not read: %s, %s', (date, interval) => {
  expect([readDate(date, 'UTC'), readInterval(interval, 0, 'UTC')]).toEqual([undefined, undefined]);
});

test.each(windows.intervals as Row[])('the interval %j covers %s to %s', (text, from, to) => {
  const read = readInterval(text, at('2026-05-20T15:30:00Z'), 'UTC');
  expect(read && [iso(read.from), iso(read.to)]).toEqual([from, to]);
});
