import { gapIds, gaps, type Profile } from '../spec/index.ts';
import { createCovering } from '../conformance/probes/covering.ts';
import { profiles } from '../mock/index.ts';

/** Kept, since they take most of a second, and hundreds of trials each name one of them. */
let paired: Profile[] | undefined;

/** Profiles in which every two choices of two different gaps occur together at least once. The same each time. */
export function pairwiseProfiles(): readonly Profile[] {
  if (paired) return paired;
  const covering = createCovering([2]);
  const choices = Object.fromEntries(gapIds.map((gap) => [gap, Object.keys(gaps[gap].choices)]));
  paired = [];
  do paired.push({ ...profiles.default, ...covering.rowFor({}, choices) });
  while (covering.covered().some(({ met, of }) => met < of));
  return paired;
}
