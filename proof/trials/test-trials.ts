import { compiled } from '../compiled.ts';
import { prove, type Tried } from './prove.ts';
import { summary } from './summary.ts';
import { nameOf, shortfall, type Trial } from './trials.ts';

/** On a busy machine. */
const LONGEST_MS = 900_000;

/** A test for each trial. All of them are done before the first test. */
export function testTrials(trials: readonly Trial[]): void {
  let tried: readonly Tried[] = [];

  beforeAll(async () => {
    tried = await prove(compiled('proof/trials/worker'), trials);
    // Past Jest's own console, which would put a stack trace below it.
    process.stdout.write(`\n${summary(tried).join('\n')}\n\n`);
  }, LONGEST_MS);

  test.each(trials.map((trial) => [nameOf(trial), trial] as const))('%s', (_, trial) => {
    const verdict = tried.find((row) => row.trial === trial)?.verdict;
    expect(verdict && shortfall(verdict)).toEqual([]);
  });
}
