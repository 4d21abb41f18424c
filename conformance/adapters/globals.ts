import { UsageError } from '../usage-error.ts';

/** The functions that Jest and Vitest have in common. */
export interface TestFunctions<Context> {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly test: (name: string, body: (context: Context) => Promise<void>) => unknown;
  readonly beforeAll: (body: () => Promise<void>, timeoutMs: number) => unknown;
}

const NAMES = ['describe', 'test', 'beforeAll'] as const;

/** The functions that the test runner put into the global scope. @throws UsageError with `remedy` if there are none. */
export function globalFunctions<Context>(remedy: string): TestFunctions<Context> {
  const scope = globalThis as unknown as Readonly<Record<string, unknown>>;
  const missing = NAMES.filter((name) => typeof scope[name] !== 'function');
  if (missing.length > 0) throw new UsageError(`There is no global ${missing.join(', ')}. ${remedy}`);
  return scope as unknown as TestFunctions<Context>;
}
