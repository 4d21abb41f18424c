import { randomInt } from 'node:crypto';
import { testTrials } from './test-trials.ts';
import { allTrials, drawn, inTwoParts, seededTrials } from '../prove/trials.ts';

// The trials that proof.test.ts leaves out, so that `npm test` is minutes faster. Unless WHOLE_PROOF is set, only some of those are
// tried that are alike, drawn anew. Faults come in another order each time, so that others are committed together. The name of a
// trial holds its seed.
const isWhole = Boolean(process.env['WHOLE_PROOF']);
// Faults of one seed share runs.
const seeds = Array.from({ length: isWhole ? 3 : 1 }, () => randomInt(2 ** 31));
const { rest } = inTwoParts(allTrials());
const share: Readonly<Record<string, number>> = isWhole
  ? {}
  : { fault: 1 / 8, mutant: 1 / 48, combination: 1 / 8, foreign: 1 / 8, permitted: 1 / 4, dead: 1 / 4 };
const kinds = [...new Set(rest.map(({ kind }) => kind))];
const some = kinds.flatMap((kind) => {
  const all = rest.filter((trial) => trial.kind === kind);
  return drawn(all, Math.ceil(all.length * (share[kind] ?? 1)), seeds[0]);
});
const seeded = seededTrials(seeds);
testTrials([...some, ...drawn(seeded, isWhole ? seeded.length : 20, seeds[0])]);
