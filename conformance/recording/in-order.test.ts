import fc from 'fast-check';
import { createOrdering, type Placed } from './in-order.ts';

interface Item {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly hasEnd: boolean;
  readonly size: number;
}

const item = (sentAt: number, lasts: number, hasEnd = true): Item => ({
  sentAt,
  answeredAt: sentAt + lasts,
  hasEnd,
  size: 1,
});

function ordered(items: readonly Item[]): readonly Placed<Item>[] {
  const ordering = createOrdering<Item>();
  return [...items.flatMap((one) => ordering.add(one)), ...ordering.end()].flatMap((one) => one ?? []);
}

const lasting = fc
  .record({
    sentAt: fc.integer({ min: 0, max: 300_000 }),
    lasts: fc.integer({ min: 0, max: 50_000 }),
    hasEnd: fc.boolean(),
  })
  .map(({ sentAt, lasts, hasEnd }) => item(sentAt, hasEnd ? lasts : 0, hasEnd));

test('an exchange that is reported as complete before another began was complete, in any order of arrival', () => {
  fc.assert(
    fc.property(fc.array(lasting, { maxLength: 40 }), (items) => {
      const placed = ordered(items);
      for (const [index, one] of placed.entries()) {
        expect(one.begun).toBeLessThan(one.n);
        for (const before of placed.slice(0, index)) {
          expect(before.n).toBeLessThan(one.n);
          if (before.n < one.begun) expect(before.item.hasEnd && before.item.answeredAt < one.item.sentAt).toBe(true);
        }
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});

test('recognises exchanges that follow each other', () => {
  const [first, second] = ordered([item(0, 10), item(100, 10)]);
  expect(first && second && first.n < second.begun).toBe(true);
});

test('reports no order for exchanges that may overlap within the precision of clocks', () => {
  const [first, second] = ordered([item(0, 10), item(12, 10)]);
  expect(first && second && first.n < second.begun).toBe(false);
});

test('leaves out an exchange that arrives long after its time', () => {
  const ordering = createOrdering<Item>();
  for (const one of [item(0, 10), item(1_000_000, 10)]) ordering.add(one);
  expect(ordering.add(item(5, 1))).toEqual([undefined]);
});
