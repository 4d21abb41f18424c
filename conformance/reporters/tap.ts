import { visible } from '../../text/visible.ts';
import type { CheckReport, Reporter } from '../report/report.ts';
import { testsOf, type ReportedTest } from './tests.ts';
import { basisOf } from './wording/wording.ts';

/** TAP version 14: unjudged is skipped, failed and broken `not ok` with a `status` in YAML, a known failure a TODO. */
export const tapReporter: Reporter = (report) => {
  const { tool, target, seed, outcome, summary, counts, checks } = report;
  const tests = testsOf(report);
  const lines = [
    'TAP version 14',
    `# ${visible(`${tool.name} ${tool.version}, ${target.baseUrl}, seed ${seed}`)}`,
    `1..${tests.length}`,
  ];
  for (const [index, test] of tests.entries()) lines.push(...testPoint(test, index + 1));
  for (const [name, value] of Object.entries(basisOf(report))) lines.push(`# ${name}: ${visible(value)}`);
  lines.push(`# ${outcome}: ${visible(summary)}`);
  // Readers of TAP take a skipped test for a success.
  if (outcome === 'unreachable' || counts.notJudged === checks.length) lines.push(`Bail out! ${inDirective(summary)}`);
  return `${lines.join('\n')}\n`;
};

function testPoint({ id, title, result, says, check }: ReportedTest, number: number): string[] {
  const description = `${number} - ${inDirective(`${id}: ${title}`)}`;
  const [first = '', ...rest] = says;
  if (result === 'passed') return [`ok ${description}`];
  if (result === 'not-judged') return [`ok ${description} # SKIP ${inDirective(first)}`];
  const [todo, message] = result === 'known' ? [` # TODO ${inDirective(first)}`, rest] : ['', says];
  const status = check?.status ?? (result === 'broken' ? 'error' : 'fail');
  const words = [`  message: ${scalar(message.join('\n'))}`, `  severity: ${status}`, `  status: ${status}`];
  return [`not ok ${description}${todo}`, '  ---', ...words, ...diagnostics(check), '  ...'];
}

function diagnostics(check: CheckReport | undefined): string[] {
  if (!check) return [];
  const { judged = 0, requirements, failure } = check;
  const lines = [`  judged: ${judged}`, '  requirements:'];
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
