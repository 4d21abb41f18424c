/**
 * JSON Pointers (RFC 6901), which name places in bodies: `/agent/groups/0/title`; empty for the whole. A template has
 * `*` for every item of an array.
 */

export const escapeToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * The names on the path to a place. Text before the first slash, such as `body` in `body/agent`, is not one of them.
 */
export const pointerTokens = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The pointer made of these names and indexes. */
export const pointerTo = (way: readonly (string | number)[]): string =>
  way.map((name) => `/${escapeToken(String(name))}`).join('');

/** The template of a pointer: with `*` for indexes. */
export const templateOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

/**
 * The value at a place; `undefined` if there is none. It never returns an inherited property, whatever the names are.
 */
export function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const name of pointerTokens(pointer)) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.getOwnPropertyDescriptor(at, name)?.value;
  }
  return at;
}

/**
 * `value` with the part at a place changed, or removed if `change` returns `undefined`. Everything outside the path is
 * shared, not copied. If there is nothing at that place, it returns `value` itself.
 */
export function changedAt<T>(value: T, pointer: string, change: (found: unknown) => unknown): T {
  return changedOn(value, pointerTokens(pointer), change) as T;
}

/** `value` without the part at a place; the whole is never removed. */
export const withoutPlace = <T>(value: T, pointer: string): T => {
  if (pointer === '') return value;
  return changedAt(value, pointer, () => undefined);
};

function changedOn(value: unknown, [name, ...rest]: readonly string[], change: (found: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  const next = changedOn(Object.getOwnPropertyDescriptor(value, name)?.value, rest, change);
  if (Array.isArray(value)) {
    if (next === undefined) return value.filter((_, index) => String(index) !== name);
    return value.map((item: unknown, index) => (String(index) === name ? next : item));
  }
  if (next === undefined) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  return { ...value, [name]: next };
}
