import { gapIds, gaps, type GapId, type Profile } from '../spec/index.ts';
import { profiles } from '../mock/index.ts';

/** One choice of one gap, as its index in the list of all choices. */
type Choice = number;

const all: readonly { readonly gap: GapId; readonly choice: string }[] = gapIds.flatMap((gap) =>
  Object.keys(gaps[gap].choices).map((choice) => ({ gap, choice })),
);
const choicesOf = new Map<GapId, readonly Choice[]>(
  gapIds.map((gap) => [gap, all.flatMap((row, index) => (row.gap === gap ? [index] : []))]),
);

let paired: readonly Profile[] | undefined;

/**
 * Profiles in which every two choices of two different gaps occur together at least once. Greedy: each profile takes,
 * gap by gap, the choice with the most new pairs. Deterministic, and computed once.
 */
export const pairwiseProfiles = (): readonly Profile[] => (paired ??= madeOfPairs());

function madeOfPairs(): readonly Profile[] {
  const unmet = new Set<number>();
  const pair = (a: Choice, b: Choice): number => Math.min(a, b) * all.length + Math.max(a, b);
  for (const [a, { gap: gapA }] of all.entries())
    for (const [b, { gap: gapB }] of all.entries()) if (a < b && gapA !== gapB) unmet.add(pair(a, b));

  const made: Profile[] = [];
  while (unmet.size > 0) {
    const [first = 0] = unmet;
    const taken = new Map<GapId, Choice>();
    const take = (choice: Choice): void => {
      const row = all[choice];
      if (!row) return;
      for (const other of taken.values()) unmet.delete(pair(choice, other));
      taken.set(row.gap, choice);
    };
    take(Math.floor(first / all.length));
    take(first % all.length);
    for (const [gap, options] of choicesOf) {
      if (taken.has(gap)) continue;
      const gain = (choice: Choice): number => {
        let met = 0;
        for (const other of taken.values()) if (unmet.has(pair(choice, other))) met++;
        return met;
      };
      take(options.reduce((best, option) => (gain(option) > gain(best) ? option : best)));
    }
    const choices = [...taken].map(([gap, choice]) => [gap, all[choice]?.choice] as const);
    made.push({ ...profiles.default, ...Object.fromEntries(choices) });
  }
  return made;
}
