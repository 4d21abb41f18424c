import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../../conformance/usage-error.ts';
import type { ClientReport, KnownTrials } from '../../consumer/index.ts';
import { aspects, scoreOf, withOutcome } from '../../consumer/report.ts';
import { parseJson } from '../../text/json.ts';
import { visible } from '../../text/visible.ts';
import { readBaseline } from '../check/checked-file.ts';
import type { Cli, CommandDefinition } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { checkWritable, readFile, writeAtomically } from '../files/files.ts';
import { reportFlag, reportTargets } from '../files/report-targets.ts';
import {
  fileFlag,
  LINES,
  listFlag,
  readDuration,
  readFlags,
  readNumber,
  readOneOf,
  readText,
  switchFlag,
  valueFlag,
  WORDS,
  type ValuesOf,
} from '../flags.ts';
import { hasColor, progressLine } from '../io.ts';
import { mockFlags, mockSecrets } from '../mock/flags.ts';
import { environment } from './run.ts';

const faults = readNumber('a whole number', 1, 1000, 30);
const percent = readNumber('a whole number of percent', 0, 100, 80);
const questions = `answer only these questions (repeatable): ${aspects.join(', ')}`;

const clientFlags = {
  only: listFlag('<question>', WORDS, questions, readOneOf(aspects)),
  time: valueFlag('<time>', 'begin no more runs after this long: 5m', readDuration),
  sample: valueFlag('<n>', 'try only about so many of the faults that the tests reach', faults),
  leastScore: valueFlag('<percent>', 'accept what no test notices, if they notice this share of the faults', percent),
  onPurpose: listFlag('<text>', LINES, 'tests named so send wrong requests on purpose (repeatable)', readText),
  parallel: valueFlag(
    '<n>',
    'make at most so many runs at the same time (default: up to 4 with Vitest, Jest, node:test and pytest, else 1)',
    readNumber('a whole number', 1, 64, 4),
  ),
  results: valueFlag(
    '<file>',
    'where the command writes its results (JSON of Jest, Vitest or Playwright, JUnit XML, TAP), if its runner is not recognised',
    readText,
  ),
  resume: fileFlag('keep what the runs show in this file, and go on from it'),
  needs: fileFlag('write what the client needs, for can-i-deploy (client.needs.json)'),
  name: valueFlag('<text>', 'the name of the client in what is written (default: that of the folder)', readText),
  report: reportFlag(['text', 'json', 'html', 'junit']),
  json: switchFlag('write the JSON report to standard output instead of the text'),
  baseline: fileFlag('known findings, which do not fail the run; entries that match nothing do'),
  writeBaseline: fileFlag('write all findings of this run to a baseline, and end with 0'),
  allowPartial: switchFlag('end with 0 even if something was not decided'),
} as const;

type Settings = ValuesOf<typeof clientFlags>;

/** Of the flags of a mock, those with which every run can begin alike. */
const { port, host, persona, seed, seedFile, now, freeze, profile, choice, token } = mockFlags;
const worldFlags = { persona, seed, seedFile, now, freeze, profile, choice, token, port, host } as const;

const footer = `
It runs the command twice as it is, and then once for each thing that it tries. Programs find the mock through the
variables that "run" sets. Mocks that the tests make themselves obey too: createMock, the adapters for MSW, Playwright
and Vite, and the global setup, through the variable AGENT_CONTRACT_CLIENT_RUN. What a test names as choices stays.

Exit status: 0 nothing is wrong; 1 something is: sent, leaned on, or not noticed; 2 a flag or a file is wrong, no test
passes, or none reaches a mock; 3 nothing is wrong so far, and not all was decided; 4 the run was stopped.`;

export const definition: CommandDefinition = {
  usage: '[flags] -- <test command> [arguments]',
  operands: [['<command...>', 'command that runs the tests, without a shell']],
  flags: { ...clientFlags, ...worldFlags },
  footer,
  run,
};

async function run(cli: Cli, command: Command): Promise<number> {
  const { io, secrets } = cli;
  const world = readFlags(mockFlags, command, io);
  const settings = readFlags(clientFlags, command, io);
  // Every run begins at the same instant.
  const mock = { ...world, now: world.now ?? Date.now() };
  secrets.push(...mockSecrets(mock));
  const { resume, needs, baseline: named, writeBaseline: newBaseline, name = path.basename(io.cwd) } = settings;
  for (const one of [resume, needs, newBaseline]) if (one !== undefined) checkWritable(one, visible(one));
  const targets = reportTargets(settings.report, settings.json);
  const before = named === undefined ? undefined : await readBaseline(named, newBaseline);
  const [{ judgeClient, knownFindings, withKnownFindings }, { startMock }] = await Promise.all([
    import('../../consumer/index.ts'),
    import('../mock/start.ts'),
  ]);
  const fingerprint = JSON.stringify([command.args, world]);
  const progress = progressLine(io);
  let report = await judgeClient({
    command: command.args,
    cwd: io.cwd,
    env: io.env,
    results: settings.results,
    serve: async (steering) => {
      const running = await startMock(io, mock, 0, { steering });
      return { env: await environment(running, io.env), stop: () => running.stop() };
    },
    client: name,
    only: settings.only.length > 0 ? settings.only : undefined,
    timeMs: settings.time,
    sample: settings.sample,
    // A port that the user chose is there once.
    parallel: world.port === undefined ? settings.parallel : 1,
    onPurpose: settings.onPurpose,
    signal: io.signal,
    known: resume === undefined ? {} : resumed(resume, fingerprint),
    onRun: (count, says) => progress.show(`run ${count}: ${says}`),
    onTrial:
      resume === undefined
        ? undefined
        : (known) => writeAtomically(resume, JSON.stringify({ fingerprint, known } satisfies Kept)),
  }).finally(progress.end);
  if (needs !== undefined && report.needs) writeAtomically(needs, `${JSON.stringify(report.needs, null, 2)}\n`);
  if (newBaseline !== undefined)
    writeAtomically(newBaseline, cli.clean(`${JSON.stringify(knownFindings(report, before), null, 2)}\n`));
  const entries = newBaseline === undefined ? before : knownFindings(report, before);
  report = withScore(report, settings.leastScore);
  if (entries) report = withKnownFindings(report, entries);
  const { clientReporters, clientAnnotations } = await import('../../consumer/reporters/index.ts');
  for (const { format, file } of targets) {
    const text = clientReporters[format](report, { color: file === '-' && hasColor(io.stdout, io.env) });
    if (file === '-') io.stdout.write(text);
    else writeAtomically(file, cli.clean(text));
  }
  if (io.env['GITHUB_ACTIONS'] === 'true') io.stderr.write(clientAnnotations(report));
  return statusOf(cli, settings, report);
}

interface Kept {
  readonly fingerprint: string;
  readonly known: KnownTrials;
}

/** What earlier runs showed, if they were of the same command against the same mock. */
function resumed(from: string, fingerprint: string): KnownTrials {
  if (!existsSync(from)) return {};
  const kept = parseJson(readFile('--resume', from)) as unknown as Kept | undefined;
  if (kept?.fingerprint === fingerprint) return kept.known;
  throw new UsageError(`--resume: ${visible(from)} is of another command or another mock. Delete it to begin anew.`);
}

/** Faults that no test notices are accepted if the tests notice enough of the others. */
function withScore(report: ClientReport, least: number | undefined): ClientReport {
  const score = report.faults && scoreOf(report.faults);
  if (least === undefined || score === undefined || score < least) return report;
  const accepted = `the tests notice ${score} % of the faults that they reach, and ${least} % are asked for`;
  const findings = report.findings.map((one) => (one.aspect === 'faults' ? { ...one, accepted } : one));
  return withOutcome({ ...report, findings });
}

function statusOf(
  { io }: Cli,
  { allowPartial, writeBaseline: isWritten }: Settings,
  { outcome }: ClientReport,
): number {
  if (io.signal?.aborted === true) {
    io.stderr.write('The run was stopped. The report covers what was decided by then.\n');
    return exitStatus.broken;
  }
  if (outcome === 'unsound' && isWritten === undefined) return exitStatus.nonconformant;
  return outcome === 'partial' && !allowPartial ? exitStatus.partial : exitStatus.conformant;
}
