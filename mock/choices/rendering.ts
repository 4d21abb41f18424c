import { DateTime } from 'luxon';
import type { IdentifierFormat } from '../../fixtures/index.ts';
import type { Json, JsonObject } from '../../text/json.ts';
import few from './few-fields.json';

export const renderingChoices = {
  /** Formats a timestamp that is stored as RFC 3339 in UTC; `undefined` leaves it unchanged. */
  'timestamp-format': {
    'rfc3339-utc': undefined,
    'rfc3339-seconds': (t: string) => `${t.slice(0, 19)}Z`,
    'rfc3339-microseconds': (t: string) => new Date(t).toISOString().replace('Z', '000Z'),
    'rfc3339-offset': (t: string) => new Date(Date.parse(t) + 19_800_000).toISOString().replace('Z', '+05:30'),
    rfc2822: (t: string) => new Date(t).toUTCString().replace('GMT', '+0000'),
    'epoch-milliseconds': (t: string) => String(Date.parse(t)),
    'epoch-seconds': (t: string) => String(Math.floor(Date.parse(t) / 1000)),
    sql: (t: string) => t.slice(0, 19).replace('T', ' '),
    words: (t: string) => DateTime.fromISO(t, { zone: 'utc' }).toFormat("'day' o 'of the year' yyyy, HH'h'mm"),
  } satisfies Record<string, ((timestamp: string) => string) | undefined>,
  'identifier-format': {
    cuid: 'cuid',
    uuid: 'uuid',
    prefixed: 'prefixed',
    numeric: 'numeric',
  } as const satisfies Record<string, IdentifierFormat>,
  /** What is shown for the value of an optional field, which may be `undefined`. */
  'absent-values': {
    omitted: undefined,
    'empty-too': (value: Json | undefined) => {
      if (value === '' || (typeof value === 'object' && value && Object.keys(value).length === 0)) return undefined;
      return value;
    },
    null: (value: Json | undefined) => value ?? null,
  },
  'version-field': { shown: true, omitted: false },
  'comparison-items': { full: true, 'empty-objects': false },
  'public-agent-id': { own: false, agent: true },
  /** Documented fields that the server fills in, and that it may also leave out. */
  'server-filled-fields': { all: undefined, few },
  /** Undocumented fields in every answer and in every resource. */
  'extra-fields': {
    none: undefined,
    some: { folderId: 'f1', _links: { self: [] }, 'x-undocumented': 1 } satisfies JsonObject,
  },
  'answer-content-type': { 'application-json': 'application/json; charset=utf-8', other: 'text/json; charset=utf-8' },
  /** The beginning of every answer, in place of its brace. */
  'repeated-names': { never: undefined, undocumented: '{"_v":1,"_v":2,' },
};
