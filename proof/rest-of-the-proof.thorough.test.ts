import { testTrials } from './trials/test-trials.ts';
import { allTrials, inTwoParts } from './trials/trials.ts';

// What proof.test.ts leaves out, so that `npm test` takes minutes less.
testTrials(inTwoParts(allTrials()).rest);
