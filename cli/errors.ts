import { UsageError } from '../conformance/usage-error.ts';
import { attempt, codeOf, messageOf } from '../text/errors.ts';

export { attempt, codeOf, messageOf, UsageError };

/** The result of `work`. If it fails, `says` tells the user why, by {@link codeOf} the error. @throws UsageError */
export function readable<T>(work: () => T, says: (code: string) => string): T {
  try {
    return work();
  } catch (error) {
    throw new UsageError(says(codeOf(error)), { cause: error });
  }
}
