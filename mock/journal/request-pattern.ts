import { isObject, type Json } from '../../text/json.ts';
import type { RequestPattern, TextConditions, TextPattern } from '../generated/patterns.ts';
import { MockError } from '../mock-error.ts';
import type { JournalEntry } from './journal-entry.ts';
import { didYouMean } from '../../text/nearest.ts';

type Part = keyof RequestPattern;

/** What an entry has in the parts of a pattern. */
export function partsOf(entry: JournalEntry) {
  const { url, query, response, id } = entry;
  return { ...entry, urlPath: url.split('?')[0] ?? '', queryParameters: query, status: response.status, after: id };
}

type Texts = NonNullable<RequestPattern['headers']>;
const partMatches = {
  endpoint: Object.is,
  agentId: Object.is,
  method: (has: string, wanted: string) => ['ANY', has].includes(wanted.toUpperCase()),
  url: textMatches,
  urlPath: textMatches,
  queryParameters(has: JournalEntry['query'], wanted: Texts) {
    const sent = new Map(Object.entries(has));
    return Object.entries(wanted).every(([name, text]) =>
      [sent.get(name)].flat().some((value) => textMatches(value, text)),
    );
  },
  headers(has: JournalEntry['headers'], wanted: Texts) {
    const sent = new Map(Object.entries(has));
    return Object.entries(wanted).every(([name, text]) => textMatches(sent.get(name.toLowerCase()), text));
  },
  status: Object.is,
  wasMatched: Object.is,
  after: (has: number, wanted: number) => has > wanted,
  body: holdsJson,
} satisfies Record<Part, (has: never, wanted: never) => boolean>;

export const partNames = Object.keys(partMatches) as readonly Part[];

export function mismatches(entry: JournalEntry, pattern: RequestPattern): readonly Part[] {
  const parts = partsOf(entry);
  return (Object.keys(pattern) as Part[]).filter((name) => {
    if (pattern[name] === undefined || !Object.hasOwn(partMatches, name)) return false;
    return !(partMatches[name] as (has: unknown, wanted: unknown) => boolean)(parts[name], pattern[name]);
  });
}

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
