import { isObject, type JsonObject } from '../json.ts';

/** Documented values are nested far less deeply. */
const MAX_DEPTH = 100;

/** Whether parsed JSON holds at most about this many values. */
function isWithin(json: unknown, most: number): boolean {
  let left = most;
  const isSmall = (value: unknown, depth: number): boolean => {
    if (typeof value !== 'object' || value === null) return left-- > 0;
    if (depth > MAX_DEPTH) return true;
    if (Array.isArray(value)) {
      if (value.length > left) return false;
      for (const item of value) if (!isSmall(item, depth + 1)) return false;
      return true;
    }
    for (const name in value) if (!isSmall((value as JsonObject)[name], depth + 1)) return false;
    return left-- > 0;
  };
  return isSmall(json, 0);
}

/** Parsed JSON with at most about this many values: the same value, or a copy with shortened arrays. */
export function bounded(json: unknown, most: number): unknown {
  if (isWithin(json, most)) return json;
  let left = most;
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
    // Objects stay complete, so that no required property seems to be missing.
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copy(item, depth + 1)]));
    return value;
  };
  return copy(json, 0);
}
