import { globalFunctions, type TestFunctions } from './globals.ts';
import { registerChecks, type DescribeOptions } from './register.ts';

export { CheckFailed, type DescribeOptions } from './register.ts';

/** The needed part of Vitest's own functions. */
export type VitestFunctions = TestFunctions<{ readonly skip: (note?: string) => unknown }>;

/**
 * Registers each check of the contract as a Vitest test: call it at the top of a test file, or in a `describe`. With
 * `allowNotJudged`, a check that could not be judged is skipped, with the reason.
 * @param vitest what `vitest` exports (`import * as vitest from 'vitest'`); not needed if `globals` is on
 */
export function describeConformance(options: DescribeOptions, vitest: VitestFunctions = fromVitest()): void {
  const { describe, test, beforeAll } = vitest;
  registerChecks(
    {
      describe,
      test: (name, body) =>
        test(name, (context) =>
          body((reason) => {
            context.skip(reason);
          }),
        ),
      beforeAll,
    },
    options,
  );
}

const fromVitest = (): VitestFunctions =>
  globalFunctions(
    "Pass what Vitest exports: import * as vitest from 'vitest'; describeConformance(options, vitest). Or set globals: true in its configuration.",
  );
