import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../conformance/usage-error.ts';
import { judgeClient, knownFindings, withKnownFindings } from '../../consumer/index.ts';
import type { ClientReport, KnownTrials } from '../../consumer/index.ts';
import { aspects } from '../../consumer/report.ts';
import { clientAnnotations, clientReporters } from '../../consumer/reporters/index.ts';
import { version } from '../../package.json';
import { parseJson } from '../../text/json.ts';
import { visible } from '../../text/visible.ts';
import { readBaseline } from '../check/checked-file.ts';
import type { Cli, Command } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { checkWritable, readFile, writeAtomically } from '../files/files.ts';
import { reportFlag, reportTargets, writeReports } from '../files/report-targets.ts';
import { flagsOf, flagWords, readDuration, readFlags, readNumber, readOneOf, readPath, secretsOf } from '../flags.ts';
import type { ValuesOf } from '../flags.ts';
import { progressLine } from '../io.ts';
import { mockFlags } from '../mock/flags.ts';
import { startMock } from '../mock/start.ts';
import { environment } from './run.ts';

const questions = `answer only these questions (repeatable): ${aspects.join(', ')}`;

const clientFlags = {
  only: { takes: '<question>', separator: 'words', description: questions, read: readOneOf(aspects) },
  ...flagsOf('client', {
    time: readDuration,
    sample: readNumber('a whole number', 1, 1000, 30),
    parallel: readNumber('a whole number', 1, 64, 4),
    resume: readPath,
    needs: readPath,
    report: reportFlag(['text', 'json', 'html', 'junit']).read,
    baseline: readPath,
    writeBaseline: readPath,
  }),
};

type Settings = ValuesOf<typeof clientFlags>;

/** Of the flags of a mock, those with which every run can begin alike. */
const { port, host, persona, seed, seedFile, now, freeze, profile, choice, token } = mockFlags;
const worldFlags = { persona, seed, seedFile, now, freeze, profile, choice, token, port, host };
export const flags = { ...clientFlags, ...worldFlags };
export const endsItself = true;

export async function run(cli: Cli, command: Command): Promise<number> {
  const { io, secrets } = cli;
  const world = readFlags(mockFlags, command, io);
  const settings = readFlags(clientFlags, command, io);
  // Every run begins at the same instant.
  const mock = { ...world, now: world.now ?? Date.now() };
  secrets.push(...secretsOf(mockFlags, mock));
  const { resume, needs, baseline: named, writeBaseline: newBaseline, name = path.basename(io.cwd) } = settings;
  if (needs !== undefined && settings.only.length > 0 && !settings.only.includes('needs'))
    throw new UsageError('--needs: this question is not asked. Add --only needs, or leave out --only.');
  for (const one of [resume, needs, newBaseline]) if (one !== undefined) checkWritable(one, visible(one));
  const targets = reportTargets(settings.report, settings.json);
  const before = named === undefined ? undefined : readBaseline(named, newBaseline);
  const mark = { fingerprint: JSON.stringify([command.args, world]), sources: resume && sourcesOf(io.cwd) };
  const progress = progressLine(io);
  let report = await judgeClient({
    command: command.args,
    cwd: io.cwd,
    env: io.env,
    results: settings.results,
    serve: async (steering) => {
      const running = await startMock(io, mock, 0, { steering });
      const env = environment(running, io.env);
      // A test may compare what its own mock says with the real time.
      return { env, world: { ...running.world, now: world.now }, stop: running.stop };
    },
    client: name,
    // `run` finds the variables itself. No output shows a token.
    world: Object.keys(worldFlags).flatMap((key) => {
      const value = command.getOptionValueSource(key) === 'cli' && command.getOptionValue(key);
      const texts = ([value || []] as (string | true | string[])[][]).flat(2);
      return texts.map((text) => (key === 'token' ? '--token "$TOKEN"' : flagWords(key, text)));
    }),
    only: settings.only.length > 0 ? settings.only : undefined,
    timeMs: settings.time,
    sample: settings.sample,
    // A port that the user chose is there once.
    parallel: world.port === undefined ? settings.parallel : 1,
    onPurpose: settings.onPurpose,
    signal: io.signal,
    known: resumed(cli, resume, mark),
    onRun: (count, says) => progress.show(`run ${count}: ${says}`),
    onTrial(known) {
      if (resume !== undefined) writeAtomically(resume, JSON.stringify({ ...mark, known } satisfies Kept));
    },
  }).finally(progress.end);
  if (needs !== undefined && report.needs) writeAtomically(needs, `${JSON.stringify(report.needs, null, 2)}\n`);
  let entries = before;
  if (newBaseline !== undefined) {
    entries = knownFindings(report, before);
    writeAtomically(newBaseline, cli.clean(`${JSON.stringify(entries, null, 2)}\n`));
  }
  if (entries) report = withKnownFindings(report, entries);
  writeReports(targets, cli, ({ format }, color) => clientReporters[format](report, { color }));
  if (io.env['GITHUB_ACTIONS'] === 'true') io.stderr.write(clientAnnotations(report));
  return statusOf(cli, settings, report);
}

interface Kept {
  readonly fingerprint: string;
  readonly sources: string | undefined;
  readonly known: KnownTrials;
}

/** What earlier runs showed, if they were of the same command against the same mock, and nothing has changed since. */
function resumed({ io }: Cli, from = '', { fingerprint, sources }: Omit<Kept, 'known'>): KnownTrials {
  if (!existsSync(from)) return {};
  const kept = parseJson(readFile('--resume:', from)) as unknown as Kept | undefined;
  if (kept?.fingerprint !== fingerprint)
    throw new UsageError(`--resume: ${visible(from)} is of another command or another mock. Delete it to begin anew.`);
  if (kept.sources === sources) return kept.known;
  io.stderr.write('--resume: the client, its tests or this program have changed: the runs are made anew.\n');
  return {};
}

const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|java|kt|rb|php|cs|rs|swift)$/;

/** The version of this program, and a digest that each change in a source below a folder makes another. */
function sourcesOf(folder: string): string {
  const hash = createHash('sha256');
  const look = (at: string): void => {
    for (const found of readdirSync(at, { withFileTypes: true })) {
      const place = path.join(at, found.name);
      if (found.isDirectory() && !/^(?:\.|node_modules$)/.test(found.name)) look(place);
      if (found.isFile() && SOURCE.test(found.name))
        hash.update(path.relative(folder, place)).update(readFileSync(place));
    }
  };
  look(folder);
  return `${version} ${hash.digest('hex')}`;
}

function statusOf({ io }: Cli, { allowPartial, writeBaseline }: Settings, { outcome }: ClientReport): number {
  if (io.signal?.aborted === true) {
    io.stderr.write('The run was stopped. The report covers what was decided by then.\n');
    return exitStatus.broken;
  }
  if (outcome === 'unsound' && writeBaseline === undefined) return exitStatus.nonconformant;
  if (outcome === 'partial' && !allowPartial) return exitStatus.partial;
  return exitStatus.conformant;
}
