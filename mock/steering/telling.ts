/** The header in which a preloaded module tells a served mock which test sends a request: its name and its file, as JSON. */
export const TELLING = 'x-agent-contract-test';

/** The test that `expect` of Jest or Vitest keeps in a realm. */
export function testOfExpect(realm: object = globalThis): { readonly test?: string; readonly file?: string } {
  const { [Symbol.for('$$jest-matchers-object')]: kept } = realm as { readonly [name: symbol]: unknown };
  const { state } = (kept ?? {}) as { state?: { currentTestName?: string; testPath?: string } };
  return { test: state?.currentTestName, file: state?.testPath };
}
