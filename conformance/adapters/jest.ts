import { globalFunctions, registerChecks, type DescribeOptions, type TestFunctions } from './register.ts';

export { CheckFailed, type DescribeOptions, type TestFunctions } from './register.ts';

const REMEDY =
  "Call describeConformance in a test file of Jest. If its globals are switched off: import * as jest from '@jest/globals'; describeConformance(options, jest).";

/**
 * Registers each check of the contract as a Jest test: call it at the top of a test file, or in a `describe`.
 *
 * Jest cannot skip a running test. So with `allowNotJudged`, a check that could not be judged passes with a warning.
 * Without it, the check fails.
 * @param jest what `@jest/globals` exports, if Jest's globals are switched off
 */
export function describeConformance(options: DescribeOptions, jest: TestFunctions = globalFunctions(REMEDY)): void {
  registerChecks(jest, options);
}
