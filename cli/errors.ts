import { UsageError } from '../conformance/usage-error.ts';

export { UsageError };

/** The message of an error from any realm: one of another realm is not an `instanceof Error` of this one. */
export function messageOf(error: unknown): string {
  return propertyOf(error, 'message') ?? String(error);
}

export function stackOf(error: unknown): string {
  return propertyOf(error, 'stack') ?? messageOf(error);
}

/** The code of a system error (`ENOENT`), or else its message. */
export function codeOf(error: unknown): string {
  return propertyOf(error, 'code') ?? messageOf(error);
}

/** The result of `work`. If it fails, `says` tells the user why, by {@link codeOf} the error. @throws UsageError */
export function readable<T>(work: () => T, says: (code: string) => string): T {
  try {
    return work();
  } catch (error) {
    throw new UsageError(says(codeOf(error)), { cause: error });
  }
}

function propertyOf(error: unknown, name: 'message' | 'stack' | 'code'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value = (error as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'string') return value;
  return undefined;
}
