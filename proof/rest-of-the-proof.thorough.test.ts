import { randomInt } from 'node:crypto';
import { sampled, testTrials } from './test-trials.ts';
import { allTrials, inTwoParts, seededTrials } from '../prove/trials.ts';

// The trials that proof.test.ts leaves out, so that `npm test` is minutes faster: of each kind a few, and more of a kind with many.
// Faults come in another order each time, so that others are committed together. The name of a trial holds its seed.
const { rest } = inTwoParts(allTrials());
const ofKinds = [...new Set(rest.map(({ kind }) => kind))].flatMap((kind) => {
  const all = rest.filter((trial) => trial.kind === kind);
  return sampled(all, 4 / all.length + 1 / 24);
});
// Faults of one seed share runs.
const seeds = Array.from({ length: process.env['WHOLE_PROOF'] ? 3 : 1 }, () => randomInt(2 ** 31));
testTrials([...ofKinds, ...sampled(seededTrials(seeds), 1 / 36)]);
