/** The values that each dimension may take, the preferred ones first. */
export type Choices<Name extends string = string> = Readonly<Partial<Record<Name, readonly string[]>>>;

/** Combinations of so many values: how many were met, of how many that some row could meet. */
export interface Covered {
  readonly size: number;
  readonly met: number;
  readonly of: number;
  /** Some of the others: `body=slow, endpoint=import-agent`. */
  readonly unmet: readonly string[];
}

/** Rows that together meet every combination of values, made one by one: a covering array. */
export interface Covering {
  /**
   * A value for each free dimension, so that the row meets what is new, and most of it. What the given values meet by
   * themselves does not count.
   */
  rowFor<Name extends string>(given: Readonly<Record<string, string>>, free: Choices<Name>): Record<Name, string>;
  /** For each size. */
  covered(): readonly Covered[];
}

const MOST_UNMET = 20;
/** A combination of the first size counts more than all further ones. */
const FIRST = 10_000;

/** @param sizes of the combinations: those of the first size are met first */
export function createCovering(sizes: readonly number[]): Covering {
  const met = new Set<string>();
  const possible = sizes.map((size) => ({ size, names: new Set<string>() }));
  /** What each kind of row could meet, without the last ones if they were met. */
  const open = new Map<string, string[][][]>();

  function openTo(given: readonly string[], choices: readonly string[][]): string[][][] {
    const key = JSON.stringify([given, choices.map((values) => values.toSorted())]);
    let ofSizes = open.get(key);
    if (!ofSizes) {
      const groups = [...given.map((value) => [value]), ...choices];
      ofSizes = possible.map(({ size, names }) => {
        const all = combinations(groups, size, given.length);
        for (const one of all) names.add(nameOf(one));
        return all;
      });
      open.set(key, ofSizes);
    }
    for (const left of ofSizes) while (left.length > 0 && met.has(nameOf(left.at(-1) ?? []))) left.pop();
    return ofSizes;
  }

  /** What a value would meet with those that are taken. */
  function gainOf(value: string, taken: readonly string[]): number {
    let gain = 0;
    for (const [i, size] of sizes.entries())
      for (const others of combinations(groupsOf(taken), size - 1))
        if (!met.has(nameOf([...others, value]))) gain += i === 0 ? FIRST : 1;
    return gain;
  }

  return {
    rowFor(given, free) {
      const names = Object.keys(free) as (keyof typeof free & string)[];
      const fixed = Object.entries(given).map(([name, value]) => `${name}=${value}`);
      const choices = names.map((name) => (free[name] ?? []).map((value) => `${name}=${value}`));
      const wanted = new Set(
        openTo(fixed, choices)
          .find((left) => left.length > 0)
          ?.at(-1),
      );
      const isWanted = (values: readonly string[]): boolean => values.some((value) => wanted.has(value));
      const taken = [...fixed];
      for (const values of choices.toSorted((one, other) => Number(isWanted(other)) - Number(isWanted(one)))) {
        const allowed = isWanted(values) ? values.filter((value) => wanted.has(value)) : values;
        const gains = allowed.map((value) => gainOf(value, taken));
        taken.push(allowed[gains.indexOf(Math.max(...gains))] ?? '');
      }
      const chosen = choices.map((values) => values.find((value) => taken.includes(value)) ?? '');
      for (const size of sizes)
        for (const one of combinations(groupsOf([...fixed, ...chosen]), size, fixed.length)) met.add(nameOf(one));
      return Object.fromEntries(names.map((name, i) => [name, chosen[i]?.slice(name.length + 1) ?? ''])) as Record<
        (typeof names)[number],
        string
      >;
    },
    covered: () =>
      possible.map(({ size, names }) => {
        const unmet = [...names].filter((one) => !met.has(one));
        return { size, met: names.size - unmet.length, of: names.size, unmet: unmet.slice(0, MOST_UNMET) };
      }),
  };
}

const nameOf = (combination: readonly string[]): string => combination.toSorted().join(', ');
const groupsOf = (values: readonly string[]): string[][] => values.map((value) => [value]);

/** One value from each of `size` groups, in every way in which not all groups are among the first `given` ones. */
function combinations(groups: readonly (readonly string[])[], size: number, given = 0, from = 0): string[][] {
  if (size === 0) return [[]];
  const found: string[][] = [];
  for (let at = size === 1 ? Math.max(from, given) : from; at < groups.length; at++)
    for (const rest of combinations(groups, size - 1, given, at + 1))
      for (const value of groups[at] ?? []) found.push([value, ...rest]);
  return found;
}
