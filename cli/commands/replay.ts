import type { Command } from 'commander';
import { createColors } from 'picocolors';
import { visible } from '../../conformance/report/redact.ts';
import type { CheckReport, FailureReport, RecordedExchange, Report } from '../../conformance/report/report.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import type { AddCommand, Cli } from '../command-context.ts';
import { exitStatus } from '../exit-status.ts';
import { addFlags, variableName } from '../flags.ts';
import { hasColor } from '../io.ts';
import { didYouMean } from '../../text/nearest.ts';
import { readReportFile } from '../check/report-file.ts';
import { againFlags, prepareAgain, type Again } from '../check/again.ts';
import { targetOption } from '../check/target.ts';

const FOOTER = `
replay runs the whole check again, with the seed and the options of the recorded run, and with its identifiers if the
base URL is the same. A report alone never decides where a token goes. A token goes to the base URL of the report only if
you type --token, or if --base-url, ${variableName('baseUrl')} or a target file names that server.

Exit status: 0 fixed; 1 still failing; 2 a flag or a file is wrong; 3 gone, it can no longer be judged; 4 the target
could not be reached, or the run broke.`;

type Verdict = 'fixed' | 'still-failing' | 'gone' | 'unreachable' | 'broken';

/** A failure that was replayed. */
interface Replayed {
  readonly check: string;
  readonly verdict: Verdict;
  /** The verdict as a sentence. */
  readonly says: string;
  readonly recorded: {
    readonly baseUrl: string;
    readonly startedAt: string;
    readonly seed: number;
    readonly failure: FailureReport;
  };
  readonly baseUrl: string;
  /** Of the present run. */
  readonly seed: number;
  /** The present result of the check; absent if the check no longer exists. */
  readonly now?: CheckReport;
  readonly created: Report['created'];
}

export const addReplay: AddCommand = (program, cli) => {
  const command = program
    .command('replay')
    .description('repeat a failure from a JSON report, and say whether it is fixed, still failing or gone')
    .argument('<report.json>', 'report that check --report json=FILE wrote')
    .argument('[failure]', 'id of a check (id#2 for its second failing place), or number of a failure')
    .option('--base-url <url>', `server to repeat it on (env: ${variableName('baseUrl')}; default: the recorded one)`)
    .option(...targetOption)
    .addHelpText('after', FOOTER);
  addFlags(command, againFlags);
  command.action(cli.action((file: string, failure: string | undefined) => replay(cli, command, file, failure)));
};

async function replay(cli: Cli, command: Command, file: string, wanted: string | undefined): Promise<number> {
  const { io } = cli;
  const report = await readReportFile(file, io.cwd);
  const { check, failure } = selected(report, wanted);
  const before = await prepareAgain(cli, command, report, {
    typed: command.getOptionValue('baseUrl') as string | undefined,
    label: '--base-url',
  });
  const { settings, baseUrl } = before;
  const again = await repeat(before, check.id);
  const { placesOf } = await import('../../conformance/report/diff.ts');
  const now = reportOf(again, check.id);
  const { seed, startedAt, tool } = report;
  const result: Replayed = {
    check: check.id,
    ...verdictOn({ failure, now, again, placesOf, version: tool.version }),
    recorded: { baseUrl: report.target.baseUrl, startedAt, seed, failure },
    baseUrl,
    seed: again?.seed ?? seed,
    now,
    created: again?.created ?? [],
  };
  io.stdout.write(
    settings.json
      ? `${JSON.stringify(result, null, 2)}\n`
      : replayText(result, check, createColors(hasColor(io.stdout, io.env))),
  );
  return STATUS[result.verdict];
}

const reportOf = (report: Report | undefined, check: string): CheckReport | undefined =>
  report?.checks.find(({ id }) => id === check);

/** Runs a check of a report again; `undefined` if this version has no such check. */
async function repeat({ known, run }: Again, check: string): Promise<Report | undefined> {
  if (!known.includes(check)) return undefined;
  const alone = await run({ only: [check], observe: false });
  // A check also judges requests of other asks: only with them is it certain that nothing shows the failure any more.
  if (alone.outcome === 'unreachable' || reportOf(alone, check)?.status === 'fail' || known.length < 2) return alone;
  const together = await run({ only: known, observe: false });
  return { ...together, created: [...alone.created, ...together.created] };
}

const STATUS: Readonly<Record<Verdict, number>> = {
  fixed: exitStatus.conformant,
  'still-failing': exitStatus.nonconformant,
  gone: exitStatus.partial,
  unreachable: exitStatus.broken,
  broken: exitStatus.broken,
};

const MOST_LISTED = 20;

/** The check, and the requested place of its failure. @throws UsageError that lists the failures */
function selected(
  report: Report,
  wanted: string | undefined,
): { readonly check: CheckReport; readonly failure: FailureReport } {
  const failed = report.checks.flatMap((check) => (check.failure ? [{ check, failure: check.failure }] : []));
  const rest = failed.length > MOST_LISTED ? `, and ${failed.length - MOST_LISTED} more` : '';
  const listed = failed.slice(0, MOST_LISTED).map(({ check: { id } }, index) => `${index + 1} ${id}`);
  const list = `The failures are: ${listed.join(', ')}${rest}.`;
  if (failed.length === 0) throw new UsageError('This report has no failures, so there is nothing to replay.');
  if (wanted === undefined) throw new UsageError(`Name the failure to replay by its number or its id. ${list}`);
  const [, id = '', place] = /^(.*?)(?:#(\d+))?$/s.exec(wanted) ?? [];
  const found = failed.find(({ check }, index) => check.id === id || String(index + 1) === id);
  const shown = visible(JSON.stringify(wanted));
  if (found === undefined) {
    const other = report.checks.find((check) => check.id === id);
    const why =
      other === undefined
        ? `There is no failure ${shown} in this report.${didYouMean(
            id,
            failed.map(({ check }) => check.id),
          )}`
        : `${other.id} did not fail in this report: it is ${JSON.stringify(other.status)}.`;
    throw new UsageError(`${why} ${list}`);
  }
  if (place === undefined) return found;
  const { check, failure } = found;
  const findings = [failure, ...(failure.more ?? [])];
  const finding = findings[Number(place) - 1];
  if (finding === undefined)
    throw new UsageError(
      `${shown}: ${check.id} failed in ${findings.length === 1 ? 'one place, #1' : `${findings.length} places. The first is #1`}.`,
    );
  const { expected, actual, at } = finding;
  return { check, failure: { expected, actual, at, exchanges: failure.exchanges } };
}

function verdictOn({
  failure,
  now,
  again,
  placesOf,
  version,
}: {
  readonly failure: FailureReport;
  readonly now: CheckReport | undefined;
  readonly again: Report | undefined;
  readonly placesOf: (failure: FailureReport | undefined) => ReadonlySet<string>;
  readonly version: string;
}): { readonly verdict: Verdict; readonly says: string } {
  if (again?.outcome === 'unreachable') return { verdict: 'unreachable', says: again.summary };
  switch (now?.status) {
    case 'pass':
      return { verdict: 'fixed', says: 'The check passes.' };
    case 'fail': {
      const [before, after] = [placesOf(failure), placesOf(now.failure)];
      const isSame = [...before].some((place) => after.has(place));
      return {
        verdict: 'still-failing',
        says: isSame ? 'The check fails as before.' : 'The check fails, but in a different place.',
      };
    }
    case 'not-judged': {
      const remedy = now.supply === undefined ? '' : ` To judge it: ${now.supply}.`;
      return { verdict: 'gone', says: `It can no longer be judged. ${now.reason ?? ''}${remedy}` };
    }
    case 'error':
      return { verdict: 'broken', says: `The runner broke: ${now.reason?.split('\n', 1)[0] ?? ''}` };
    case undefined:
      return { verdict: 'gone', says: `This version has no such check. Version ${version} wrote the report.` };
  }
}

type Colors = ReturnType<typeof createColors>;

const LONGEST_CURL = 2000;
const LONGEST_BODY = 300;

function replayText(
  { verdict, says, recorded, baseUrl, now, created }: Replayed,
  check: CheckReport,
  colors: Colors,
): string {
  const paint = verdict === 'fixed' ? colors.green : verdict === 'gone' ? colors.yellow : colors.red;
  const lines = [
    `${colors.bold(visible(check.title))}  ${colors.dim(`[${visible(check.id)}]`)}`,
    ...check.requirements
      .slice(0, 3)
      .map(({ statement, section, lane }) => detail('requires', `${statement} (section ${section}, ${lane})`, colors)),
    '',
    `${colors.bold('Recorded')}  ${colors.cyan(visible(recorded.baseUrl))}  ${colors.dim(`${recorded.startedAt}, seed ${recorded.seed}`)}`,
    ...failureLines(recorded.failure, colors),
    '',
    `${colors.bold('Now')}       ${colors.cyan(visible(baseUrl))}`,
    ...(now?.failure ? failureLines(now.failure, colors) : [`  ${visible(says)}`]),
    ...(created.length === 0
      ? []
      : [
          `  ${colors.dim(`created on the target: ${created.map(({ kind, id }) => visible(`${kind} ${id}`)).join(', ')}`)}`,
        ]),
    '',
    `${colors.bold(paint(verdict.toUpperCase().replace('-', ' ')))}: ${visible(says)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function failureLines({ expected, actual, at, exchanges }: FailureReport, colors: Colors): string[] {
  return [
    detail('expected', expected, colors),
    detail('actual', actual, colors),
    ...(at === undefined ? [] : [detail('at', at === '' ? 'the whole body' : at, colors)]),
    ...exchanges.slice(-1).flatMap((exchange) => exchangeLines(exchange, colors)),
  ];
}

function exchangeLines({ curl, status, body = '', failure }: RecordedExchange, colors: Colors): string[] {
  const text = visible(body);
  const excerpt = text.length <= LONGEST_BODY ? text : `${text.slice(0, LONGEST_BODY)}…`;
  const command =
    curl.length <= LONGEST_CURL ? curl : `a command of ${curl.length} characters, which is in the JSON report`;
  return [
    detail('request', command, colors),
    detail('answer', failure ?? `${status ?? 'none'} ${excerpt}`.trim(), colors),
  ];
}

const detail = (name: string, text: string, colors: Colors): string =>
  `  ${colors.dim(name.padEnd(8))}  ${visible(text)}`;
