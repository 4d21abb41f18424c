import type { EndpointId } from '../../spec/index.ts';
import { isObject, type Json } from '../call.ts';
import type { JournalEntry } from './journal-entry.ts';

/** A text, or what it must be like; the words are WireMock's. `matches` is a regular expression for the whole text. */
export type TextPattern =
  | string
  | { readonly equalTo?: string; readonly contains?: string; readonly matches?: string; readonly absent?: boolean };

/** What a request must be like; everything that is given must hold. */
export interface RequestPattern {
  readonly endpoint?: EndpointId;
  readonly agentId?: string;
  /** In any case of letters; `ANY` is every method. */
  readonly method?: string;
  /** Path and query. */
  readonly url?: TextPattern;
  readonly urlPath?: TextPattern;
  readonly queryParameters?: Readonly<Record<string, TextPattern>>;
  readonly headers?: Readonly<Record<string, TextPattern>>;
  /** JSON that the body must hold: objects may have more fields, arrays must be as long. */
  readonly body?: Json;
  readonly status?: number;
  readonly wasMatched?: boolean;
  /** Only requests recorded after the entry with this number. */
  readonly after?: number;
}

/** What of `pattern` an entry does not meet, by the names of its parts. */
export function mismatches(entry: JournalEntry, pattern: RequestPattern): readonly (keyof RequestPattern)[] {
  const path = entry.url.split('?')[0] ?? '';
  const holds: { readonly [K in keyof Required<RequestPattern>]: () => boolean } = {
    endpoint: () => entry.endpoint === pattern.endpoint,
    agentId: () => entry.agentId === pattern.agentId,
    method: () => pattern.method?.toUpperCase() === 'ANY' || entry.method === pattern.method?.toUpperCase(),
    url: () => textMatches(entry.url, pattern.url ?? {}),
    urlPath: () => textMatches(path, pattern.urlPath ?? {}),
    queryParameters: () =>
      Object.entries(pattern.queryParameters ?? {}).every(([name, wanted]) => {
        const values = Object.hasOwn(entry.query, name) ? [entry.query[name] ?? ''].flat() : [undefined];
        return values.some((value) => textMatches(value, wanted));
      }),
    headers: () =>
      Object.entries(pattern.headers ?? {}).every(([name, wanted]) =>
        textMatches(
          Object.hasOwn(entry.headers, name.toLowerCase()) ? entry.headers[name.toLowerCase()] : undefined,
          wanted,
        ),
      ),
    body: () => pattern.body !== undefined && holdsJson(entry.body, pattern.body),
    status: () => entry.response.status === pattern.status,
    wasMatched: () => entry.wasMatched === pattern.wasMatched,
    after: () => entry.id > (pattern.after ?? 0),
  };
  return (Object.keys(pattern) as (keyof RequestPattern)[]).filter(
    (key) => pattern[key] !== undefined && Object.hasOwn(holds, key) && !holds[key](),
  );
}

export const matches = (entry: JournalEntry, pattern: RequestPattern): boolean =>
  mismatches(entry, pattern).length === 0;

function textMatches(text: string | undefined, pattern: TextPattern): boolean {
  if (typeof pattern === 'string') return text === pattern;
  if (pattern.absent === true) return text === undefined;
  if (text === undefined) return false;
  return (
    (pattern.equalTo === undefined || text === pattern.equalTo) &&
    (pattern.contains === undefined || text.includes(pattern.contains)) &&
    (pattern.matches === undefined || new RegExp(`^(?:${pattern.matches})$`, 'su').test(text))
  );
}

/** Whether `value` holds everything that `wanted` does. */
export function holdsJson(value: Json, wanted: Json): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((item: Json, i) => holdsJson((value as readonly Json[])[i] ?? null, item))
    );
  if (isObject(wanted))
    return (
      isObject(value) &&
      Object.entries(wanted).every(([key, item]) => Object.hasOwn(value, key) && holdsJson(value[key] ?? null, item))
    );
  return value === wanted;
}
