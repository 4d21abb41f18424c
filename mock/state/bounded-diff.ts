import type { ReplaceOperation, VoidableDiff } from 'rfc6902/diff';

/** Comparing two lists takes time proportional to the product of their lengths. */
const LONGEST_LIST = 100;
/** The library passes the steps of all members to one call, which limits their number. */
const LARGEST_OBJECT = 10_000;
const MOST_LEVELS = 100;
/** Pairs of items that are compared in total; nested lists multiply them. */
const MOST_PAIRS = 50_000;

/**
 * Limits the time for a JSON Patch: a list or an object that is too large or too deep, or that comes after the budget
 * is used up, is replaced as a whole if it differs. One for each patch.
 */
export function boundedDiff(): VoidableDiff {
  let pairs = 0;
  /** Serialized values, cached, since one list is compared with many. */
  const texts = new WeakMap<object, string>();
  const textOf = (value: object): string => {
    const text = texts.get(value) ?? JSON.stringify(value);
    texts.set(value, text);
    return text;
  };
  const size = (value: object): number => (Array.isArray(value) ? value.length : Object.keys(value).length);
  return (before: unknown, after: unknown, pointer) => {
    if (before === after) return [];
    if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return undefined;
    const replaced: ReplaceOperation[] = [{ op: 'replace', path: pointer.toString(), value: after }];
    const isList = Array.isArray(before) && Array.isArray(after);
    const [one, other] = [size(before), size(after)];
    const isTooLarge = Math.max(one, other) > (isList ? LONGEST_LIST : LARGEST_OBJECT);
    if (isTooLarge || pointer.tokens.length > MOST_LEVELS) {
      if (textOf(before) === textOf(after)) return [];
      return replaced;
    }
    pairs += isList ? one * other + 1 : 1;
    if (pairs > MOST_PAIRS) return replaced;
    return undefined;
  };
}
