import { existsSync } from 'node:fs';
import path from 'node:path';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import type { ClientReport, KnownTrials } from '../../consumer/index.ts';
import { aspects, scoreOf, withOutcome, type Aspect } from '../../consumer/report.ts';
import { parseJson } from '../../text/json.ts';
import { readBaseline } from '../check/checked-file.ts';
import type { AddCommand, Cli } from '../command-context.ts';
import { exitStatus } from '../exit-status.ts';
import { checkWritable, readFile, writeAtomically } from '../files/files.ts';
import {
  addFlags,
  BadValue,
  listFlag,
  readDuration,
  readFlags,
  readNumber,
  readText,
  switchFlag,
  valueFlag,
  type ValueOrigin,
  type ValuesOf,
} from '../flags.ts';
import { hasColor } from '../io.ts';
import { mockFlags, mockSecrets, type MockSettings } from '../mock/flags.ts';
import { environment } from './run.ts';

const formats = ['text', 'json', 'html', 'junit'] as const;

const file = (text: string, { folder }: ValueOrigin): string => path.resolve(folder, readText(text));

const clientFlags = {
  only: listFlag('<question>', /[\s,]+/, `answer only these questions (repeatable): ${aspects.join(', ')}`, readAspect),
  time: valueFlag('<time>', 'begin no more runs after this long: 5m', readDuration),
  sample: valueFlag(
    '<n>',
    'try only about so many of the faults that the tests reach',
    readNumber('a whole number', 1, 1000, 30),
  ),
  leastScore: valueFlag(
    '<percent>',
    'accept faults that no test notices, if the tests notice this share of those they reach',
    readNumber('a whole number of percent', 0, 100, 80),
  ),
  onPurpose: listFlag(
    '<text>',
    /\n+/,
    'tests with this in their names send wrong requests on purpose (repeatable)',
    readText,
  ),
  results: valueFlag(
    '<file>',
    'where the command writes its results (JSON of Jest, Vitest or Playwright, JUnit XML, TAP), if its runner is not recognised',
    readText,
  ),
  resume: valueFlag('<file>', 'keep what the runs show in this file, and go on from it', file),
  needs: valueFlag('<file>', 'write what the client needs, for can-i-deploy (client.needs.json)', file),
  name: valueFlag('<text>', 'the name of the client in what is written (default: that of the folder)', readText),
  report: listFlag(
    '<format=file>',
    /\n+/,
    `write a report, - for standard output (repeatable): ${formats.join(', ')}`,
    readReport,
  ),
  json: switchFlag('write the JSON report to standard output instead of the text'),
  baseline: valueFlag('<file>', 'known findings, which do not fail the run; entries that match nothing do', file),
  writeBaseline: valueFlag('<file>', 'write all findings of this run to a baseline, and end with 0', file),
  allowPartial: switchFlag('end with 0 even if something was not decided'),
} as const;

type Settings = ValuesOf<typeof clientFlags>;

const { port, host, persona, seed, seedFile, now, freeze, profile, choice, token } = mockFlags;
/** Of the flags of a mock, those with which every run can begin alike. */
const worldFlags = { persona, seed, seedFile, now, freeze, profile, choice, token, port, host } as const;

const FOOTER = `
It runs the command twice as it is, and then once for each thing that it tries. Programs find the mock through the
variables that "run" sets. Mocks that the tests make themselves obey too: createMock, the adapters for MSW, Playwright
and Vite, and the global setup, through the variable AGENT_CONTRACT_CLIENT_RUN. What a test names as choices stays.

Exit status: 0 nothing is wrong; 1 something is: sent, leaned on, or not noticed; 2 a flag or a file is wrong, no test
passes, or none reaches a mock; 3 nothing is wrong so far, and not all was decided; 4 the run was stopped.`;

export const addClient: AddCommand = (program, cli) => {
  const command = program
    .command('client')
    .description('judge a client by its own tests: what it sends, leans on, would notice and needs')
    .usage('[flags] -- <test command> [arguments]')
    .argument('<command...>', 'command that runs the tests, without a shell')
    .addHelpText('after', FOOTER);
  addFlags(command, { ...clientFlags, ...worldFlags });
  command.action(
    cli.action((words: string[]) => {
      const world = readFlags(mockFlags, command, cli.io, undefined);
      return client(cli, { ...readFlags(clientFlags, command, cli.io, undefined), world }, words);
    }),
  );
};

async function client(
  cli: Cli,
  { world, ...settings }: Settings & { readonly world: MockSettings },
  command: readonly string[],
): Promise<number> {
  const { io, secrets } = cli;
  // Every run begins at the same instant.
  const mock = { ...world, now: world.now ?? Date.now() };
  secrets.push(...mockSecrets(mock));
  const { resume, needs, baseline: named, writeBaseline: newBaseline, name = path.basename(io.cwd) } = settings;
  for (const one of [resume, needs, newBaseline]) if (one !== undefined) checkWritable(one, visible(one));
  for (const { to } of settings.report) if (to !== '-') checkWritable(to, visible(to));
  const before = named === undefined ? undefined : await readBaseline(named, newBaseline);
  const [{ judgeClient, knownFindings, withKnownFindings }, { startMock }] = await Promise.all([
    import('../../consumer/index.ts'),
    import('../mock/start.ts'),
  ]);
  const fingerprint = JSON.stringify([command, world]);
  const progress = progressLine(cli);
  let report = await judgeClient({
    command,
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
    onPurpose: settings.onPurpose,
    signal: io.signal,
    known: resume === undefined ? {} : resumed(resume, fingerprint),
    onRun: (count, says) => progress.show(count, says),
    onTrial:
      resume === undefined
        ? undefined
        : (known) => writeAtomically(resume, JSON.stringify({ fingerprint, known } satisfies Kept)),
  }).finally(() => progress.end());
  if (needs !== undefined && report.needs) writeAtomically(needs, `${JSON.stringify(report.needs, null, 2)}\n`);
  if (newBaseline !== undefined)
    writeAtomically(newBaseline, cli.clean(`${JSON.stringify(knownFindings(report, before), null, 2)}\n`));
  const entries = newBaseline === undefined ? before : knownFindings(report, before);
  report = withScore(report, settings.leastScore);
  if (entries) report = withKnownFindings(report, entries);
  await write(cli, settings, report);
  return statusOf(cli, settings, report);
}

/** A line on a terminal that says what the present run is for. */
function progressLine({ io: { stderr } }: Cli) {
  const erase = '\r\u001b[2K';
  const isShown = stderr.isTTY === true;
  return {
    show(count: number, says: string): void {
      if (isShown) stderr.write(`${erase}${visible(`run ${count}: ${says}`).slice(0, (stderr.columns ?? 80) - 1)}`);
    },
    end: (): void => void (isShown && stderr.write(erase)),
  };
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

async function write({ io, clean }: Cli, settings: Settings, report: ClientReport): Promise<void> {
  const { clientReporters, clientAnnotations } = await import('../../consumer/reporters/index.ts');
  const given: readonly ReportTo[] = settings.json
    ? [...settings.report, { format: 'json', to: '-' }]
    : settings.report;
  const all: readonly ReportTo[] = given.some(({ to }) => to === '-') ? given : [...given, { format: 'text', to: '-' }];
  for (const { format, to } of all) {
    const text = clientReporters[format](report, { color: to === '-' && hasColor(io.stdout, io.env) });
    if (to === '-') io.stdout.write(text);
    else writeAtomically(to, clean(text));
  }
  if (io.env['GITHUB_ACTIONS'] === 'true') io.stderr.write(clientAnnotations(report));
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

interface ReportTo {
  readonly format: (typeof formats)[number];
  readonly to: string;
}

function readReport(text: string, { folder }: ValueOrigin): ReportTo {
  const [, name = '', to = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const format = formats.find((one) => one === name);
  if (!format)
    throw new BadValue(
      `this must be FORMAT=FILE, for example html=client.html. The formats are ${formats.join(', ')}.`,
    );
  return { format, to: to === '-' ? '-' : path.resolve(folder, to) };
}

function readAspect(text: string): Aspect {
  const known = aspects.find((one) => one === text);
  if (known) return known;
  throw new BadValue(`this must be one of ${aspects.join(', ')}.`);
}
