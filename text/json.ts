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

/** `object` with `changes` applied; a key whose change is `undefined` is removed. Keeps a key named `__proto__`. */
export function withFields(object: JsonObject, changes: Readonly<Record<string, Json | undefined>>): JsonObject {
  const isLeftOut = (key: string): boolean => Object.hasOwn(changes, key) && changes[key] === undefined;
  // Not with `delete`, which slows down every later use of the object.
  const kept = Object.keys(object).some(isLeftOut)
    ? Object.fromEntries(Object.entries(object).filter(([key]) => !isLeftOut(key)))
    : object;
  const set = Object.fromEntries(Object.entries(changes).filter(([, change]) => change !== undefined));
  return { ...kept, ...set } as JsonObject;
}
