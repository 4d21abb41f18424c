import { gapIds, gaps } from '../spec/index.ts';
import { profiles } from '../mock/index.ts';
import { compiled } from './compiled.ts';
import { pairwiseProfiles } from './trials/pairwise.ts';
import { prove, type Tried } from './trials/prove.ts';
import { summary } from './trials/summary.ts';
import { allTrials, nameOf, shortfall, type Trial } from './trials/trials.ts';

const trials = allTrials();
/** On a busy machine. */
const LONGEST_MS = 900_000;
let tried: readonly Tried[] = [];

beforeAll(async () => {
  tried = await prove(compiled('proof/trials/worker'), trials);
  // Past Jest's own console, which would put a stack trace below it.
  process.stdout.write(`\n${summary(tried).join('\n')}\n\n`);
}, LONGEST_MS);

const verdictOn = (trial: Trial): Tried['verdict'] | undefined => tried.find((row) => row.trial === trial)?.verdict;

test.each(trials.map((trial) => [nameOf(trial), trial] as const))('%s', (_, trial) => {
  const verdict = verdictOn(trial);
  expect(verdict && shortfall(verdict)).toEqual([]);
});

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

test('contrarian takes another choice than default for every gap', () => {
  expect(gapIds.filter((gap) => profiles.contrarian[gap] === profiles.default[gap])).toEqual([]);
});

test('default takes the first choice of every gap', () => {
  expect(gapIds.filter((gap) => profiles.default[gap] !== Object.keys(gaps[gap].choices)[0])).toEqual([]);
});
