import { gapIds, gaps } from '../spec/index.ts';
import { profiles } from '../mock/index.ts';
import { pairwiseProfiles } from '../prove/pairwise.ts';
import { testTrials } from './test-trials.ts';
import { allTrials, inTwoParts } from '../prove/trials.ts';

// One in twenty trials of each kind. The rest takes minutes: rest-of-the-proof.thorough.test.ts.
testTrials(inTwoParts(allTrials()).first);

test('every two choices of two gaps occur together in a combination', () => {
  const met = new Set(
    pairwiseProfiles().flatMap((profile) =>
      gapIds.flatMap((a) => gapIds.map((b) => `${a}=${profile[a]} ${b}=${profile[b]}`)),
    ),
  );
  const wanted = gapIds.flatMap((a) =>
    gapIds
      .filter((b) => b !== a)
      .flatMap((b) =>
        Object.keys(gaps[a].choices).flatMap((x) => Object.keys(gaps[b].choices).map((y) => `${a}=${x} ${b}=${y}`)),
      ),
  );
  expect(wanted.filter((pair) => !met.has(pair))).toEqual([]);
});

test('contrarian differs from default in every gap', () => {
  expect(gapIds.filter((gap) => profiles.contrarian[gap] === profiles.default[gap])).toEqual([]);
});

test('default has the first choice of every gap', () => {
  expect(gapIds.filter((gap) => profiles.default[gap] !== Object.keys(gaps[gap].choices)[0])).toEqual([]);
});
