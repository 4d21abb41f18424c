import type { Universe } from '../../fixtures/index.ts';
import { cached } from '../../fixtures/universe/cached.ts';
import type { ConversationResult } from '../../spec/index.ts';

/** The results of one agent, newest first. Each is generated only when it is read. */
export interface Listing {
  readonly count: number;
  /** Epoch milliseconds; never increases with `index`. */
  createdAt(index: number): number;
  at(index: number): ConversationResult;
}

/** The generated results of the agent at an index of the universe; none if there is no such agent. */
export function generatedListing(universe: Universe, agent: number | undefined): Listing {
  if (agent === undefined) return { count: 0, createdAt: noSuchResult, at: noSuchResult };
  return {
    count: universe.resultCount(agent),
    createdAt: universe.resultCreatedAt.bind(universe, agent),
    at: universe.result.bind(universe, agent),
  };
}

function noSuchResult(n: number): never {
  throw new RangeError(`There is no result ${n}: the list is empty.`);
}

/** Each at its place in time, before those of the same instant. `added` is oldest first. Two bisections per result. */
export function withAdded(below: Listing, added: readonly ConversationResult[]): Listing {
  const extra = added.length;
  if (extra === 0) return below;
  const instants = added.map((result) => instantOf(result));
  /** How many results of `below` are newer than the added one with this index from the newest. */
  const newer = cached(extra, (k: number) => {
    const instant = instants[extra - 1 - k] ?? Number.NaN;
    return bisect(below.count, (n) => below.createdAt(n) <= instant);
  });
  /** The index of an added result, if one has this place, and the index below. */
  const locate = (index: number): { readonly added: number | undefined; readonly below: number } => {
    const before = bisect(extra, (k) => k + newer(k) >= index);
    const isAdded = before < extra && before + newer(before) === index;
    return { added: isAdded ? extra - 1 - before : undefined, below: index - before };
  };
  return {
    count: below.count + extra,
    createdAt(index) {
      const place = locate(index);
      return instants[place.added ?? -1] ?? below.createdAt(place.below);
    },
    at(index) {
      const place = locate(index);
      return added[place.added ?? -1] ?? below.at(place.below);
    },
  };
}

/** A listing without the results at some indexes. Takes one bisection per result. */
export function withoutPlaces(below: Listing, places: readonly number[]): Listing {
  if (places.length === 0) return below;
  const gone = places.toSorted((one, other) => one - other);
  const place = (n: number): number => n + bisect(gone.length, (k) => (gone[k] ?? 0) - k > n);
  return {
    count: below.count - gone.length,
    createdAt: (n) => below.createdAt(place(n)),
    at: (n) => below.at(place(n)),
  };
}

/** Both lists merged in order of creation, oldest first; of the same instant, `more` come last. */
export function inOrder(added: readonly ConversationResult[], more: readonly ConversationResult[]) {
  const all = [...added, ...more];
  const isInOrder = all.every((result, i) => i < added.length || i === 0 || instantOf(all[i - 1]) <= instantOf(result));
  if (isInOrder) return all;
  return all.toSorted((one, other) => instantOf(one) - instantOf(other));
}

const instantOf = (result: ConversationResult | undefined): number => Date.parse(result?.createdAt ?? '');

/** The first of `count` indexes for which `isPast` holds, or `count`. It must hold for all later indexes too. */
export function bisect(count: number, isPast: (n: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
