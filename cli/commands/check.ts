import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Command } from 'commander';
import { createRedactor, visible } from '../../conformance/report/redact.ts';
import type { Report } from '../../conformance/report/report.ts';
import { isReportFormat, reportFormats } from '../../conformance/reporters/formats.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import { readBaseline, writeBaseline } from '../check/baseline-file.ts';
import type { AddCommand, Cli } from '../command-context.ts';
import { exitStatus, exitStatusOf } from '../exit-status.ts';
import {
  addFlags,
  BadValue,
  readDuration,
  readNumber,
  readText,
  variableName,
  type ValueOrigin,
  type ValuesOf,
} from '../flags.ts';
import { annotate, isGitHub } from '../check/github.ts';
import { hasColor, type Io } from '../io.ts';
import { createProgress } from '../check/progress.ts';
import { checkReportTargets, checkWritable, writeAtomically, type ReportTarget } from '../files/report-files.ts';
import { readTarget, selectionFlags, switchFlag, targetFlags, targetOptions } from '../check/target.ts';

/** The flags of `check`. Each is an environment variable and a key of the target file as well. */
export const checkFlags = {
  ...targetFlags,
  ...selectionFlags,
  report: {
    kind: 'list',
    placeholder: '<format=file>',
    separator: /\n+/,
    description: `write a report, - for standard output (repeatable): ${Object.keys(reportFormats).join(', ')}`,
    read: readReport,
  },
  json: switchFlag('write the JSON report to standard output instead of the text'),
  includeBodies: switchFlag('show the values in bodies, not only their types (html, markdown)'),
  baseline: {
    kind: 'value',
    placeholder: '<file>',
    description: 'known failures, which do not fail the run; new, fixed or expired ones do',
    read: (text: string, { folder }: ValueOrigin) => path.resolve(folder, readText(text)),
  },
  repeat: {
    kind: 'value',
    placeholder: '<n>',
    description: 'number of rounds; each round draws its requests anew',
    read: readNumber('rounds', { least: 1, most: 1000, whole: true, example: '5' }),
  },
  duration: {
    kind: 'value',
    placeholder: '<time>',
    description: 'add rounds for this long: 60s, 5m',
    read: readDuration,
  },
  allowPartial: switchFlag('end with 0 even if something could not be judged'),
} as const;

type Settings = ValuesOf<typeof checkFlags>;

const FOOTER = `
Each flag is also an environment variable (${variableName('agentId')}) and a key of the target
file (agentId). A flag wins over a variable, and a variable over the file. Without --target, check reads
agent-contract.json of the current folder. Since you did not name that file, tokens from flags and variables do not
go to its server, and it can neither choose trusted certificates nor name files outside its folder.

Exit status: 0 conformant; 1 nonconformant; 2 a flag or a file is wrong; 3 partial, something could not be judged;
4 the target could not be reached, or the run broke. With --baseline: 0 nothing is new, 1 something is new, 2 and 4 as above.`;

export const addCheck: AddCommand = (program, cli) => {
  const command = program
    .command('check')
    .description('judge a server over HTTP')
    .argument('[base_url]', `URL before the documented paths (env: ${variableName('baseUrl')})`)
    .addHelpText('after', FOOTER)
    .option('--target <file>', `target file (env: ${variableName('target')}; default: agent-contract.json)`)
    .option(
      '--write-baseline <file>',
      'write all failures and unjudged checks of this run to a baseline, and end with 0',
    );
  addFlags(command, checkFlags);
  command.action(cli.action((baseUrl: string | undefined) => check(cli, command, baseUrl)));
};

async function check(cli: Cli, command: Command, argument: string | undefined): Promise<number> {
  const { io } = cli;
  const { settings, baseUrl } = await readTarget(cli, command, checkFlags, { typed: argument, label: 'base_url' });
  const targets = reportTargets(settings);
  checkReportTargets(targets);
  const written = command.getOptionValue('writeBaseline') as string | undefined;
  const newBaseline = written === undefined ? undefined : path.resolve(io.cwd, written);
  if (newBaseline !== undefined) checkWritable(newBaseline, `--write-baseline ${visible(written ?? '')}`);
  const baseline = settings.baseline === undefined ? undefined : await readBaseline(settings.baseline, newBaseline);
  if (settings.readOnly && settings.workspaceId !== undefined && io.stderr.isTTY === true) {
    io.stderr.write('note: --workspace-id has no effect with --read-only.\n');
  }

  const [{ runConformance }, { reporters }] = await Promise.all([
    import('../../conformance/run.ts'),
    import('../../conformance/reporters/index.ts'),
  ]);
  const progress = createProgress(io.stderr);
  let report = await runConformance({
    ...runOptions(settings, baseUrl),
    canary: cli.canary.value,
    signal: io.signal,
    onProgress: (far) => progress.show(far),
  }).finally(() => progress.clear());

  const isComplete = report.outcome !== 'unreachable' && report.counts.error === 0 && io.signal?.aborted !== true;
  const known =
    newBaseline !== undefined && isComplete
      ? await writeBaseline(newBaseline, report, { before: baseline, cli })
      : baseline;
  if (newBaseline !== undefined && !isComplete)
    io.stderr.write(`${visible(newBaseline)} was not written, since the run is not complete.\n`);
  if (known !== undefined) {
    const [{ withBaseline }, { checks }] = await Promise.all([
      import('../../conformance/report/baseline.ts'),
      import('../../conformance/index.ts'),
    ]);
    const isCheck = (id: string): boolean => checks.some((one) => one.id === id);
    const { text } = createRedactor(cli.secrets);
    const entries = known.entries.map((entry) => ({ ...entry, reason: text(entry.reason) }));
    report = withBaseline(report, { entries }, { allowPartial: settings.allowPartial, isCheck });
  }

  const { includeBodies } = settings;
  for (const { format, file: to } of targets) {
    const isStdout = to === '-';
    const text = reporters[format].reporter(report, { color: isStdout && hasColor(io.stdout, io.env), includeBodies });
    if (!isStdout) writeAtomically(to, cli.clean(text));
    else io.stdout.write(format === 'text' && isGitHub(io.env) ? withoutCommands(text) : text);
  }
  const isTextOnStdout = targets.some(({ format, file: to }) => format === 'text' && to === '-');
  if (isGitHub(io.env)) await annotate(report, cli, { isTextOnStdout });
  const fits = targets.every(({ format }) => format !== 'json') || (await fitsSchema(report, io));
  return statusOf(report, settings, io, fits);
}

/** Keeps GitHub Actions from obeying what a target put into the text. */
function withoutCommands(text: string): string {
  const end = randomUUID();
  return `::stop-commands::${end}\n${text}::${end}::\n`;
}

/** Whether the JSON report keeps to its published schema; where it does not, that is our fault, and is said. */
async function fitsSchema(report: Report, { stderr }: Io): Promise<boolean> {
  const { misfits } = await import('../../conformance/report/json-schema.ts');
  const found = misfits('report', report);
  if (found.length === 0) return true;
  const places = found.slice(0, 5).map(({ at, says }) => `  ${visible(`${at === '' ? 'the report' : at} ${says}`)}\n`);
  stderr.write(
    `error: The JSON report does not match its own schema. This is a bug in agent-contract, not a fault of the target:\n${places.join('')}`,
  );
  return false;
}

function statusOf(report: Report, { allowPartial }: Settings, { signal, stderr }: Io, fits: boolean): number {
  const status = exitStatusOf(report, { allowPartial });
  const isStopped = signal?.aborted === true;
  if (isStopped) stderr.write('The run was stopped. The report covers what it had judged by then.\n');
  return (isStopped || !fits) && status !== exitStatus.nonconformant ? exitStatus.broken : status;
}

function reportTargets({ report, json }: Settings): readonly ReportTarget[] {
  const given: readonly ReportTarget[] = json ? [...report, { format: 'json', file: '-' }] : report;
  return given.some(({ file }) => file === '-') ? given : [...given, { format: 'text', file: '-' }];
}

function runOptions(settings: Settings, baseUrl: string): RunOptions {
  const { only, skip, readOnly, strictNull, seed, repeat, duration } = settings;
  return {
    ...targetOptions(settings, baseUrl),
    ...(only.length > 0 ? { only } : {}),
    skip,
    readOnly,
    strictNull,
    seed,
    repeat,
    durationMs: duration,
  };
}

function readReport(text: string, { folder }: ValueOrigin): ReportTarget {
  const [, format = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const known = Object.keys(reportFormats).join(', ');
  if (file === '')
    throw new BadValue(`this must be FORMAT=FILE, for example junit=report.xml. The formats are ${known}.`);
  if (!isReportFormat(format))
    throw new BadValue(`there is no format ${visible(JSON.stringify(format))}. The formats are ${known}.`);
  return { format, file: file === '-' ? '-' : path.resolve(folder, file) };
}
