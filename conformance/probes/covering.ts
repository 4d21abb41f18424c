import { valueFor } from '../collections.ts';

/** The values that each dimension may take, the preferred ones first. */
export type Choices<Name extends string = string> = Readonly<Partial<Record<Name, readonly string[]>>>;

/** A combination of the first size counts more than all further ones. */
const FIRST = 10_000;

/** A covering array: rows that meet every combination of values of the first size, and of further ones from `goOn` on. */
export function createCovering(sizes: readonly number[]) {
  let wished: readonly number[] = sizes.slice(0, 1);
  const met = new Set<string>();
  const possible = sizes.map((size) => ({ size, all: new Set<string>() }));
  /** What each kind of row could meet, without the last ones if they were met. */
  const open = new Map<string, string[][]>();

  function openTo(given: readonly string[][], choices: readonly string[][]): string[][] {
    const key = JSON.stringify([given, ...choices.map((values) => values.toSorted())]);
    const ofSizes = valueFor(open, key, () => {
      const groups = [...given, ...choices];
      return possible.map(({ size, all }) => {
        const found = combinations(groups, size, given.length).map(nameOf);
        for (const one of found) all.add(one);
        return found;
      });
    });
    for (const left of ofSizes) while (left.length > 0 && met.has(left.at(-1) ?? '')) left.pop();
    return ofSizes.slice(0, wished.length);
  }

  /** What a value would meet with those that are taken. */
  function gainOf(value: string, taken: readonly string[][]): number {
    let gain = 0;
    for (const [i, size] of wished.entries())
      for (const others of combinations(taken, size - 1))
        if (!met.has(nameOf([...others, value]))) gain += i === 0 ? FIRST : 1;
    return gain;
  }

  return {
    goOn: () => void (wished = sizes),
    /** A value for each free dimension, so that the row meets something new, and most of it. */
    rowFor<Name extends string>(given: Readonly<Record<string, string>>, free: Choices<Name>): Record<Name, string> {
      const names = Object.keys(free) as (keyof typeof free & string)[];
      const fixed = Object.entries(given).map(([name, value]) => [`${name}=${value}`]);
      const choices = names.map((name) => (free[name] ?? []).map((value) => `${name}=${value}`));
      const next = openTo(fixed, choices).find((left) => left.length > 0);
      const wanted = new Set(next?.at(-1)?.split(BETWEEN));
      const taken = [...fixed];
      const wantedFirst = [
        ...choices.map((values) => values.filter((value) => wanted.has(value))),
        ...choices.filter((values) => !values.some((value) => wanted.has(value))),
      ];
      for (const allowed of wantedFirst) {
        const gains = allowed.map((value) => gainOf(value, taken));
        const best = allowed[gains.indexOf(Math.max(...gains))];
        if (best !== undefined) taken.push([best]);
      }
      for (const size of sizes) for (const one of combinations(taken, size, fixed.length)) met.add(nameOf(one));
      const row = names.map((name, i) => {
        const place = choices[i]?.findIndex((value) => taken.some(([one]) => one === value)) ?? -1;
        return [name, free[name]?.[place] ?? ''];
      });
      return Object.fromEntries(row) as Record<(typeof names)[number], string>;
    },
    /** How many combinations of each size were met, of how many that some row could, and some of the others. */
    covered: () =>
      possible.map(({ size, all }) => {
        const unmet = [...all].filter((one) => !met.has(one));
        return { size, met: all.size - unmet.length, of: all.size, unmet: unmet.slice(0, 20) };
      }),
  };
}

const BETWEEN = ', ';

function nameOf(values: readonly string[]): string {
  const [one = '', other = ''] = values;
  // Most are pairs, of which there are many.
  if (values.length > 2) return values.toSorted().join(BETWEEN);
  if (one < other) return one + BETWEEN + other;
  return other + BETWEEN + one;
}

/** One value from each of `size` groups, in every way in which not all groups are among the first `given` ones. */
function combinations(groups: readonly (readonly string[])[], size: number, given = 0, from = 0): string[][] {
  if (size === 0) return [[]];
  const found: string[][] = [];
  for (let at = size === 1 ? Math.max(from, given) : from; at < groups.length; at++)
    for (const rest of combinations(groups, size - 1, given, at + 1))
      for (const value of groups[at] ?? []) found.push([...rest, value]);
  return found;
}
