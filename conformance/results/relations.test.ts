import * as fc from 'fast-check';
import { differences, disorderBetweenPages, disorderWithinPages, firstRepeat, lostFrom } from './relations.ts';
import { parseTimestamp } from './timestamps.ts';
import type { Page, Row, Walk, WalkEnd } from './walk.ts';

const base = Date.UTC(2026, 4, 20, 12);

/** A result that is `age` minutes old. */
const row = (age: number, id = `r${age}`): Row => {
  const createdAt = new Date(base - age * 60_000).toISOString();
  return { id, createdAt, at: parseTimestamp(createdAt), agentId: 'a', isIdle: false };
};

function walkOf(pages: readonly (readonly Row[])[], end: WalkEnd = 'null', readAt = 0): Walk {
  const rows: Row[] = [];
  const place = new Map<string, number>();
  for (const one of pages.flat())
    if (!place.has(one.id)) {
      place.set(one.id, rows.length);
      rows.push(one);
    }
  return {
    query: { agentId: 'a', limit: pages[0]?.length ?? 1 },
    pages: pages.map((some): Page => ({
      count: some.length,
      rows: some,
      nextCursor: null,
      exchange: { request: { method: 'GET', url: 'http://x', headers: {} }, durationMs: 0 },
    })),
    rows,
    place,
    end,
    refusal: undefined,
    problem: undefined,
    instants: [base],
    begun: readAt,
    headRead: readAt,
  };
}

const inPages = (rows: readonly Row[], size: number): readonly (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => rows.slice(i * size, (i + 1) * size));

const everything = { from: -Infinity, to: Infinity };

describe('a list that is as it should be', () => {
  /** Ages with ties, a page size for each of two walks, and results that arrive before the second. */
  const lists = fc.record({
    ages: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 40 }),
    size: fc.integer({ min: 1, max: 9 }),
    pages: fc.integer({ min: 1, max: 9 }),
    arrived: fc.integer({ min: 0, max: 5 }),
    swap: fc.boolean(),
  });

  test('raises no alarm, with ties, arrivals and walks that are broken off', () => {
    const property = fc.property(lists, ({ ages, size, pages, arrived, swap }) => {
      const sorted = ages.toSorted((one, other) => one - other).map((age, i) => row(age, `r${i}`));
      // Results of the same age may come in another order each time.
      const later = swap
        ? sorted.toSorted((one, other) => (other.at?.ms ?? 0) - (one.at?.ms ?? 0) || other.id.localeCompare(one.id))
        : sorted;
      const fresh = Array.from({ length: arrived }, (_, i) => row(0 - i / 10, `new${i}`)).toReversed();
      const all = inPages([...fresh, ...later], size);
      const whole = walkOf([sorted]);
      const small = walkOf(all.slice(0, pages), pages >= all.length ? 'null' : 'bound', 1);

      expect(differences(whole, small)).toEqual([]);
      expect(firstRepeat(small)).toBeUndefined();
      expect(disorderWithinPages(small)).toBeUndefined();
      expect(disorderBetweenPages(small, whole)).toBeUndefined();
      expect(lostFrom(small, whole, everything)).toEqual([]);
      expect(lostFrom(whole, small, everything)).toEqual([]);
    });
    fc.assert(property, { numRuns: 1000, seed: 1 });
  });

  test('a part of it that ends is no loss outside its span', () => {
    const whole = walkOf([[row(1), row(2), row(3), row(4)]]);
    const part = walkOf([[row(1), row(2)]], 'null', 1);
    expect(lostFrom(part, whole, { from: base - 2.5 * 60_000, to: base })).toEqual([]);
  });
});

describe('differences', () => {
  const whole = walkOf([[1, 2, 3, 4, 5, 6].map((age) => row(age))]);

  test.each<[string, readonly number[], WalkEnd, readonly string[]]>([
    ['a result in the middle that is missing', [1, 2, 4, 5, 6], 'null', ['missing r3']],
    ['a missing head', [2, 3, 4], 'bound', ['missing r1']],
    ['an end that comes too early', [1, 2], 'null', ['missing r3', 'missing r4', 'missing r5', 'missing r6']],
    ['one that the other does not know', [1, 2, 2.5, 3], 'bound', ['extra r2.5']],
    ['two in the other order', [1, 3, 2, 4], 'bound', ['order r3 r2']],
    [
      'another list',
      [7, 8, 9],
      'bound',
      ['missing r1', 'missing r2', 'missing r3', 'missing r4', 'missing r5', 'missing r6'],
    ],
    ['nothing but what arrived', [-3, -2], 'bound', []],
  ])('finds %s', (_, ages, end, expected) => {
    const other = walkOf(
      inPages(
        ages.map((age) => row(age)),
        2,
      ),
      end,
      1,
    );
    const found = differences(whole, other).map((one) =>
      one.kind === 'order' ? `order ${one.first.id} ${one.second.id}` : `${one.kind} ${one.row.id}`,
    );
    expect(found).toEqual(expected);
  });
});

describe('order and repetition', () => {
  test('finds a page that runs upwards', () => {
    expect(
      disorderWithinPages(
        walkOf([
          [row(1), row(2)],
          [row(4), row(3)],
        ]),
      ),
    ).toMatchObject({ page: 1, index: 1 });
  });

  test('finds a page that begins later than the one before ended', () => {
    const walked = walkOf([
      [row(1), row(3)],
      [row(2), row(4)],
    ]);
    const whole = walkOf([[row(1), row(2), row(3), row(4)]]);
    expect(disorderBetweenPages(walked, whole)).toMatchObject({ page: 1, earlier: { id: 'r3' }, later: { id: 'r2' } });
  });

  test('leaves a cursor that starts over to another check', () => {
    const whole = walkOf([[row(1), row(2), row(3), row(4)]]);
    expect(
      disorderBetweenPages(
        walkOf([
          [row(1), row(2)],
          [row(1), row(2)],
        ]),
        whole,
      ),
    ).toBeUndefined();
    expect(disorderBetweenPages(walkOf([[row(-1)], [row(-2)]], 'bound', 1), whole)).toBeUndefined();
  });

  test('finds a repetition, and the pages of it', () => {
    expect(firstRepeat(walkOf([[row(1), row(2)], [row(3)], [row(2)]]))).toMatchObject({
      firstPage: 0,
      page: 2,
      index: 0,
    });
  });

  test('unreadable times are no disorder', () => {
    const words = (id: string): Row => ({ id, createdAt: 'some day', at: undefined, agentId: 'a', isIdle: false });
    expect(disorderWithinPages(walkOf([[words('a'), words('b')]]))).toBeUndefined();
  });

  test('a clock that is put back, without a zone, is no disorder', () => {
    const local = (createdAt: string): Row => ({
      id: createdAt,
      createdAt,
      at: parseTimestamp(createdAt),
      agentId: 'a',
      isIdle: false,
    });
    const night = walkOf([[local('2026-11-01 01:05:00'), local('2026-11-01 01:55:00')]]);
    const day = walkOf([[local('2026-11-03 01:05:00'), local('2026-11-03 01:55:00')]]);
    expect(disorderWithinPages(night)).toBeUndefined();
    expect(disorderWithinPages(day)).toBeDefined();
  });
});

describe('lostFrom', () => {
  const whole = walkOf([[1, 2, 3, 4, 5, 6, 7].map((age) => row(age))]);
  const lost = (walked: Walk, other = whole): readonly string[] =>
    lostFrom(walked, other, everything).map(({ id }) => id);

  test('finds what lies between two results of a page, also where the walk was broken off', () => {
    expect(lost(walkOf([[row(1), row(2), row(4)]], 'bound', 1))).toEqual(['r3']);
  });

  test('leaves what lies between pages, which is about the cursor', () => {
    expect(
      lost(
        walkOf(
          [
            [row(1), row(2)],
            [row(4), row(5), row(6), row(7)],
          ],
          'null',
          1,
        ),
      ),
    ).toEqual([]);
  });

  test('finds what is missing at either end of a list that was read to its end', () => {
    expect(
      lost(
        walkOf(
          [
            [row(2), row(3)],
            [row(4), row(5), row(6)],
          ],
          'null',
          1,
        ),
      ),
    ).toEqual(['r1', 'r7']);
  });

  test('leaves what may have arrived since', () => {
    expect(
      lost(
        walkOf([[2, 3, 4, 5, 6, 7].map((age) => row(age))], 'null', 0),
        walkOf(
          whole.pages.map(({ rows }) => rows),
          'null',
          1,
        ),
      ),
    ).toEqual([]);
  });

  test('works on lists that run upwards', () => {
    const upwards = walkOf(
      [
        [row(7), row(6)],
        [row(4), row(2), row(1)],
      ],
      'null',
      1,
    );
    expect(lost(upwards)).toEqual(['r3']);
  });
});
