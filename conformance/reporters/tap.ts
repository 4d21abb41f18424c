import { basisOf } from './wording/wording.ts';
import { visible } from '../../text/visible.ts';
import type { BaselineEntry, CheckReport, Reporter } from '../report/report.ts';
import { knownEntry, reasonOf } from './wording/known.ts';
import { findingLine } from '../report/findings.ts';

/**
 * TAP version 14. An unjudged check is skipped with its reason. Failures and runner errors are `not ok`, and the
 * `status` in the YAML block distinguishes them. A failure that the baseline knows is a TODO.
 */
export const tapReporter: Reporter = (report) => {
  const { tool, target, seed, outcome, summary, counts, checks } = report;
  const lines = [
    'TAP version 14',
    `# ${visible(`${tool.name} ${tool.version}, ${target.baseUrl}, seed ${seed}`)}`,
    checks.length === 0 ? `1..0 # SKIP ${inDirective(summary)}` : `1..${checks.length}`,
  ];
  for (const [index, check] of checks.entries()) lines.push(...testPoint(check, index + 1, knownEntry(report, check)));
  for (const [name, value] of Object.entries(basisOf(report))) lines.push(`# ${name}: ${visible(value)}`);
  lines.push(`# ${outcome}: ${visible(summary)}`);
  // Readers of TAP take a skipped test for a success.
  if (outcome === 'unreachable' || counts.notJudged === checks.length) lines.push(`Bail out! ${inDirective(summary)}`);
  return `${lines.join('\n')}\n`;
};

function testPoint(check: CheckReport, number: number, known: BaselineEntry | undefined): string[] {
  const { id, title, status, reason = 'not judged', supply } = check;
  const description = `${number} - ${inDirective(`${id}: ${title}`)}`;
  if (status === 'pass') return [`ok ${description}`];
  if (status === 'not-judged') {
    const why = supply === undefined ? reason : `${reason} (supply ${supply})`;
    return [`ok ${description} # SKIP ${inDirective(why)}`];
  }
  const todo = known ? ` # TODO known: ${inDirective(reasonOf(known))}` : '';
  return [`not ok ${description}${todo}`, '  ---', ...diagnostics(check), '  ...'];
}

function diagnostics({ status, judged = 0, requirements, failure, reason = '' }: CheckReport): string[] {
  const lines = [
    `  message: ${scalar(failure ? findingLine(failure) : reason)}`,
    `  severity: ${status}`,
    `  status: ${status}`,
    `  judged: ${judged}`,
    '  requirements:',
  ];
  for (const requirement of requirements) {
    const members = Object.entries(requirement).map(([name, value]) => `${name}: ${scalar(value)}`);
    lines.push(`    - { ${members.join(', ')} }`);
  }
  if (!failure) return lines;
  const { expected, actual, at, exchanges } = failure;
  lines.push(`  expected: ${scalar(expected)}`, `  actual: ${scalar(actual)}`);
  if (at !== undefined) lines.push(`  at: ${scalar(at)}`);
  if (exchanges.length > 0) lines.push('  curl:', ...exchanges.toReversed().map(({ curl }) => `    - ${scalar(curl)}`));
  return lines;
}

/** Text in a test point or a directive: `#` would begin a directive, and `\` an escape. */
function inDirective(text: string): string {
  return visible(text).replace(/[\\#]/g, String.raw`\$&`);
}

/** A YAML scalar in double quotes, which is also JSON. */
function scalar(text: string): string {
  return JSON.stringify(visible(text));
}
