import { testTrials } from './test-trials.ts';
import { allTrials, inTwoParts } from '../prove/trials.ts';

// The trials that proof.test.ts leaves out, so that `npm test` is minutes faster.
testTrials(inTwoParts(allTrials()).rest);
