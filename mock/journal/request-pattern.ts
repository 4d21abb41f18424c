import type { EndpointId } from '../../spec/index.ts';
import { isObject, type Json } from '../json.ts';
import { MockError } from '../mock-error.ts';
import type { JournalEntry } from './journal-entry.ts';
import { textMatcher } from './text-pattern.ts';

/**
 * A text, or what it must match; the names are WireMock's. `matches` is a regular expression (RE2) for the whole text.
 */
export type TextPattern =
  | string
  | { readonly equalTo?: string; readonly contains?: string; readonly matches?: string; readonly absent?: boolean };

/** What a request must match; every given part must match. */
export interface RequestPattern {
  readonly endpoint?: EndpointId;
  readonly agentId?: string;
  /** In upper or lower case; `ANY` is every method. */
  readonly method?: string;
  /** Path and query. */
  readonly url?: TextPattern;
  readonly urlPath?: TextPattern;
  readonly queryParameters?: Readonly<Record<string, TextPattern>>;
  readonly headers?: Readonly<Record<string, TextPattern>>;
  /** JSON that the body must contain: objects may have more fields, arrays must be as long. */
  readonly body?: Json;
  readonly status?: number;
  readonly wasMatched?: boolean;
  /** Only requests recorded after the entry with this number. */
  readonly after?: number;
}

/** The parts of `pattern` that an entry does not match. */
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

/** Characters times instructions that a search may take: about a second. */
const MOST_WORK = 100_000_000;

/**
 * The entries that match.
 * @throws MockError for an unusable regular expression, or one that takes too long on all entries together.
 */
export function matching(entries: readonly JournalEntry[], pattern: RequestPattern): readonly JournalEntry[] {
  const size = expressionsOf(pattern).reduce((sum, text) => sum + textMatcher(text).size, 0);
  let work = 0;
  return entries.filter((entry) => {
    work += size * (entry.url.length + lengthOf(entry.headers));
    if (size > 0 && work > MOST_WORK)
      throw new MockError(
        'The regular expressions of this pattern take too long on so many requests. Write smaller ones, or give "after".',
      );
    return mismatches(entry, pattern).length === 0;
  });
}

const expressionsOf = ({ url, urlPath, queryParameters = {}, headers = {} }: RequestPattern): readonly string[] =>
  [url, urlPath, ...Object.values(queryParameters), ...Object.values(headers)].flatMap((one) =>
    typeof one === 'object' && one.matches !== undefined ? [one.matches] : [],
  );

const lengthOf = (headers: JournalEntry['headers']): number =>
  Object.values(headers).reduce((sum, value) => sum + value.length, 0);

function textMatches(text: string | undefined, pattern: TextPattern): boolean {
  if (typeof pattern === 'string') return text === pattern;
  if (pattern.absent === true) return text === undefined;
  if (text === undefined) return false;
  return (
    (pattern.equalTo === undefined || text === pattern.equalTo) &&
    (pattern.contains === undefined || text.includes(pattern.contains)) &&
    (pattern.matches === undefined || textMatcher(pattern.matches).matches(text))
  );
}

/** Whether `value` contains everything in `wanted`. */
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
