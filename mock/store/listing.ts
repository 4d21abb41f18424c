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
  const instants = added.map(instantOf);
  /** How many results of `below` are newer than the added one with this index from the newest. */
  const newer = cached(extra, (k: number) => {
    const instant = instants[extra - 1 - k] ?? Number.NaN;
    return bisect(below.count, (n) => below.createdAt(n) <= instant);
  });
  return listingOver(below, below.count + extra, (index) => {
    const before = bisect(extra, (k) => k + newer(k) >= index);
    const isAdded = before < extra && before + newer(before) === index;
    return (isAdded && added[extra - 1 - before]) || index - before;
  });
}

/** A listing of results of its own, and of those below at other indexes, as `locate` says. */
function listingOver(below: Listing, count: number, locate: (index: number) => ConversationResult | number): Listing {
  return {
    count,
    createdAt(index) {
      const found = locate(index);
      return typeof found === 'number' ? below.createdAt(found) : instantOf(found);
    },
    at(index) {
      const found = locate(index);
      return typeof found === 'number' ? below.at(found) : found;
    },
  };
}

/** A listing without the results at some indexes. Takes one bisection per result. */
export function withoutPlaces(below: Listing, places: readonly number[]): Listing {
  if (places.length === 0) return below;
  const gone = places.toSorted((one, other) => one - other);
  return listingOver(below, below.count - gone.length, (index) => {
    return index + bisect(gone.length, (k) => (gone[k] ?? 0) - k > index);
  });
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
