import { schemas, timeFilters } from '../../spec/index.ts';
import { nearestTo, slipOf } from './slips.ts';
import { readDate } from '../store/time-window.ts';
import synonyms from './synonyms.json';

/** The name that a table has for one of other services, which it holds in lower-case letters and digits. */
const nameOf = (table: Readonly<Record<string, readonly string[]>>, typed: string): string | undefined =>
  Object.keys(table).find((name) => table[name]?.includes(plainly(typed)));

const known = Object.keys(schemas['list-results-query'].properties ?? {});
const plainly = (text: string): string =>
  text
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

export function parameterMeant(name: string): string | undefined {
  const parts = name.slice(0, 60).split(/[[\].;]+/);
  return (
    known.find((one) => parts.includes(one)) ??
    slipOf(name, known) ??
    nameOf(synonyms.parameters, name) ??
    parts.map((part) => slipOf(part, known) ?? nameOf(synonyms.parameters, part)).find((one) => one !== undefined)
  );
}

export const filterMeant = (value: string): string | undefined =>
  nameOf(synonyms.filters, value) ?? nearestTo(value, timeFilters);

export function limitMeant(value: string): string | undefined {
  if (!/^\s*[+-]?\d{1,15}(?:\.\d*)?\s*$/.test(value)) return undefined;
  return String(Math.min(100, Math.max(1, Math.round(Number(value)))));
}

/** Epoch seconds or milliseconds, dates with slashes, or with a space before the time, in ISO 8601. */
export function instantMeant(value: string, zone: string): string | undefined {
  const digits = /^\d{10}(?:\d{3})?$/.exec(value)?.[0];
  if (digits !== undefined) return new Date(Number(digits.padEnd(13, '0'))).toISOString();
  const [, year, month, day, time] =
    /^\s*(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:[T ]+(\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?))?\s*$/.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const iso = [date, time].filter(Boolean).join('T');
  if (iso !== value && readDate(iso, zone)) return iso;
  return undefined;
}
