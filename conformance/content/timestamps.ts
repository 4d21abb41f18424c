import { DateTime } from 'luxon';

/** The instant of a timestamp in any common form, in epoch milliseconds. A form without a time zone is read as UTC. */
export type Timestamp = Readonly<{ ms: number; zoneKnown: boolean; form: TimestampForm }>;

type TimestampForm = 'rfc3339-utc' | 'rfc3339-offset' | 'iso-8601' | 'rfc2822' | 'epoch' | 'sql' | 'other';

/** How far local times are ahead of UTC: whole hours, and what some place has between them. */
export const OFFSETS_MS = [-9.5, -3.5, -2.5, 3.5, 4.5, 5.5, 5.75, 6.5, 8.75, 9.5, 10.5, 12.75, 13.75]
  .concat(Array.from({ length: 27 }, (_, i) => i - 12))
  .map((hours) => hours * 3_600_000);

const EARLIEST = Date.UTC(1990, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(?::\d\d(?:\.\d+)?)?([Zz]|[+-]\d\d:?\d\d|[+-]\d\d)$/;
const ISO = /^\d{4}-?(?:\d\d-?\d\d|W\d\d-?\d|\d{3})(?:[Tt][\d:.,]+)?([Zz]|[+-]\d\d(?::?\d\d)?)?$/;
const SQL = /^(\d{4})[-/](\d\d)[-/](\d\d) (\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;
/** The day comes first where points say so, or where no month could. The specification shows no such form. */
const DAY_FIRST = /^(\d\d)([./-])(\d\d)\2(\d{4})(?:,? (\d\d:\d\d(?::\d\d)?))?$/;
/** An instant with the name of its zone (RFC 9557), and milliseconds as .NET writes them. */
const NAMED_ZONE = /(?<=Z|[+-]\d\d:\d\d)\[!?[\w/+-]+\]$/;
const DOT_NET = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/;
const JS_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d GMT[+-]\d{4}/;

/**
 * Reads a timestamp in any common form: RFC 3339 with any offset, ISO 8601, RFC 2822 and its HTTP variants, epoch
 * seconds and milliseconds as digits, date and time with a space between, and what Java and .NET write. The specification
 * shows no format (section 2.12), so `undefined` means only that the timestamp cannot be judged.
 */
export function parseTimestamp(value: unknown): Timestamp | undefined {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string' || value.length === 0 || value.length > 80) return undefined;
  const text = value.trim().replace(NAMED_ZONE, '').replace(DOT_NET, '$1');
  const usual = new Date(text);
  // The most frequent form, which the engine reads much faster than luxon.
  if (usual.getTime() > EARLIEST && usual.toISOString() === text) return instant(usual.getTime(), true, 'rfc3339-utc');
  if (/^-?\d+(?:\.\d+)?$/.test(text) && !/^\d{8}$/.test(text)) return fromEpoch(Number(text));
  const rfc3339 = RFC3339.exec(text);
  if (rfc3339) return instant(fromIso(text), true, /^z$/i.test(rfc3339[1] ?? '') ? 'rfc3339-utc' : 'rfc3339-offset');
  const iso = ISO.exec(text);
  if (iso) return instant(fromIso(text), iso[1] !== undefined, 'iso-8601');
  const sql = SQL.exec(text);
  if (sql) {
    const [, year, month, day, time, zone] = sql;
    const offset = zone === undefined || /[a-z]/i.test(zone) ? 'Z' : zone;
    return instant(fromIso(`${year}-${month}-${day}T${time}${offset}`), zone !== undefined, 'sql');
  }
  const [, day = '', mark, month, year, time = '00:00'] = DAY_FIRST.exec(text) ?? [];
  if (mark === '.' || Number(day) > 12) return instant(fromIso(`${year}-${month}-${day}T${time}Z`), false, 'other');
  if (JS_DATE.test(text)) return instant(Date.parse(text.slice(0, 33)), true, 'other');
  const mail = DateTime.fromRFC2822(text.replace(/ UTC$/, ' GMT'), { zone: 'utc' });
  if (mail.isValid) return instant(mail.toMillis(), true, 'rfc2822');
  const http = DateTime.fromHTTP(text, { zone: 'utc' });
  if (http.isValid) return instant(http.toMillis(), true, 'rfc2822');
  return undefined;
}

/** The locale changes nothing here. Without one luxon asks Intl for that of the system, which takes 30 ms. */
function fromIso(text: string): number {
  return DateTime.fromISO(text.toUpperCase(), { zone: 'utc', locale: 'en-US' }).toMillis();
}

function fromEpoch(value: number): Timestamp | undefined {
  for (const unit of [1000, 1, 1e-3, 1e-6]) {
    const found = instant(Math.floor(value * unit), true, 'epoch');
    if (found) return found;
  }
  return undefined;
}

function instant(ms: number, zoneKnown: boolean, form: TimestampForm): Timestamp | undefined {
  if (ms >= EARLIEST && ms < LATEST) return { ms, zoneKnown, form };
  return undefined;
}

/** Whether time may go back from `later` to `earlier` as summer time ends, which only forms without a zone show. */
export function mayBeClockChange(earlier: Timestamp, later: Timestamp): boolean {
  if (earlier.zoneKnown || later.zoneKnown || Math.abs(later.ms - earlier.ms) > 3_600_000) return false;
  return [earlier, later].every(({ ms }) => {
    const hours = new Date(ms).getUTCHours();
    return hours < 4 || hours >= 22;
  });
}
