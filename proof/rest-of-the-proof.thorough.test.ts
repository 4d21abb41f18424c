import { testTrials } from './test-trials.ts';
import { allTrials, inTwoParts } from '../prove/trials.ts';

// The trials that proof.test.ts leaves out, so that `npm test` is minutes faster. Of broken shapes, which are alike, of combined
// choices and of traffic of others only some are tried, unless WHOLE_PROOF is set: then, as with `prove`, all are.
const isWhole = Boolean(process.env['WHOLE_PROOF']);
const oneIn: Readonly<Record<string, number>> = { mutant: 5, combination: 3, foreign: 2 };
testTrials(inTwoParts(allTrials()).rest.filter(({ kind }, place) => isWhole || place % (oneIn[kind] ?? 1) === 0));
