import { globalFunctions, registerChecks, type DescribeOptions, type TestFunctions } from './register.ts';

export { CheckFailed, type DescribeOptions, type TestFunctions } from './register.ts';

const REMEDY =
  "Pass what Vitest exports: import * as vitest from 'vitest'; describeConformance(options, vitest). Or set globals: true in its configuration.";

/**
 * Registers each check of the contract as a Vitest test: call it at the top of a test file, or in a `describe`. With
 * `allowNotJudged`, a check that could not be judged is skipped, with the reason.
 * @param vitest what `vitest` exports (`import * as vitest from 'vitest'`); not needed if `globals` is on
 */
export function describeConformance(options: DescribeOptions, vitest: TestFunctions = globalFunctions(REMEDY)): void {
  registerChecks(vitest, options);
}
