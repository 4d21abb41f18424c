import { isObject } from '../json.ts';

/** Documented values lie far less deep. */
const MAX_DEPTH = 100;

/** Parsed JSON of no more than about so many values: the same, or where it holds more, a copy with shorter arrays. */
export function bounded(json: unknown, most: number): unknown {
  let left = most;
  const isSmall = (value: unknown, depth: number): boolean => {
    if (typeof value !== 'object' || value === null) return left-- > 0;
    if (depth > MAX_DEPTH) return true;
    if (Array.isArray(value)) return value.length <= left && value.every((item) => isSmall(item, depth + 1));
    for (const name in value) if (!isSmall((value as Record<string, unknown>)[name], depth + 1)) return false;
    return left-- > 0;
  };
  if (isSmall(json, 0)) return json;
  left = most;
  const copy = (value: unknown, depth: number): unknown => {
    left--;
    if (depth > MAX_DEPTH) return value;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) {
        if (left <= 0) break;
        items.push(copy(item, depth + 1));
      }
      return items;
    }
    // All of an object is kept: what is required of it must not seem to be missing.
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copy(item, depth + 1)]));
    return value;
  };
  return copy(json, 0);
}
