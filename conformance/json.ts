export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

/** What a text holds; `undefined` if it is not JSON. */
export function parsedJson(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
