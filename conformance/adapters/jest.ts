import { globalFunctions, type TestFunctions } from './globals.ts';
import { registerChecks, type DescribeOptions } from './register.ts';

export { CheckFailed, type DescribeOptions } from './register.ts';

/** The needed part of Jest's own functions. */
export type JestFunctions = Pick<TestFunctions<never>, 'describe' | 'beforeAll'> & {
  readonly test: (name: string, body: () => Promise<void>) => unknown;
};

/**
 * Registers each check of the contract as a Jest test: call it at the top of a test file, or in a `describe`.
 *
 * Jest cannot skip a running test. So with `allowNotJudged`, a check that could not be judged passes with a warning.
 * Without it, the check fails.
 * @param jest what `@jest/globals` exports, if Jest's globals are switched off
 */
export function describeConformance(options: DescribeOptions, jest: JestFunctions = fromJest()): void {
  const { describe, test, beforeAll } = jest;
  registerChecks(
    {
      describe,
      test: (name, body) => test(name, () => body()),
      beforeAll,
    },
    options,
  );
}

const fromJest = (): JestFunctions =>
  globalFunctions<never>(
    "Call describeConformance in a test file of Jest. If its globals are switched off: import * as jest from '@jest/globals'; describeConformance(options, jest).",
  );
