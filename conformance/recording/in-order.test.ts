import fc from 'fast-check';
import { createOrdering, type Lasting, type Placed } from './in-order.ts';

const exchange = { request: { method: 'GET', url: '', headers: {} }, hasAllHeaders: true };
const item = (sentAt: number, lasts: number, hasEnd = true): Lasting => ({
  kind: 'exchange',
  entry: { exchange: { ...exchange, sentAt, answeredAt: sentAt + lasts }, own: undefined, hasEnd },
  size: 1,
});

function ordered(items: readonly Lasting[]): readonly Placed[] {
  const ordering = createOrdering();
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
          const [{ exchange: earlier, hasEnd }, { exchange: later }] = [before.item.entry, one.item.entry];
          if (before.n < one.begun) expect(hasEnd && earlier.answeredAt < later.sentAt).toBe(true);
        }
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});

test.each([
  ['follow each other', 100, true],
  ['may overlap within the precision of clocks', 12, false],
])('of exchanges that %s, the second at %d ms, an order is reported: %s', (_, sentAt, isKnown) => {
  const [first, second] = ordered([item(0, 10), item(sentAt, 10)]);
  expect(first && second && first.n < second.begun).toBe(isKnown);
});

test('leaves out an exchange that arrives long after its time', () => {
  const ordering = createOrdering();
  for (const one of [item(0, 10), item(1_000_000, 10)]) ordering.add(one);
  expect(ordering.add(item(5, 1))).toEqual([undefined]);
});
