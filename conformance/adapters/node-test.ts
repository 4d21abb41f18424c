import { registerChecks, type DescribeOptions } from './register.ts';

export { CheckFailed, type DescribeOptions } from './register.ts';

/**
 * Registers each check of the contract as a test of `node:test`: call it at the top of a test file, or in a `describe`.
 * With `allowNotJudged`, a check that could not be judged is skipped, with the reason.
 */
export function describeConformance(options: DescribeOptions): void {
  // Loaded here, since Jest and others know no such module.
  const { before, describe, test } = require('node:test') as typeof import('node:test');
  registerChecks({ describe, test, beforeAll: (body, timeout) => before(body, { timeout }) }, options);
}
