import { wholeNumber } from '../admin-route.ts';

const MOST_LISTED = 100;

/** What a list can be asked for. */
export const paging = {
  offset: 'How many to skip (default: 0).',
  limit: 'How many to show, up to 100 (default: 50).',
};

/** Which things of so many a query wants: the place of the first, and how many. */
export function rangeOf(query: URLSearchParams, total: number): { readonly offset: number; readonly length: number } {
  const offset = wholeNumber(query, 'offset', 0, 1e9);
  return { offset, length: Math.max(0, Math.min(wholeNumber(query, 'limit', 50, MOST_LISTED), total - offset)) };
}

/** The places of a universe without those that were removed. */
export interface Places {
  readonly count: number;
  readonly place: (index: number) => number;
}

export const left = (all: number, removed: readonly number[]): Places => ({
  count: all - removed.length,
  place: (index) => removed.reduce((place, one) => (one <= place ? place + 1 : place), index),
});

/** A page of what was written and, after it, of what is generated. */
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
