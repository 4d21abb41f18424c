import type { EndpointId } from '../../spec/index.ts';
import { isObject, type Json } from '../../text/json.ts';
import { MockError } from '../mock-error.ts';
import type { JournalEntry } from './journal-entry.ts';
import { didYouMean } from '../../text/nearest.ts';

/** A text, or everything that it must be. */
export type TextPattern = string | TextConditions;

export interface TextConditions {
  readonly equalTo?: string;
  readonly contains?: string;
  /** The whole text, in which `*` stands for any characters, or none. */
  readonly glob?: string;
  readonly absent?: boolean;
}

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

type Part = keyof RequestPattern;

const partMatches: {
  readonly [P in Part]-?: (entry: JournalEntry, wanted: Exclude<RequestPattern[P], undefined>) => boolean;
} = {
  endpoint: ({ endpoint }, wanted) => endpoint === wanted,
  agentId: ({ agentId }, wanted) => agentId === wanted,
  method: ({ method }, wanted) => ['ANY', method].includes(wanted.toUpperCase()),
  url: ({ url }, wanted) => textMatches(url, wanted),
  urlPath: ({ url }, wanted) => textMatches(url.split('?')[0] ?? '', wanted),
  queryParameters: ({ query }, wanted) =>
    Object.entries(wanted).every(([name, text]) => {
      const values = Object.hasOwn(query, name) ? [query[name] ?? ''].flat() : [undefined];
      return values.some((value) => textMatches(value, text));
    }),
  headers({ headers }, wanted) {
    const sent = new Map(Object.entries(headers));
    return Object.entries(wanted).every(([name, text]) => textMatches(sent.get(name.toLowerCase()), text));
  },
  status: ({ response }, wanted) => response.status === wanted,
  wasMatched: ({ wasMatched }, wanted) => wasMatched === wanted,
  after: ({ id }, wanted) => id > wanted,
  body: ({ body }, wanted) => holdsJson(body, wanted),
};

export const partNames = Object.keys(partMatches) as readonly Part[];

export const mismatches = (entry: JournalEntry, pattern: RequestPattern): readonly Part[] =>
  (Object.keys(pattern) as Part[]).filter((name) => {
    if (pattern[name] === undefined || !Object.hasOwn(partMatches, name)) return false;
    return !(partMatches[name] as (entry: JournalEntry, wanted: unknown) => boolean)(entry, pattern[name]);
  });

/** The entries that match. @throws MockError for an unknown condition of a text. */
export function matching(entries: readonly JournalEntry[], pattern: RequestPattern): readonly JournalEntry[] {
  const { url, urlPath, queryParameters, headers } = pattern;
  for (const text of [url, urlPath, ...Object.values(queryParameters ?? {}), ...Object.values(headers ?? {})])
    checkConditions(text);
  return entries.filter((entry) => mismatches(entry, pattern).length === 0);
}

const conditions: readonly string[] = ['equalTo', 'contains', 'glob', 'absent'] satisfies (keyof TextConditions)[];

function checkConditions(text: TextPattern | undefined): void {
  if (typeof text !== 'object') return;
  const unknown = Object.keys(text).find((name) => !conditions.includes(name));
  if (unknown === undefined) return;
  const known = `${didYouMean(unknown, conditions)} There are ${conditions.join(', ')}.`;
  throw new MockError(`A text cannot be matched by ${JSON.stringify(unknown)}.${known}`);
}

function textMatches(text: string | undefined, pattern: TextPattern): boolean {
  if (typeof pattern === 'string') return text === pattern;
  const { equalTo = text, contains = '', glob, absent = false } = pattern;
  if (absent || text === undefined) return absent && text === undefined;
  return text === equalTo && text.includes(contains) && (glob === undefined || globMatches(text, glob));
}

/** Without a regular expression, so that no pattern takes long. */
function globMatches(text: string, glob: string): boolean {
  const [first = '', ...parts] = glob.split('*');
  const last = parts.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let end = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, end);
    if (found < 0) return false;
    end = found + part.length;
  }
  return text.length - last.length >= end && text.endsWith(last);
}

/** Whether `value` contains everything in `wanted`. */
export function holdsJson(value: Json, wanted: Json): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(value) || value.length !== wanted.length) return false;
    return wanted.every((item: Json, i) => holdsJson((value as readonly Json[])[i] ?? null, item));
  }
  if (!isObject(wanted)) return value === wanted;
  if (!isObject(value)) return false;
  return Object.entries(wanted).every(
    ([key, item]) => Object.hasOwn(value, key) && holdsJson(value[key] ?? null, item),
  );
}
