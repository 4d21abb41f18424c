import { testTrials } from './trials/test-trials.ts';
import { allTrials, inTwoParts } from './trials/trials.ts';

// The trials that proof.test.ts leaves out, so that `npm test` is minutes faster.
testTrials(inTwoParts(allTrials()).rest);
