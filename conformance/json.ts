import { isObject, parseJson } from '../text/json.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export { isObject, parseJson };

/** An own property of an object, or `undefined`; null counts as absent (section 2.12). */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found ?? undefined;
}

/** The string at `path`, or `undefined` if there is no string. */
export function stringAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = field(value, ...path);
  if (typeof found === 'string') return found;
  return undefined;
}

/** The array at `path`, or an empty one. */
export function arrayAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = field(value, ...path);
  if (Array.isArray(found)) return found;
  return [];
}

export type Path = readonly string[];
export type Leaf = readonly [path: Path, value: unknown];

/** Every value that holds no others, with the names that lead to it. */
export function leavesOf(value: unknown, path: Path = []): readonly Leaf[] {
  const isEmpty = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  return isEmpty ? [[path, value]] : Object.entries(value).flatMap(([name, item]) => leavesOf(item, [...path, name]));
}

/** The identifiers of an object and of all objects in it. */
export const idsIn = (value: unknown): ReadonlySet<string> =>
  new Set(leavesOf(value).flatMap(([path, id]) => (path.at(-1) === 'id' && typeof id === 'string' ? [id] : [])));
