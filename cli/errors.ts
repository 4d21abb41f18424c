/** What an error says, wherever it was made: one of another realm is no `instanceof Error` of this one. */
export function messageOf(error: unknown): string {
  return propertyOf(error, 'message') ?? String(error);
}

/** Its stack where it has one, or else what it says. */
export function stackOf(error: unknown): string {
  return propertyOf(error, 'stack') ?? messageOf(error);
}

/** The code of an error of the system (`ENOENT`), or else what it says. */
export function codeOf(error: unknown): string {
  return propertyOf(error, 'code') ?? messageOf(error);
}

function propertyOf(error: unknown, name: 'message' | 'stack' | 'code'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value = (error as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}
