import type { ReplaceOperation, VoidableDiff } from 'rfc6902/diff';

/** The comparison of two lists costs the product of their lengths. */
const LONGEST_LIST = 100;
/** The library hands over the steps of all members at once, which is more than a call can take. */
const LARGEST_OBJECT = 10_000;
const MOST_LEVELS = 100;
/** Pairs of items that are compared in all; every level of lists within lists multiplies them. */
const MOST_PAIRS = 50_000;

/**
 * Keeps a JSON Patch from taking for ever: a list or an object that is too large, too deep, or comes when too much was
 * compared already is replaced whole where it differs. One for each patch.
 */
export function boundedDiff(): VoidableDiff {
  let pairs = 0;
  /** What was written as JSON to be compared; the same list is compared with many. */
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
    if (isTooLarge || pointer.tokens.length > MOST_LEVELS) return textOf(before) === textOf(after) ? [] : replaced;
    pairs += isList ? one * other + 1 : 1;
    return pairs > MOST_PAIRS ? replaced : undefined;
  };
}
