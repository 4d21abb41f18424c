import { randomInt } from 'node:crypto';
import { compiled } from './compiled.ts';
import { prove, type Tried } from '../prove/prove.ts';
import { summary } from '../prove/summary.ts';
import { drawn, nameOf, shortfall, type Trial } from '../prove/trials.ts';

/** For a busy machine. */
const LONGEST_MS = 900_000;

/** All of them where WHOLE_PROOF is set, as for a release, or else this share, drawn anew. */
export function sampled<T>(all: readonly T[], share: number): readonly T[] {
  return process.env['WHOLE_PROOF'] ? all : drawn(all, Math.ceil(all.length * share), randomInt(2 ** 31));
}

/** A test for each trial. All trials run before the first test. */
export function testTrials(trials: readonly Trial[]): void {
  let tried: readonly Tried[] = [];

  beforeAll(async () => {
    tried = await prove(compiled('prove/worker'), trials);
    // Not through Jest's own console, which would add a stack trace.
    process.stdout.write(`\n${summary(tried).join('\n')}\n\n`);
  }, LONGEST_MS);

  test.each(trials.map((trial) => [nameOf(trial), trial] as const))('%s', (_, trial) => {
    const verdict = tried.find((row) => row.trial === trial)?.verdict;
    expect(verdict && shortfall(verdict)).toEqual([]);
  });
}
