import { visible } from '../../text/visible.ts';
import { counted, cutTo } from '../show.ts';
import type { Report, Reporter } from '../report/report.ts';
import { testsOf, type ReportedTest } from './tests.ts';
import { brokenFirst, unjudgedBySupply, verdictWords } from './wording/wording.ts';

/** GitHub cuts longer messages, and a log line of a megabyte helps nobody. */
const LONGEST = 4_000;

/**
 * Workflow commands, which GitHub Actions turns into annotations: an error for each failure, a warning if the runner
 * broke, and a notice for unjudged checks and what to supply. The verdict comes first, since GitHub shows at most ten
 * of each kind.
 */
export const githubReporter: Reporter = (report) => {
  const commands = [verdict(report)];
  for (const test of testsOf(report)) commands.push(...annotationOf(test));
  for (const { supply, checks, reasons } of unjudgedBySupply(report.checks)) {
    const remedy = supply === undefined ? reasons.map(({ says }) => says) : [`Supply ${supply}.`];
    const title = `Not judged: ${counted(checks.length, 'check')}`;
    commands.push(command('notice', title, [...remedy, ...checks.map(({ id }) => id)]));
  }
  return `${commands.join('\n')}\n`;
};

type Kind = 'error' | 'warning' | 'notice';

function verdict(report: Report): string {
  const { outcome, summary, target, baseline } = report;
  const kinds: Partial<Record<Report['outcome'], Kind>> = { conformant: 'notice', partial: 'warning' };
  const kind = baseline?.verdict === 'nothing-new' ? 'notice' : (kinds[outcome] ?? 'error');
  return command(kind, `agent-contract: ${verdictWords(report)}`, [target.baseUrl, summary]);
}

function annotationOf({ id, title, result, says, check }: ReportedTest): readonly string[] {
  // The verdict, and notices of what to supply, say the rest.
  if (result === 'passed' || result === 'not-judged' || (result === 'broken' && !check)) return [];
  if (result === 'broken') return [command('warning', `The runner broke in ${id}`, [title, ...says])];
  const lines = [title, ...says];
  if (check)
    for (const { section, statement } of brokenFirst(check).slice(0, 3)) lines.push(`section ${section}: ${statement}`);
  const decisive = check?.failure?.exchanges.at(-1);
  if (decisive) lines.push(decisive.curl);
  return [command(result === 'known' ? 'notice' : 'error', id, lines)];
}

/** One line, whatever the texts hold: our line feeds become `%0A`, and invisible characters in a text become escapes. */
export function command(kind: Kind, title: string, lines: readonly string[]): string {
  const data = cutTo(LONGEST, lines.map(visible).join('\n')).replaceAll('%', '%25').replaceAll('\n', '%0A');
  const property = visible(title).replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${kind} title=${property}::${data}`;
}
