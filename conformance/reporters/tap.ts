import { visible } from '../report/redact.ts';
import type { BaselineEntry, CheckReport, Reporter } from '../report/report.ts';
import { knownEntry, reasonOf } from './wording/known.ts';
import { findingLine } from './wording/wording.ts';

/**
 * TAP version 14. An unjudged check is skipped with its reason. Failures and runner errors are `not ok`, and the
 * `status` in the YAML block distinguishes them. A failure that the baseline knows is a TODO.
 */
export const tapReporter: Reporter = (report) => {
  const { tool, target, seed, outcome, summary, counts, checks } = report;
  // Readers of TAP take a skipped test for a success.
  const isSilent = outcome === 'unreachable' || counts.notJudged === checks.length;
  const lines = [
    'TAP version 14',
    `# ${comment(`${tool.name} ${tool.version}, ${target.baseUrl}, seed ${seed}`)}`,
    ...(checks.length === 0 ? [`1..0 # SKIP ${inDirective(summary)}`] : [`1..${checks.length}`]),
    ...checks.flatMap((check, index) => testPoint(check, index + 1, knownEntry(report, check))),
    `# ${outcome}: ${comment(summary)}`,
    ...(isSilent ? [`Bail out! ${inDirective(summary)}`] : []),
  ];
  return `${lines.join('\n')}\n`;
};

function testPoint(check: CheckReport, number: number, known: BaselineEntry | undefined): string[] {
  const { id, title, status, reason, supply } = check;
  const description = `${number} - ${inDirective(`${id}: ${title}`)}`;
  switch (status) {
    case 'pass':
      return [`ok ${description}`];
    case 'not-judged': {
      const remedy = supply === undefined ? '' : ` (supply ${supply})`;
      return [`ok ${description} # SKIP ${inDirective(`${reason ?? 'not judged'}${remedy}`)}`];
    }
    case 'fail':
    case 'error': {
      const todo = known ? ` # TODO known: ${inDirective(reasonOf(known))}` : '';
      return [`not ok ${description}${todo}`, '  ---', ...diagnostics(check), '  ...'];
    }
  }
}

function diagnostics({ status, judged, requirements, failure, reason }: CheckReport): string[] {
  const message = failure === undefined ? (reason ?? '') : findingLine(failure);
  return [
    `  message: ${scalar(message)}`,
    `  severity: ${status}`,
    `  status: ${status}`,
    `  judged: ${judged}`,
    '  requirements:',
    ...requirements.map(
      ({ id, section, lane, statement }) =>
        `    - { id: ${scalar(id)}, section: ${scalar(section)}, lane: ${scalar(lane)}, statement: ${scalar(statement)} }`,
    ),
    ...(failure === undefined
      ? []
      : [
          `  expected: ${scalar(failure.expected)}`,
          `  actual: ${scalar(failure.actual)}`,
          ...(failure.at === undefined ? [] : [`  at: ${scalar(failure.at)}`]),
          ...(failure.exchanges.length === 0 ? [] : ['  curl:']),
          ...failure.exchanges.map(({ curl }) => `    - ${scalar(curl)}`),
        ]),
  ];
}

/** Text in a test point or a directive: `#` would begin a directive, and `\` an escape. */
function inDirective(text: string): string {
  return visible(text).replace(/[\\#]/g, String.raw`\$&`);
}

/** Text in a comment, which needs no escapes. */
function comment(text: string): string {
  return visible(text);
}

/** A YAML scalar in double quotes, which is also JSON. */
function scalar(text: string): string {
  return JSON.stringify(visible(text));
}
