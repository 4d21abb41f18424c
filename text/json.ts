import { attempt } from './errors.ts';

/** Any JSON value from a client. Objects may hold keys such as `__proto__` as plain properties. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text as it is; anything else is an empty one. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return '';
}

/** The value of a text; `undefined` if it is not JSON, or if there is none. */
export function parseJson(text = ''): Json | undefined {
  // An error for nothing takes longer than all else.
  if (text === '') return undefined;
  return attempt(() => JSON.parse(text) as Json);
}

/** A text of JSON in its quotation marks, even one that was cut off: what is in it, its end, and the colon behind a name. */
export const QUOTED = /"((?:[^"\\]|\\.)*)("|\\?$)(?=(\s*:)?)/gs;

/** `object` with `changes` applied; a key whose change is `undefined` is removed. Keeps a key named `__proto__`. */
export function withFields(object: JsonObject, changes: Readonly<Record<string, Json | undefined>>): JsonObject {
  const all = { ...object, ...changes } as JsonObject;
  if (!Object.values(changes).includes(undefined)) return all;
  // Not with `delete`, which slows down every later use of the object.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** `value` with every scalar and list in it changed, from the inside out. */
export function mapped(value: Json, change: (value: Json, name: string) => Json, name = ''): Json {
  if (Array.isArray(value)) {
    const within = value.map((item: Json) => mapped(item, change, name));
    return change(within, name);
  }
  if (!isObject(value)) return change(value, name);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, change, key)]));
}
