import { endpoints, levels, requirements } from '../spec/index.ts';
import { literal } from '../text/literal.ts';
import type { Check } from './check.ts';
import type { RunOptions } from './run-options.ts';
import { UsageError } from './usage-error.ts';

/**
 * Selects checks by patterns: ids of checks, requirements and endpoints, sections of the specification (`4.5`, or `4`
 * for all below it), and any of these with `*`. @throws UsageError for a pattern that matches nothing, or if nothing is
 * left. Levels narrow the selection further.
 */
export function selectChecks(
  all: readonly Check[],
  { only = [], skip = [], levels: claimed = [] }: Pick<RunOptions, 'only' | 'skip' | 'levels'>,
): readonly Check[] {
  const matching = (pattern: string): ReadonlySet<Check> => {
    const matched = new Set(all.filter((check) => matches(check, pattern)));
    if (matched.size === 0)
      throw new UsageError(
        `${JSON.stringify(pattern)} matches no check, requirement, endpoint or section. "agent-contract list checks" shows them.`,
      );
    return matched;
  };
  const wanted = only.map(matching);
  const unwanted = skip.map(matching);
  const selected = all.filter(
    (check) =>
      (claimed.length === 0 || claimed.some((id) => levels[id].endpoints.includes(check.endpoint))) &&
      (wanted.length === 0 || wanted.some((set) => set.has(check))) &&
      !unwanted.some((set) => set.has(check)),
  );
  if (selected.length === 0) throw new UsageError('Every selected check is skipped, so nothing is left to check.');
  return selected;
}

function matches(check: Check, pattern: string): boolean {
  const sections = [endpoints[check.endpoint].section, ...check.verifies.map((id) => requirements[id].section)];
  const names = [check.id, check.endpoint, ...check.verifies, ...sections];
  const expression = new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`);
  return names.some((name) => expression.test(name)) || sections.some((section) => section.startsWith(`${pattern}.`));
}
