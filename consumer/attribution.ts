import path from 'node:path';
import type { MetExchange } from '../mock/index.ts';
import type { TestResult } from './runs/test-run.ts';

/** The test that sent a request, by the name that the report has for it; `undefined` if nothing tells. */
export type TestOf = (met: MetExchange) => string | undefined;

/** Only what names of tests have in common, whatever a runner puts between their parts. */
const bare = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/**
 * Finds tests by what the runner tells inside a test, by the session that a fixture names after the test, by a W3C trace or
 * session header with the test's name, or by the time, if only one test ran then.
 */
export function attribution(tests: readonly TestResult[]): TestOf {
  const byName = new Map(tests.map(({ name }) => [bare(name), name]));
  /** A title alone tells if only one test has it. */
  const byTitle = new Map<string, string | undefined>();
  for (const { name } of tests) {
    const title = bare(name.split(' › ').slice(1).join());
    byTitle.set(title, byTitle.has(title) ? undefined : name);
  }
  const found = (name: string): string | undefined => byName.get(bare(name)) ?? byTitle.get(bare(name));
  return ({ test, file, session, came, request: { headers } }) => {
    if (test !== undefined && test !== '') {
      const place = bare(`${path.basename(file ?? '')}${test}`);
      const inFile = tests.find(({ name }) => bare(name).endsWith(place));
      return inFile?.name ?? found(test) ?? test;
    }
    const byId = tests.find(({ id = '' }) => id !== '' && session.startsWith(id));
    if (byId) return byId.name;
    const told = [session, headers['tracestate'] ?? '', headers['baggage'] ?? ''].map(found).find(Boolean);
    if (told !== undefined) return told;
    const then = tests.filter(({ from = Infinity, to = -Infinity }) => from <= came && came <= to);
    for (const some of [then, tests]) if (some.length === 1) return some[0]?.name;
    if (session === '') return undefined;
    return `session ${session}`;
  };
}
