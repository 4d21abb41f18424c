import { visible } from '../report/redact.ts';
import type { BaselineEntry, CheckReport, NewsKind, Report, Reporter } from '../report/report.ts';
import { knownEntry, reasonOf } from './wording/known.ts';
import { brokenFirst, counted, findingLine, outcomeWords, unjudgedBySupply } from './wording/wording.ts';

/** GitHub cuts longer messages, and a log line of a megabyte helps nobody. */
const LONGEST = 4_000;

/**
 * Workflow commands, which GitHub Actions turns into annotations: an error for each failure, a warning if the runner
 * broke, and a notice for unjudged checks and what to supply. The verdict comes first, since GitHub shows at most ten
 * of each kind.
 */
export const githubReporter: Reporter = (report) =>
  [
    verdict(report),
    ...report.checks.flatMap((check) => annotation(check, knownEntry(report, check))),
    ...(report.baseline?.news ?? []).flatMap(({ kind, says }) =>
      isShown(kind) ? [] : [command('error', 'Baseline', [says])],
    ),
    ...unjudgedBySupply(report.checks).map(({ supply, checks, reasons }) => {
      const remedy = supply === undefined ? reasons.map(({ says }) => says) : [`Supply ${supply}.`];
      return command('notice', `Not judged: ${counted(checks.length, 'check')}`, [
        ...remedy,
        ...checks.map(({ id }) => id),
      ]);
    }),
    '',
  ].join('\n');

/** A new failure already has an annotation. */
const isShown = (kind: NewsKind): boolean => kind === 'new-failure';

function verdict({ outcome, summary, target, baseline }: Report): string {
  const isAccepted = outcome === 'conformant' || baseline?.verdict === 'nothing-new';
  const kind = isAccepted ? 'notice' : outcome === 'partial' ? 'warning' : 'error';
  return command(kind, `agent-contract: ${outcomeWords[outcome]}`, [target.baseUrl, summary]);
}

function annotation(check: CheckReport, known: BaselineEntry | undefined): string[] {
  const { status, id, title, failure, reason = '' } = check;
  if (status === 'error') return [command('warning', `The runner broke in ${id}`, [title, ...reason.split('\n')])];
  if (status !== 'fail') return [];
  return [
    command(known ? 'notice' : 'error', id, [
      title,
      ...(failure ? [findingLine(failure)] : []),
      ...(known ? [`known: ${reasonOf(known)}`] : []),
      ...brokenFirst(check)
        .slice(0, 3)
        .map(({ section, statement }) => `section ${section}: ${statement}`),
      ...(failure?.exchanges.slice(-1).map(({ curl }) => curl) ?? []),
    ]),
  ];
}

/**
 * One line, whatever the texts hold: our line feeds become `%0A`, and invisible characters in a text become escapes.
 */
function command(kind: 'error' | 'warning' | 'notice', title: string, lines: readonly string[]): string {
  const message = lines.map(visible).join('\n');
  const cut = message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message;
  const data = cut.replaceAll('%', '%25').replaceAll('\n', '%0A');
  const property = visible(title).replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${kind} title=${property}::${data}`;
}
