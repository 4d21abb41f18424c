import { wholeNumber } from '../admin-route.ts';

const MOST_LISTED = 100;

/** Query parameters of a list. */
export const paging = {
  offset: 'How many to skip (default: 0).',
  limit: 'How many to show, up to 100 (default: 50).',
};

/** The range that a query selects: the first index, and the number. */
export function rangeOf(query: URLSearchParams, total: number): { readonly offset: number; readonly length: number } {
  const offset = wholeNumber(query, 'offset', 0, 1e9);
  return { offset, length: Math.max(0, Math.min(wholeNumber(query, 'limit', 50, MOST_LISTED), total - offset)) };
}

/** The indexes of a universe without the removed ones. */
export interface Places {
  readonly count: number;
  readonly place: (index: number) => number;
}

export const left = (all: number, removed: readonly number[]): Places => ({
  count: all - removed.length,
  place: (index) => removed.reduce((place, one) => (one <= place ? place + 1 : place), index),
});

/** A page of written things, followed by generated ones. */
export function pageOfIds(
  query: URLSearchParams,
  written: readonly string[],
  { count, place }: Places,
  generatedId: (index: number) => string,
): { readonly total: number; readonly ids: readonly string[] } {
  const total = written.length + count;
  const { offset, length } = rangeOf(query, total);
  const ids = Array.from({ length }, (_, i) => written[offset + i] ?? generatedId(place(offset + i - written.length)));
  return { total, ids };
}
