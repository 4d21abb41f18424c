import fc from 'fast-check';
import type { ConversationResult } from '../../spec/index.ts';
import { bisect, generatedListing, inOrder, withAdded, type Listing } from './listing.ts';

const result = (id: string, at: number): ConversationResult => ({ id, createdAt: new Date(at).toISOString() });

/** A listing of results created at these instants, in any order. */
const listingOf = (instants: readonly number[]): Listing => {
  const newestFirst = instants.toSorted((a, b) => b - a);
  return {
    count: newestFirst.length,
    createdAt: (n) => newestFirst[n] ?? Number.NaN,
    at: (n) => result(`below-${n}`, newestFirst[n] ?? Number.NaN),
  };
};

const read = (listing: Listing): readonly (readonly [string | undefined, number])[] =>
  Array.from({ length: listing.count }, (_, n) => [listing.at(n).id, listing.createdAt(n)]);

const instants = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 12 });

test('added results are in order of time, before generated ones of the same instant', () => {
  fc.assert(
    fc.property(instants, instants, (generated, added) => {
      const below = listingOf(generated);
      const given = added.map((at, i) => result(`added-${i}`, at));
      const extra = inOrder([], given);
      const newest = extra.toReversed().map((one) => [one.id, Date.parse(one.createdAt ?? '')] as const);
      const expected = [...newest, ...read(below)].toSorted(([, one], [, other]) => other - one);
      expect(read(withAdded(below, extra))).toEqual(expected);
    }),
  );
});

test('of two results added for one instant, the later one comes later', () => {
  const first = inOrder([], [result('a', 5), result('b', 3)]);
  expect(first.map(({ id }) => id)).toEqual(['b', 'a']);
  expect(inOrder(first, [result('c', 3), result('d', 9)]).map(({ id }) => id)).toEqual(['b', 'c', 'a', 'd']);
});

test('a place beyond the generated results is an error', () => {
  const none = generatedListing({} as never, undefined);
  expect(none.count).toBe(0);
  expect(() => none.at(0)).toThrow('There is no result 0: the list is empty.');
});

test('bisect finds the first place, in lists whose length needs more than 31 bits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: 0, max: 2 ** 40 }), (count, first) => {
      expect(bisect(count, (n) => n >= first)).toBe(Math.min(count, first));
    }),
  );
});
