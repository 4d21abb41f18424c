/** The message of an error from any realm: one of another realm is not an `instanceof Error` of this one. */
export function messageOf(error: unknown): string {
  return textOf(error, 'message') ?? String(error);
}

/** The code of a system error (`ENOENT`), or else its message. */
export function codeOf(error: unknown): string {
  return textOf(error, 'code') ?? messageOf(error);
}

/** The result of `work`; `undefined` if it throws. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function textOf(error: unknown, name: 'message' | 'code'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value = (error as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'string') return value;
  return undefined;
}
