import { randomInt } from 'node:crypto';
import { testTrials } from './test-trials.ts';
import { allTrials, drawn, inTwoParts, seededTrials } from '../prove/trials.ts';

// The trials that proof.test.ts leaves out, so that `npm test` is minutes faster. Unless WHOLE_PROOF is set, only some of those are
// tried that are alike: of broken shapes, combined choices, dead endpoints, traffic of others, and, drawn anew, permitted servers and
// faults under a seed drawn anew. Faults come in another order each time, so that others are committed together. The name of a trial
// holds its seed.
const isWhole = Boolean(process.env['WHOLE_PROOF']);
// Faults of one seed share runs.
const seeds = Array.from({ length: isWhole ? 3 : 1 }, () => randomInt(2 ** 31));
const { rest } = inTwoParts(allTrials());
const share: Readonly<Record<string, number>> = isWhole
  ? {}
  : { mutant: 1 / 16, combination: 1 / 6, foreign: 1 / 4, permitted: 1 / 3, dead: 1 / 3 };
const kinds = [...new Set(rest.map(({ kind }) => kind))];
const some = kinds.flatMap((kind) => {
  const all = rest.filter((trial) => trial.kind === kind);
  return drawn(all, Math.ceil(all.length * (share[kind] ?? 1)), seeds[0]);
});
const seeded = seededTrials(seeds);
testTrials([...some, ...drawn(seeded, isWhole ? seeded.length : 40, seeds[0])]);
