import * as fc from 'fast-check';
import { createTargetClock } from '../history/facts/clock.ts';
import { createLists } from '../history/facts/lists.ts';
import { sampleExchange } from '../testing/sample-exchange.ts';
import { agreementOf, type Agreement } from './agreement.ts';
import { createWindows } from './windows.ts';

const base = Date.UTC(2026, 4, 20, 12);
const HOUR = 3_600_000;

interface Result {
  readonly id: string;
  /** Hours. */
  readonly age: number;
}

/** A list as a server shows it in pages, all read at once. */
interface Read {
  readonly of: readonly Result[];
  readonly limit: number;
  readonly pages?: number;
  /** What each page lacks of what it should show. */
  readonly without?: (result: Result, page: number, index: number) => boolean;
  readonly timeFilter?: string;
}

function agreement(...reads: readonly Read[]): Agreement {
  const lists = createLists();
  let n = 0;
  for (const { of, limit, pages = Infinity, without = () => false, timeFilter = 'allTime' } of reads) {
    const inPages = Array.from({ length: Math.max(1, Math.ceil(of.length / limit)) }, (_, i) =>
      of.slice(i * limit, (i + 1) * limit),
    );
    for (const [number, page] of inPages.slice(0, pages).entries()) {
      n += 2;
      const results = page
        .filter((one, index) => !without(one, number, index))
        .map(({ id, age }) => ({ id, createdAt: new Date(base - age * HOUR).toISOString() }));
      const filter: Record<string, string> = timeFilter === '' ? {} : { timeFilter };
      const nextCursor = number + 1 < inPages.length ? `${limit} ${timeFilter} ${number}` : null;
      const cursor: Record<string, string> = number === 0 ? {} : { cursor: `${limit} ${timeFilter} ${number - 1}` };
      lists.see(sampleExchange({ n, query: { limit, ...filter, ...cursor }, json: { results, nextCursor } }));
    }
  }
  return agreementOf(lists.all, createWindows(createTargetClock(base)));
}

const disagreements = (...reads: readonly Read[]): readonly string[] =>
  agreement(...reads).disagreements.map(({ kind, row, position, isSame }) => `${kind} ${row.id} ${position} ${isSame}`);

const results = Array.from({ length: 12 }, (_, i): Result => ({ id: `r${i}`, age: 2 + i }));
const fives: Read = { of: results, limit: 5 };
const whole: Read = { of: results, limit: 100 };

describe('several reads of a list', () => {
  test.each<[string, Read, readonly string[]]>([
    ['whole', fives, []],
    ['in part', { ...fives, pages: 1 }, []],
    ['without one of a page', { ...fives, without: (_, n, i) => n === 1 && i === 0 }, ['missing r5 between true']],
    ['without a result inside', { ...fives, without: ({ id }) => id === 'r7' }, ['missing r7 inside true']],
    ['with an early end', { of: results.slice(0, 10), limit: 5 }, ['missing r10 end true', 'missing r11 end true']],
    [
      'with another result',
      { of: [...results.slice(0, 4), { id: 'x', age: 5.5 }, ...results.slice(4)], limit: 5 },
      ['foreign x unknown true'],
    ],
    ['out of order, which another check judges', { of: results.toReversed(), limit: 5, pages: 1 }, []],
  ])('%s', (_, read, expected) => {
    expect(disagreements(whole, read, whole)).toEqual(expected);
  });

  test('two reads prove nothing, and any number of empty reads are no evidence against a list', () => {
    const part: Read = { of: results.slice(0, 10), limit: 5 };
    expect([disagreements(whole, part), disagreements(part, whole)]).toEqual([[], []]);
    expect(agreement(whole, part).compared).toBe(0);
    const empty: Read = { of: [], limit: 5 };
    expect(agreement(empty, empty, empty).compared).toBe(0);
    expect(agreement(whole, empty, whole).compared).toBe(1);
  });

  test('a lagging replica is not blamed for what it lacks', () => {
    const fresh = [{ id: 'new', age: 0.2 }, ...results];
    expect(disagreements({ ...whole, of: fresh }, whole, { ...whole, of: fresh })).toEqual([]);
    const old = [{ id: 'old', age: 1.2 }, ...results];
    expect(disagreements({ ...whole, of: old }, whole, { ...whole, of: old })).toEqual(['missing old head true']);
  });

  test('a list with another filter lacks what belongs between two of its results', () => {
    const part: Read = { of: results, limit: 100, timeFilter: 'last30Days', without: ({ id }) => id === 'r7' };
    expect(disagreements(whole, part, whole)).toEqual(['missing r7 inside false']);
  });

  test('a list shows nothing foreign where its filter showed it too, to a reading that did not end early', () => {
    const bare: Read = { of: results, limit: 100, timeFilter: '' };
    const week: Read = { of: results, limit: 5, timeFilter: 'last7Days', pages: 2, without: ({ id }) => id === 'r3' };
    const kinds = (...reads: readonly Read[]): readonly string[] =>
      agreement(...reads).disagreements.flatMap(({ kind, row, isSame }) => (isSame ? [] : [`${kind} ${row.id}`]));
    expect(kinds(week, bare, week)).toEqual(['foreign r3']);
    expect(kinds({ ...bare, timeFilter: 'last7Days' }, week, bare, week)).toEqual([]);
  });

  test('a list shows nothing foreign where those around it lack what a third shows', () => {
    const month: Read = { ...whole, timeFilter: 'last30Days' };
    const part: Read = { ...whole, of: results.slice(0, 11) };
    expect(disagreements(part, fives, part)).toEqual(['foreign r11 unknown true']);
    const missing = 'missing r11 end false';
    expect(disagreements(month, part, fives, part, month)).toEqual([missing, missing]);
  });

  test('a result missing at the end of a one-page list is known if a later read of that list shows it, and of a longer list if any does', () => {
    const wide: Read = { of: results, limit: 100, timeFilter: 'last30Days' };
    const short: Read = { ...wide, of: results.slice(0, 10) };
    const known = (...reads: readonly Read[]): readonly boolean[] =>
      agreement(...reads).disagreements.flatMap(({ isSame, isKnown }) => (isSame ? [] : [isKnown]));
    expect(known(wide, whole, short, whole)).toEqual([false, false]);
    expect(known(whole, short, whole, wide)).toEqual([true, true]);
    expect(known(wide, whole, { ...short, limit: 5 }, whole)).toEqual([true, true]);
  });
});

test('a list that changes while it is read raises no alarm, with any page sizes', () => {
  expect.hasAssertions();
  const step = fc.record({
    limit: fc.integer({ min: 1, max: 9 }),
    pages: fc.integer({ min: 1, max: 9 }),
    arrive: fc.integer({ min: 0, max: 2 }),
    remove: fc.integer({ min: 0, max: 30 }),
    turnTies: fc.boolean(),
  });
  const property = fc.property(
    fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 30 }),
    fc.array(step, { minLength: 3, maxLength: 8 }),
    (ages, steps) => {
      let now = ages.toSorted((one, other) => one - other).map((age, i): Result => ({ id: `r${i}`, age }));
      let made = 0;
      const reads = steps.map(({ limit, pages, arrive, remove, turnTies }): Read => {
        for (let i = 0; i < arrive; i++) now = [{ id: `new${made++}`, age: 0.01 - made / 1e6 }, ...now];
        now = now.filter((_, i) => i !== remove);
        if (turnTies) now = now.toSorted((one, other) => one.age - other.age || other.id.localeCompare(one.id));
        return { of: now, limit, pages };
      });
      expect(disagreements(...reads)).toEqual([]);
    },
  );
  fc.assert(property, { numRuns: 300, seed: 1 });
});
