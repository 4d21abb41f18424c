/**
 * JSON Pointers (RFC 6901), by which places in bodies are named: `/agent/groups/0/title`; empty for the whole. A template
 * has `*` for every item of an array.
 */

/** A name as it stands in a pointer. */
export const escapeToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The names on the way to a place. What stands before the first slash, as `body` does in `body/agent`, is none of them. */
export const pointerTokens = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The pointer to the place that these names and indexes lead to. */
export const pointerTo = (way: readonly (string | number)[]): string =>
  way.map((name) => `/${escapeToken(String(name))}`).join('');

/** The template of a pointer: indexes are written `*`. */
export const templateOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

/** What stands at a place; `undefined` where nothing does. Whatever the names are, nothing inherited is found. */
export function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const name of pointerTokens(pointer)) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, name)?.value;
  }
  return at;
}

/**
 * `value` with what stands at a place changed, or left out where `change` gives `undefined`; what is beside the way is
 * shared, not copied. Where nothing stands there, `value` itself.
 */
export function changedAt<T>(value: T, pointer: string, change: (found: unknown) => unknown): T {
  return changedOn(value, pointerTokens(pointer), change) as T;
}

/** `value` without what stands at a place; the whole is never left out. */
export const withoutPlace = <T>(value: T, pointer: string): T =>
  pointer === '' ? value : changedAt(value, pointer, () => undefined);

function changedOn(value: unknown, [name, ...rest]: readonly string[], change: (found: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  const next = changedOn(Object.getOwnPropertyDescriptor(value, name)?.value, rest, change);
  const isOther = (key: string | number): boolean => String(key) !== name;
  if (Array.isArray(value))
    return next === undefined
      ? value.filter((_, index) => isOther(index))
      : value.map((item: unknown, index) => (isOther(index) ? item : next));
  return next === undefined
    ? Object.fromEntries(Object.entries(value).filter(([key]) => isOther(key)))
    : { ...value, [name]: next };
}
