import { schemas, timeFilters } from '../../spec/index.ts';
import { nearestTo, slipOf } from './slips.ts';
import { readDate } from '../store/time-window.ts';

/** Names and values of other services for what List results (section 4.5) has. Only lower-case letters and digits. */
const others = {
  limit: ['size', 'pagesize', 'perpage', 'count', 'take', 'top', 'first', 'max'],
  cursor: ['page', 'offset', 'skip', 'after', 'next', 'nextcursor', 'pagetoken'],
  timeFilter: ['filter', 'range', 'period', 'timerange'],
  timeZone: ['tz', 'zone'],
  start: ['from', 'since', 'startdate'],
  end: ['to', 'until', 'enddate'],
};
const otherValues = {
  last7Days: ['7d', 'week', 'lastweek', 'thisweek'],
  last30Days: ['30d', 'last30'],
  monthToDate: ['mtd', 'month', 'thismonth'],
  yearToDate: ['ytd', 'year', 'thisyear'],
  allTime: ['all', 'any', 'ever'],
  today: ['1d'],
};

/** The name in a table of synonyms. */
const nameOf = (synonyms: Readonly<Record<string, readonly string[]>>, typed: string): string | undefined =>
  Object.keys(synonyms).find((name) => synonyms[name]?.includes(plainly(typed)));

const known = Object.keys(schemas['list-results-query'].properties ?? {});
const plainly = (text: string): string =>
  text
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

/** Some clients write lists and objects as `limit[]`, `limit[0]`, `limit.x` or `page[limit]`. */
export const isNested = (name: string): boolean => /[[\].]/.test(name);

export function parameterMeant(name: string): string | undefined {
  const parts = name.slice(0, 60).split(/[[\].;]+/);
  return (
    known.find((one) => parts.includes(one)) ??
    slipOf(name, known) ??
    nameOf(others, name) ??
    parts.map((part) => slipOf(part, known) ?? nameOf(others, part)).find((one) => one !== undefined)
  );
}

export const filterMeant = (value: string): string | undefined =>
  nameOf(otherValues, value) ?? nearestTo(value, timeFilters);

/** The nearest whole number from 1 to 100. */
export function limitMeant(value: string): string | undefined {
  if (!/^\s*[+-]?\d{1,15}(?:\.\d*)?\s*$/.test(value)) return undefined;
  return String(Math.min(100, Math.max(1, Math.round(Number(value)))));
}

/** Epoch seconds or milliseconds, dates with slashes, or with a space before the time, in ISO 8601. */
export function instantMeant(value: string, zone: string): string | undefined {
  const digits = /^\d{10}(?:\d{3})?$/.exec(value)?.[0];
  if (digits !== undefined) return new Date(Number(digits) * (digits.length === 10 ? 1000 : 1)).toISOString();
  const [, year, month, day, time] =
    /^\s*(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:[T ]+(\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?))?\s*$/.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time === undefined ? '' : `T${time}`}`;
  if (iso !== value && readDate(iso, zone)) return iso;
  return undefined;
}
