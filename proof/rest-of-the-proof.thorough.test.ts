import { testTrials } from './test-trials.ts';
import { allTrials, inTwoParts } from '../prove/trials.ts';

// The trials that proof.test.ts leaves out, so that `npm test` is minutes faster. Of broken shapes, which are alike, and of
// combined choices only a third is tried, unless WHOLE_PROOF is set: then, as with `prove`, all are.
const isWhole = Boolean(process.env['WHOLE_PROOF']);
const many = new Set(['mutant', 'combination']);
testTrials(inTwoParts(allTrials()).rest.filter(({ kind }, place) => isWhole || !many.has(kind) || place % 3 === 0));
