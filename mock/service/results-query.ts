import { type ResultsQuery, refuse, type Call, type Refusal, type RequestError } from '../call.ts';
import { timeFilters, type TimeFilter } from '../../spec/index.ts';
import { chosen } from '../choices/index.ts';
import { invalid } from './documented-body.ts';
import {
  durationMeant,
  filterMeant,
  instantMeant,
  limitMeant,
  parameterMeant,
  zoneMeant,
} from '../wording/query-slips.ts';
import { orMeant, placeholder, quote } from '../wording/slips.ts';
import {
  allTime,
  intersection,
  namedWindow,
  readDate,
  readInterval,
  readZone,
  type TimeWindow,
} from '../store/time-window.ts';

/** Names of the query parameters, in the order of the specification. */
export const parameters = ['limit', 'cursor', 'timeFilter', 'timeZone', 'start', 'end', 'interval'] as const;
type Parameter = (typeof parameters)[number];

const isParameter = (name: string): name is Parameter => parameters.some((known) => known === name);
const isTimeFilter = (value: string): value is TimeFilter => timeFilters.some((known) => known === value);

/** Notes an error in a parameter, and what was probably meant. */
type Wrong = (name: string, message: string, meant?: string) => undefined;

type RawQuery = Partial<Record<Parameter, string>>;

/** Parses the query, and lists every error. Window edges depend on the mock's clock. */
export function readResultsQuery(call: Call): ResultsQuery | Refusal {
  const errors: RequestError[] = [];
  const wrong: Wrong = (name, message, meant) => {
    errors.push({
      location: `query/${name.slice(0, 100)}`,
      message: `${message}${orMeant(meant)}`,
      meant,
    });
  };
  const given = singleValues(call, wrong);
  const limit = readLimit(call, given.limit, wrong);
  const filter = readFilter(call, given.timeFilter, wrong);
  const zone = readTimeZone(call, given.timeZone, wrong);
  const asked = readWindows(call, given, zone, wrong);
  if (errors.length > 0) return invalid(errors);

  const named = namedWindow(filter, call.now, zone, chosen(call.profile, 'window-edges'));
  return {
    limit,
    cursor: given.cursor,
    filter,
    window: combine(named, asked, chosen(call.profile, 'start-end-with-filter')),
    selection: JSON.stringify([call.agentId, filter, zone, given.start, given.end, given.interval]),
  };
}

/** The time zone in which days begin. */
function readTimeZone({ profile }: Call, value: string | undefined, wrong: Wrong): string {
  const otherwise = chosen(profile, 'default-time-zone');
  if (value === undefined || !chosen(profile, 'time-zone-format')) return otherwise;
  const zone = readZone(value);
  if (zone !== undefined) return zone;
  wrong(
    'timeZone',
    `Must be an IANA name such as Europe/Paris or an offset such as +02:00; it is ${quote(value)}.`,
    zoneMeant(value),
  );
  return otherwise;
}

/** The windows that the query itself names, besides its filter. */
function readWindows(
  call: Call,
  { start: first, end: last, interval }: RawQuery,
  zone: string,
  wrong: Wrong,
): TimeWindow[] {
  const start = readStartOrEnd(call, 'start', first, zone, wrong);
  const end = readStartOrEnd(call, 'end', last, zone, wrong);
  const between = readGivenInterval(call, interval, zone, wrong);
  if (start && end && start.from > end.from) wrong('end', 'Must not be before start. Perhaps the two are swapped.');
  return [between, startToEnd(start, end, chosen(call.profile, 'end-edge'))].filter((window) => window !== undefined);
}

function readStartOrEnd(
  { profile }: Call,
  name: 'start' | 'end',
  value: string | undefined,
  zone: string,
  wrong: Wrong,
): TimeWindow | undefined {
  if (value === undefined) return undefined;
  const read = readDate(value, zone);
  if (!read && chosen(profile, 'date-format'))
    wrong(
      name,
      `Must be an ISO 8601 date or date and time, such as 2026-05-31 or 2026-05-31T12:00:00Z; it is ${quote(value)}.`,
      instantMeant(value, zone),
    );
  return read;
}

function readGivenInterval(
  { profile, now }: Call,
  value: string | undefined,
  zone: string,
  wrong: Wrong,
): TimeWindow | undefined {
  if (value === undefined || !chosen(profile, 'interval-meaning')) return undefined;
  const read = readInterval(value, now, zone);
  if (!read && chosen(profile, 'date-format'))
    wrong(
      'interval',
      `Must be an ISO 8601 interval or duration, such as 2026-05-01/2026-06-01 or P14D; it is ${quote(value)}.${isTimeFilter(value) ? ' That is a timeFilter.' : ''}`,
      durationMeant(value),
    );
  return read;
}

/** At most one value per parameter; the profile decides about unknown and repeated ones. */
function singleValues(call: Call, wrong: Wrong): RawQuery {
  const values: RawQuery = {};
  const which = chosen(call.profile, 'duplicate-parameters');
  for (const name of new Set(call.query.map(([key]) => key))) {
    if (!isParameter(name)) {
      if (name.startsWith('__')) continue;
      if (!chosen(call.profile, 'unknown-parameters'))
        wrong(name, `Is not a parameter. The parameters are ${parameters.join(', ')}.`, parameterMeant(name));
      continue;
    }
    const all = call.query.flatMap(([key, value]) => (key === name ? [value] : []));
    if (all.length > 1 && which === undefined) wrong(name, `Is given ${all.length} times. Give it once.`);
    const value = all.at(which ?? 0);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function readLimit(call: Call, value: string | undefined, wrong: Wrong): number {
  if (value === undefined) return 50;
  // Generated clients know the type number, and some languages write a whole number as 50.0.
  const limit = /^-?\d{1,15}(?:\.0{1,15})?$/.test(value) ? Number(value) : undefined;
  if (limit === undefined)
    return (
      chosen(call.profile, 'limit-not-integer') ??
      wrong('limit', `Must be a whole number from 1 to 100; it is ${quote(value)}.`, limitMeant(value)) ??
      50
    );
  if (limit >= 1 && limit <= 100) return limit;
  return (
    chosen(call.profile, 'limit-out-of-range')(limit) ??
    wrong('limit', `Must be from 1 to 100; it is ${limit}.`, limitMeant(value)) ??
    50
  );
}

function readFilter(call: Call, value: string | undefined, wrong: Wrong): TimeFilter {
  if (value === undefined) return 'last7Days';
  if (isTimeFilter(value)) return value;
  return (
    chosen(call.profile, 'unknown-time-filter') ??
    wrong('timeFilter', `Must be one of ${timeFilters.join(', ')}; it is ${quote(value)}.`, filterMeant(value)) ??
    'last7Days'
  );
}

function startToEnd(
  start: TimeWindow | undefined,
  end: TimeWindow | undefined,
  endIncluded: boolean,
): TimeWindow | undefined {
  if (!start && !end) return undefined;
  return { from: start?.from ?? -Infinity, to: (endIncluded ? end?.to : end?.from) ?? Infinity };
}

function combine(
  named: TimeWindow,
  asked: readonly TimeWindow[],
  how: 'replace' | 'intersect' | 'ignored',
): TimeWindow {
  if (asked.length === 0 || how === 'ignored') return named;
  return asked.reduce(intersection, how === 'replace' ? allTime : named);
}

export const isRefusal = (read: ResultsQuery | Refusal): read is Refusal => 'kind' in read;
export function cursorRefusal(why: string, cursor: string): Refusal {
  const message = [why, placeholder(cursor)].filter(Boolean).join(' ');
  return refuse('invalid', message, [{ location: 'query/cursor', message }]);
}
