import { randomInt } from 'node:crypto';
import { testTrials } from './test-trials.ts';
import { allTrials, drawn, inTwoParts, seededTrials } from '../prove/trials.ts';

// The trials that proof.test.ts leaves out, so that `npm test` is minutes faster. Of broken shapes, which are alike, of combined
// choices and of traffic of others only some are tried, of faults and permitted servers three in four, drawn anew, and of faults under
// seeds drawn anew a few, unless WHOLE_PROOF is set: then, as with `prove`, all are. The name of a trial holds its seed.
const isWhole = Boolean(process.env['WHOLE_PROOF']);
const oneIn: Readonly<Record<string, number>> = { mutant: 16, combination: 6, foreign: 4 };
const seeds = Array.from({ length: isWhole ? 3 : 8 }, () => randomInt(2 ** 31));
const { rest: all } = inTwoParts(allTrials());
const isDrawn = ({ kind }: (typeof all)[number]): boolean => !isWhole && (kind === 'fault' || kind === 'permitted');
const some = all.filter(isDrawn);
const fixed = all.filter((trial, place) => !isDrawn(trial) && (isWhole || place % (oneIn[trial.kind] ?? 1) === 0));
const rest = [...drawn(some, Math.ceil(some.length * 0.75), seeds[0]), ...fixed];
const seeded = seededTrials(seeds);
testTrials([...rest, ...(isWhole ? seeded : drawn(seeded, 10, seeds[0]))]);
