import { isObject, type Json } from '../json.ts';
import { escapeToken } from '../../spec/json-pointer.ts';
import type { JournalEntry } from '../journal/journal-entry.ts';
import { mismatches, type RequestPattern } from '../journal/request-pattern.ts';

type Part = Exclude<keyof RequestPattern, 'body'>;

/** The value of each part of a pattern in a request; of headers and parameters, those that the pattern names. */
const parts: { readonly [K in Part]: (entry: JournalEntry, pattern: RequestPattern) => unknown } = {
  endpoint: ({ endpoint }) => endpoint,
  agentId: ({ agentId }) => agentId,
  method: ({ method }) => method,
  url: ({ url }) => url,
  urlPath: ({ url }) => url.split('?')[0],
  queryParameters: ({ query }, pattern) => named(query, Object.keys(pattern.queryParameters ?? {})),
  headers: ({ headers }, pattern) =>
    named(
      headers,
      Object.keys(pattern.headers ?? {}).map((name) => name.toLowerCase()),
    ),
  status: ({ response }) => response.status,
  wasMatched: ({ wasMatched }) => wasMatched,
  after: ({ id }) => id,
};

export const isPart = (name: string): boolean => name === 'body' || Object.hasOwn(parts, name);
export const partNames: readonly string[] = [...Object.keys(parts), 'body'];

const named = (values: Readonly<Record<string, unknown>>, names: readonly string[]): unknown =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]));

type Pattern = Omit<RequestPattern, 'body'> & { readonly body?: unknown };

/**
 * The differences of a request from a pattern, a line for each; empty if it matches. The pattern's body may hold
 * asymmetric matchers, such as `expect.any(String)`.
 */
export function differences(entry: JournalEntry, { body, ...rest }: Pattern): readonly string[] {
  const others = (mismatches(entry, rest) as readonly Part[]).map(
    (part) => `${part}: expected ${asShortJson(rest[part])}, received ${asShortJson(parts[part](entry, rest))}`,
  );
  return body === undefined ? others : [...others, ...bodyDifferences(entry.body, body, 'body')];
}

interface Asymmetric {
  asymmetricMatch(value: unknown): boolean;
  toAsymmetricMatcher?(): string;
  toString(): string;
}

const isAsymmetric = (value: unknown): value is Asymmetric =>
  typeof value === 'object' &&
  value !== null &&
  'asymmetricMatch' in value &&
  typeof value.asymmetricMatch === 'function';

/**
 * `at` is `body` with a JSON Pointer. Objects may have more fields than the pattern; arrays must have the same length.
 */
function bodyDifferences(value: Json | undefined, wanted: unknown, at: string): readonly string[] {
  const differs = [
    `${at}: expected ${asShortJson(wanted)}, received ${value === undefined ? 'nothing' : asShortJson(value)}`,
  ];
  if (isAsymmetric(wanted)) return wanted.asymmetricMatch(value) ? [] : differs;
  if (Array.isArray(wanted)) {
    if (!Array.isArray(value)) return differs;
    const items = value as readonly Json[];
    if (items.length !== wanted.length) return [`${at}: expected ${wanted.length} items, received ${items.length}`];
    return wanted.flatMap((item: unknown, i) => bodyDifferences(items[i], item, `${at}/${i}`));
  }
  if (isObject(wanted)) {
    if (!isObject(value)) return differs;
    return Object.entries(wanted).flatMap(([key, item]) =>
      bodyDifferences(Object.hasOwn(value, key) ? value[key] : undefined, item, `${at}/${escapeToken(key)}`),
    );
  }
  return value === wanted ? [] : differs;
}

const MOST = 200;

/** Short JSON, with asymmetric matchers in their own words. */
export function asShortJson(value: unknown): string {
  const text =
    JSON.stringify(value, (_, item: unknown) =>
      isAsymmetric(item) ? (item.toAsymmetricMatcher?.() ?? item.toString()) : item,
    ) ?? String(value);
  return text.length > MOST ? `${text.slice(0, MOST)}...` : text;
}
