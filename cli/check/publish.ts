import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checks } from '../../conformance/checks/index.ts';
import { withBaseline } from '../../conformance/report/baseline.ts';
import { misfits } from '../../conformance/report/json-schema.ts';
import { createRedactor } from '../../conformance/report/redact.ts';
import type { RecordedExchange, Report } from '../../conformance/report/report.ts';
import { githubReporter, reporters, type ReportFormat } from '../../conformance/reporters/index.ts';
import { shellWord } from '../../text/curl.ts';
import { visible } from '../../text/visible.ts';
import type { Cli } from '../command.ts';
import { codeOf } from '../errors.ts';
import { exitStatus, exitStatusOf } from '../exit-status.ts';
import { checkWritable, writeAtomically } from '../files/files.ts';
import { reportFlag, reportTargets, writeReports } from '../files/report-targets.ts';
import { flagsOf, readPath, type ValuesOf } from '../flags.ts';
import type { Io, Output } from '../io.ts';
import { readBaseline, writeBaseline } from './checked-file.ts';

export const reportFlags = {
  report: reportFlag(Object.keys(reporters) as ReportFormat[]),
  ...flagsOf('report', { baseline: readPath, writeBaseline: readPath }),
};

type ReportSettings = ValuesOf<typeof reportFlags>;

/** Validates everything that a report will need, before the run. @throws UsageError */
export function preparePublication(settings: ReportSettings) {
  const { report, json, baseline: file, writeBaseline: newBaseline } = settings;
  const targets = reportTargets(report, json);
  if (newBaseline !== undefined) checkWritable(newBaseline, `--write-baseline ${visible(newBaseline)}`);
  const baseline = file === undefined ? undefined : readBaseline(file, newBaseline);
  return { settings, targets, baseline };
}

/** Compares a report with its baseline, writes it in every requested format, and returns the exit status. */
export async function publish(
  finished: Report,
  cli: Cli,
  { settings, targets, baseline }: ReturnType<typeof preparePublication>,
  /** Gets the report, compared with its baseline, before it is written. */
  submit?: (report: Report) => Promise<void>,
): Promise<number> {
  const { io } = cli;
  const { includeBodies, verbose, writeBaseline: newBaseline } = settings;
  let report = finished;
  const isComplete = report.outcome !== 'unreachable' && report.counts.error === 0 && io.signal?.aborted !== true;
  let known = baseline;
  if (newBaseline !== undefined) {
    if (isComplete) known = writeBaseline(newBaseline, report, { before: baseline, cli });
    else io.stderr.write(`${visible(newBaseline)} was not written, since the run is not complete.\n`);
  }
  if (known !== undefined) {
    const { text } = createRedactor(cli.secrets);
    const entries = known.entries.map((entry) => ({ ...entry, reason: text(entry.reason) }));
    report = withBaseline(
      report,
      { entries },
      { allowPartial: settings.allowPartial, isCheck: (id) => checks.some((one) => one.id === id) },
    );
  }

  await submit?.(report);
  const isGitHub = io.env['GITHUB_ACTIONS'] === 'true';
  const firstFile = targets.find(({ file }) => file !== '-')?.file;
  const inText = withBodiesBeside(report, firstFile, cli.clean);
  writeReports(targets, cli, ({ format, file }, color) => {
    const text = reporters[format].reporter(format === 'text' ? inText : report, { color, includeBodies, verbose });
    if (format === 'text' && file === '-' && isGitHub) return withoutCommands(text);
    return text;
  });
  const isTextOnStdout = targets.some(({ format, file: to }) => format === 'text' && to === '-');
  if (isGitHub) annotate(report, cli, isTextOnStdout ? io.stdout : io.stderr);
  const fits = targets.every(({ format }) => format !== 'json') || fitsSchema(report, io);
  return statusOf(report, settings, io, fits);
}

/** Keeps GitHub Actions from executing commands that a target put into the text. */
function withoutCommands(text: string): string {
  const end = randomUUID();
  return `::stop-commands::${end}\n${text}::${end}::\n`;
}

/** Whether the JSON report matches its published schema. If not, that is our bug, and is reported. */
function fitsSchema(report: Report, { stderr }: Io): boolean {
  const found = misfits('report', report);
  if (found.length === 0) return true;
  const places = found.slice(0, 5).map(({ at, says }) => `  ${visible(`${at === '' ? 'the report' : at} ${says}`)}\n`);
  stderr.write(
    `error: The JSON report does not match its own schema. This is a bug in agent-contract, not a fault of the target:\n${places.join('')}`,
  );
  return false;
}

function statusOf(report: Report, { allowPartial }: ReportSettings, { signal, stderr }: Io, fits: boolean): number {
  const status = exitStatusOf(report, { allowPartial });
  const isStopped = signal?.aborted === true;
  if (isStopped) stderr.write('The run was stopped. The report covers what it had judged by then.\n');
  if ((isStopped || !fits) && status !== exitStatus.nonconformant) return exitStatus.broken;
  return status;
}

/** For GitHub: annotations follow the text on stdout, since stderr is not in order, unless a report is there. */
function annotate(report: Report, { io: { env, stderr }, clean }: Cli, output: Output): void {
  output.write(githubReporter(report, { color: false }));
  const file = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (file === '') return;
  try {
    appendFileSync(file, clean(reporters.markdown.reporter(report, { color: false })));
  } catch (error) {
    stderr.write(`note: cannot write the job summary (${visible(codeOf(error))}).\n`);
  }
}

/** A longer command buries what is around it. */
const LONGEST_COMMAND = 300;

/** Long commands take their body from a file beside the first report; one with a secret stays, as a file expands no variable. */
export function withBodiesBeside(
  report: Report,
  reportFile: string | undefined,
  clean: (text: string) => string,
): Report {
  let folder: string | undefined;
  let written = 0;
  const moved = (exchange: RecordedExchange): RecordedExchange => {
    const { curl, requestBody = '' } = exchange;
    const word = shellWord(requestBody);
    const ways = [
      ['', ` --data-raw ${word}`],
      [`printf ${shellWord('%s')} ${word} | `, ' --data-binary @-'],
    ] as const;
    const way = ways.find(([beginning, end]) => curl.startsWith(`${beginning}curl `) && curl.endsWith(end));
    if (curl.length <= LONGEST_COMMAND || !way) return exchange;
    const [beginning, end] = way;
    folder ??= folderBeside(reportFile);
    const file = path.join(folder, `${++written}.json`);
    writeAtomically(file, clean(requestBody));
    return { ...exchange, curl: `${curl.slice(beginning.length, -end.length)} --data-binary ${shellWord(`@${file}`)}` };
  };
  const shown = report.checks.map((check) => {
    if (!check.failure) return check;
    return { ...check, failure: { ...check.failure, exchanges: check.failure.exchanges.map(moved) } };
  });
  return { ...report, checks: shown };
}

function folderBeside(reportFile: string | undefined): string {
  if (reportFile === undefined) return mkdtempSync(path.join(os.tmpdir(), 'agent-contract-bodies-'));
  const folder = `${reportFile}.bodies`;
  mkdirSync(folder, { recursive: true });
  return folder;
}
