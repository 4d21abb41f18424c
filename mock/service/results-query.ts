import { type ResultsQuery, refuse, type Call, type Refusal, type RequestError } from '../call.ts';
import { timeFilters, type Profile, type TimeFilter } from '../../spec/index.ts';
import { chosen } from '../choices/index.ts';
import { invalid } from './documented-body.ts';
import { filterMeant, instantMeant, limitMeant, parameterMeant } from '../wording/query-slips.ts';
import { orMeant, placeholder, quote } from '../wording/slips.ts';
import { allTime, namedWindow, readDate, readInterval, readZone, type TimeWindow } from '../store/time-window.ts';

/** Names of the query parameters, in the order of the specification. */
export const parameters = ['limit', 'cursor', 'timeFilter', 'timeZone', 'start', 'end', 'interval'] as const;
type Parameter = (typeof parameters)[number];

type RawQuery = Partial<Record<Parameter, string>>;

/** Notes an error in a parameter, and what was probably meant. */
type Wrong = (name: string, message: string, meant?: string) => undefined;

/** Parses the query, and lists every error. Window edges depend on the mock's clock. */
export function readResultsQuery(call: Call): ResultsQuery | Refusal {
  const { profile, now, agentId } = call;
  const errors: RequestError[] = [];
  const wrong: Wrong = (name, message, meant) => {
    errors.push({ location: `query/${name.slice(0, 100)}`, message: `${message}${orMeant(meant)}`, meant });
  };
  const given = singleValues(call, wrong);
  const limit = readLimit(profile, given.limit, wrong);
  const filter = readFilter(profile, given.timeFilter, wrong);
  const zone = readTimeZone(profile, given.timeZone, wrong);
  const windows = readWindows(call, given, zone, wrong);
  if (errors.length > 0) return invalid(errors);

  const named = namedWindow(filter, now, zone, chosen(profile, 'window-edges'));
  const how = chosen(profile, 'start-end-with-filter');
  const others = how === 'ignored' ? [] : windows;
  const first = how === 'replace' && others.length > 0 ? allTime : named;
  const window = others.reduce((a, b) => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }), first);
  const selection = JSON.stringify([agentId, filter, zone, given.start, given.end, given.interval]);
  const cursor = given.cursor?.replace(chosen(profile, 'cursor-characters'), '');
  return { limit, cursor, filter, window, selection };
}

/** At most one value per parameter; the profile decides about unknown and repeated ones. */
function singleValues({ query, profile }: Call, wrong: Wrong): RawQuery {
  const values: RawQuery = {};
  const which = chosen(profile, 'duplicate-parameters');
  for (const name of new Set(query.map(([key]) => key))) {
    const parameter = parameters.find((known) => known === name);
    if (parameter) {
      const all = query.filter(([key]) => key === name).map(([, value]) => value);
      if (all.length > 1 && which === undefined) wrong(name, `Is given ${all.length} times. Give it once.`);
      values[parameter] = all.at(which ?? 0);
    } else if (!name.startsWith('__') && !chosen(profile, 'unknown-parameters'))
      wrong(name, `Is not a parameter. The parameters are ${parameters.join(', ')}.`, parameterMeant(name));
  }
  return values;
}

function readLimit(profile: Profile, value: string | undefined, wrong: Wrong): number {
  if (value === undefined) return 50;
  // Generated clients know the type number, and some languages write a whole number as 50.0.
  const [isWhole, limit] = [/^-?\d{1,15}(?:\.0{1,15})?$/.test(value), Number(value)];
  const isTaken = (limit >= 1 && limit <= 100) || chosen(profile, 'limit-out-of-range');
  if (isWhole && isTaken) return Math.min(100, Math.max(1, limit));
  const [taken, must] = isWhole
    ? [undefined, `from 1 to 100; it is ${limit}`]
    : [chosen(profile, 'limit-not-integer'), `a whole number from 1 to 100; it is ${quote(value)}`];
  return taken ?? wrong('limit', `Must be ${must}.`, limitMeant(value)) ?? 50;
}

function readFilter(profile: Profile, value: string | undefined, wrong: Wrong): TimeFilter {
  if (value === undefined) return 'last7Days';
  return (
    timeFilters.find((known) => known === value) ??
    chosen(profile, 'unknown-time-filter') ??
    wrong('timeFilter', `Must be one of ${timeFilters.join(', ')}; it is ${quote(value)}.`, filterMeant(value)) ??
    'last7Days'
  );
}

function readTimeZone(profile: Profile, value: string | undefined, wrong: Wrong): string {
  const otherwise = chosen(profile, 'default-time-zone');
  if (value === undefined || !chosen(profile, 'time-zone-format')) return otherwise;
  const form = 'an IANA name such as Europe/Paris or an offset such as +02:00';
  return readZone(value) ?? wrong('timeZone', `Must be ${form}; it is ${quote(value)}.`) ?? otherwise;
}

function readWindows({ profile, now }: Call, given: RawQuery, zone: string, wrong: Wrong): readonly TimeWindow[] {
  const isStrict = chosen(profile, 'date-format');
  const [start, end] = (['start', 'end'] as const).map((name) => {
    const value = given[name];
    if (value === undefined) return undefined;
    const read = readDate(value, zone);
    if (!read && isStrict) {
      const form = 'an ISO 8601 date or date and time, such as 2026-05-31 or 2026-05-31T12:00:00Z';
      wrong(name, `Must be ${form}; it is ${quote(value)}.`, instantMeant(value, zone));
    }
    return read;
  });
  const windows: TimeWindow[] = [];
  const { interval } = given;
  if (interval !== undefined && chosen(profile, 'interval-meaning')) {
    const read = readInterval(interval, now, zone);
    if (read) windows.push(read);
    else if (isStrict) {
      const form = 'an ISO 8601 interval or duration, such as 2026-05-01/2026-06-01 or P14D';
      const hint = timeFilters.some((known) => known === interval) ? ' That is a timeFilter.' : '';
      wrong('interval', `Must be ${form}; it is ${quote(interval)}.${hint}`);
    }
  }
  if (start && end && start.from > end.from) wrong('end', 'Must not be before start. Perhaps the two are swapped.');
  const until = chosen(profile, 'end-edge') ? end?.to : end?.from;
  if (start || end) windows.push({ from: start?.from ?? -Infinity, to: until ?? Infinity });
  return windows;
}

export function cursorRefusal(why: string, cursor: string): Refusal {
  const message = [why, placeholder(cursor)].filter(Boolean).join(' ');
  return refuse('invalid', message, { location: 'query/cursor', message });
}
