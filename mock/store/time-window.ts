import { DateTime, Duration, FixedOffsetZone, IANAZone, Interval } from 'luxon';
import type { DateTimeUnit, DurationLikeObject } from 'luxon';
import type { TimeFilter } from '../../spec/index.ts';

/** Creation times from `from` (included) to `to` (excluded), in epoch milliseconds. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

export const allTime: TimeWindow = { from: -Infinity, to: Infinity };

/** Where a window begins: so far back from the present, at the beginning of that unit of time. */
const beginnings: Readonly<Record<Exclude<TimeFilter, 'allTime'>, readonly [DateTimeUnit, DurationLikeObject]>> = {
  today: ['day', {}],
  last7Days: ['day', { days: 6 }],
  last30Days: ['day', { days: 29 }],
  monthToDate: ['month', {}],
  lastMonth: ['month', { months: 1 }],
  yearToDate: ['year', {}],
};

/** Days begin at midnight in `zone` (of {@link readZone}). `rolling` counts 7 and 30 days in hours (section 4.5). */
export function namedWindow(filter: TimeFilter, now: number, zone: string, edges: 'calendar' | 'rolling'): TimeWindow {
  if (filter === 'allTime') return allTime;
  const here = DateTime.fromMillis(now, { zone });
  const [unit, back] = beginnings[filter];
  const { days } = back;
  if (edges === 'rolling' && days !== undefined)
    return { from: here.minus({ hours: 24 * (days + 1) }).toMillis(), to: Infinity };
  const from = dayStart(here.minus(back).startOf(unit));
  if (filter === 'lastMonth') return { from, to: dayStart(here.startOf(unit)) };
  return { from, to: Infinity };
}

/** The first instant of a local day. When the clock goes back across midnight, midnight occurs twice. */
const dayStart = (day: DateTime): number => Math.min(...day.startOf('day').getPossibleOffsets().map(Number));

/** From one instant to another that a text names; without a time it names days, and so their first instants. */
function between(text: string, start: DateTime, end: DateTime): TimeWindow {
  if (text.includes('T')) return { from: start.toMillis(), to: end.toMillis() };
  return { from: dayStart(start), to: dayStart(end) };
}

/** A plus sign that arrived unescaped in a query reads as a space. */
const withPlus = (value: string): string => value.replace(/^ (?=\d)/, '+').replace(/ (?=\d\d:?\d\d$)/, '+');

/** An IANA name or an offset (`Z`, `+02:00`, `-0530`, `UTC+2`) as a zone that luxon understands; `undefined` for others. */
export function readZone(value: string): string | undefined {
  const text = value.trim() && withPlus(value);
  // Newer engines accept offsets as zone names, including forms that we do not.
  if (!/^[+-]/.test(text) && IANAZone.isValidZone(text)) return text;
  const offset = /^(?:UTC|GMT)?(?:Z|([+-])(\d{1,2})(?::?([0-5]\d))?)$/i.exec(text);
  if (!offset) return undefined;
  const [, sign, hours = '0', minutes = '0'] = offset;
  const total = Number(hours) * 60 + Number(minutes);
  if (total > 14 * 60) return undefined;
  return FixedOffsetZone.instance(sign === '-' ? -total : total).name;
}

/** As long as its precision: a date covers its whole day in `zone`, a date with a time one millisecond. */
export function readDate(value: string, zone: string): TimeWindow | undefined {
  const text = withPlus(value);
  const start = DateTime.fromISO(text, { zone });
  if (!start.isValid) return undefined;
  const end = text.includes('T') ? start.plus({ milliseconds: 1 }) : start.plus({ days: 1 });
  return between(text, start, end);
}

/** An ISO 8601 interval (`start/end`, `start/duration`, `duration/end`) or a duration that ends at `now`. */
export function readInterval(value: string, now: number, zone: string): TimeWindow | undefined {
  const duration = Duration.fromISO(value);
  if (duration.isValid) {
    const from = DateTime.fromMillis(now, { zone }).minus(duration).toMillis();
    if (from <= now) return { from, to: now + 1 };
    return undefined;
  }
  const { start, end } = Interval.fromISO(value, { zone });
  if (!start || !end) return undefined;
  return between(value, start, end);
}
