import type { TimeFilter } from '../../spec/index.ts';
import { valueFor } from '../collections.ts';
import { OFFSETS_MS } from '../content/timestamps.ts';
import type { createTargetClock } from '../history/facts/clock.ts';
import type { List } from '../history/facts/lists.ts';

/** Instants from `from` (included) to `to` (excluded), in epoch milliseconds. */
export type Span = Readonly<Record<'from' | 'to', number>>;

/** The meanings of a `timeFilter` (section 4.5): `possible` under some reading, `certain` under every one. */
export type WindowBounds = Readonly<Record<'possible' | 'certain', Span>>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const [WEST, EAST] = [-12 * HOUR, 14 * HOUR];
const ZONE_STEP = HOUR / 4;
/** Leaves room for summer time (the offset at midnight may differ from the present one) and for clock differences. */
const SLACK = 2 * HOUR;

/**
 * The bounds of a window, over every possible instant (at least one), every time zone, calendar days and rolling ones,
 * and the last days with or without today. `zoneKnown` says whether the compared timestamps name their zone; if not,
 * they may be off by any offset. They may stand for an instant that is later by less than `cut` milliseconds.
 */
export function windowBounds(
  filter: TimeFilter,
  instants: readonly number[],
  zoneKnown: boolean,
  cut = 0,
): WindowBounds {
  const bounds = instants.map((now) => boundsAt(filter, now, zoneKnown));
  const every = (which: keyof WindowBounds, edge: keyof Span): readonly number[] =>
    bounds.map((one) => one[which][edge]);
  return {
    possible: { from: Math.min(...every('possible', 'from')) - cut, to: Math.max(...every('possible', 'to')) },
    certain: { from: Math.max(...every('certain', 'from')), to: Math.min(...every('certain', 'to')) - cut },
  };
}

export type Windows = ReturnType<typeof createWindows>;

/** The same few bounds are needed again and again, so it keeps them. */
export function createWindows(clock: ReturnType<typeof createTargetClock>) {
  const known = new Map<string, WindowBounds>();
  return {
    clock,
    /** The bounds of a list's span; `undefined` if no clock can be trusted, or if its filter is undocumented. */
    boundsOf({ pages, rows, selection: { span: filter } }: List): WindowBounds | undefined {
      const stamps = [pages[0]?.stamp, pages.at(-1)?.stamp];
      const instants = stamps.flatMap((stamp) => (stamp ? clock.instants(stamp) : []));
      if (filter === undefined || instants.length === 0) return undefined;
      // Whoever writes only the day may write that of any zone.
      const isDay = rows.length > 0 && rows.every(({ at }) => at && at.ms % ZONE_STEP === 0);
      const zoneKnown = !isDay && rows.every(({ at }) => at?.zoneKnown !== false);
      const key = `${filter} ${instants.join()} ${zoneKnown} ${isDay}`;
      if (known.size >= 1_000) known.clear();
      return valueFor(known, key, () => windowBounds(filter, instants, zoneKnown, isDay ? DAY : 0));
    },
  };
}

/** The spans that a filter may mean at an instant, where local time is ahead of UTC by an offset. */
function spansOf(filter: Exclude<TimeFilter, 'allTime'>, now: number, offset: number): readonly Span[] {
  const local = new Date(now + offset);
  const midnight = (months: number, days: number): number =>
    Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + months, days) - offset;
  const day = (days: number): number => midnight(0, local.getUTCDate() + days);
  const since = (from: number): Span => ({ from, to: Infinity });
  const last = (days: number): readonly Span[] => [
    ...[day(1 - days), day(-days), now - days * DAY].map(since),
    { from: day(-days), to: day(0) },
  ];
  const spans: Readonly<Record<typeof filter, () => readonly Span[]>> = {
    today: () => [since(day(0))],
    last7Days: () => last(7),
    last30Days: () => last(30),
    monthToDate: () => [since(midnight(0, 1))],
    lastMonth: () => [{ from: midnight(-1, 1), to: midnight(0, 1) }],
    yearToDate: () => [since(Date.UTC(local.getUTCFullYear(), 0, 1) - offset)],
  };
  return spans[filter]();
}

function boundsAt(filter: TimeFilter, now: number, zoneKnown: boolean): WindowBounds {
  if (filter === 'allTime')
    return { possible: { from: -Infinity, to: Infinity }, certain: { from: -Infinity, to: now } };
  const readings: Span[] = [];
  for (let offset = WEST; offset <= EAST; offset += ZONE_STEP) readings.push(...spansOf(filter, now, offset));
  const froms = readings.map(({ from }) => from);
  // Whatever day it is where the server is, it began before this.
  if (filter === 'today' && zoneKnown)
    return {
      possible: { from: Math.min(...froms) - SLACK, to: Infinity },
      // Since the last midnight of any zone.
      certain: { from: now - Math.min(...OFFSETS_MS.map((offset) => (((now + offset) % DAY) + DAY) % DAY)), to: now },
    };
  const tos = readings.map(({ to }) => to);
  // A local time that is read as UTC lies up to 14 hours after the instant, or up to 12 hours before it.
  const [early, late] = zoneKnown ? [SLACK, SLACK] : [SLACK - WEST, SLACK + EAST];
  return {
    possible: { from: Math.min(...froms) - early, to: Math.max(...tos) + late },
    certain: { from: Math.max(...froms) + (zoneKnown ? 0 : late), to: Math.min(Math.min(...tos) - early, now) },
  };
}

export const within = (ms: number, span: Span): boolean => ms >= span.from && ms < span.to;
