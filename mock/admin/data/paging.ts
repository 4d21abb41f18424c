import type { Store } from '../../store/store.ts';
import { wholeNumber } from '../admin-route.ts';

const MOST_LISTED = 100;

export function rangeOf(query: URLSearchParams, total: number) {
  const offset = wholeNumber(query, 'offset', 0, 1e9);
  return { offset, length: Math.max(0, Math.min(wholeNumber(query, 'limit', 50, MOST_LISTED), total - offset)) };
}

/** Whether a text has all words of the query, in any case; `undefined` if it has none. */
export function searched(query: URLSearchParams): ((text: string) => boolean) | undefined {
  const words = (query.get('search') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  return (text) => words.every((word) => text.toLowerCase().includes(word));
}

export type Listed = 'agent' | 'workspace';

/** The ids of agents, or workspaces, in a range: written ones, new ones first, and then generated ones. */
export function listedIds(of: Listed, store: Store, range: (total: number) => ReturnType<typeof rangeOf>) {
  const { written, generated } = store.shown(`${of}s`);
  const total = written.length + generated.length;
  const { offset, length } = range(total);
  const places = [...written, ...generated].slice(offset, offset + length);
  const ids = places.map((place) => (typeof place === 'string' ? place : store[`${of}Id`](place)));
  return { total, ids };
}
