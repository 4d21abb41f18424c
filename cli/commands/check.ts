import { createReadStream, createWriteStream, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import path from 'node:path';
import { Option, type Command } from 'commander';
import { levelIds, type LevelId } from '../../spec/index.ts';
import { visible } from '../../conformance/report/redact.ts';
import { createPersonal } from '../../conformance/recording/personal.ts';
import { recordedSecrets, type RunOptions } from '../../conformance/run-options.ts';
import type { Report } from '../../conformance/report/report.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { writeAtomically } from '../files/files.ts';
import { cleanupOf } from '../check/cleanup.ts';
import { preparePublication, publish, reportFlags, writeBaselineOption } from '../check/publish.ts';
import { createRecorder } from '../check/recorder.ts';
import { runChecks } from '../check/run-checks.ts';
import {
  baseUrlArgument,
  readTarget,
  selectionFlags,
  targetFlags,
  targetOption,
  targetOptions,
} from '../check/target.ts';
import type { AddCommand, Cli } from '../command-context.ts';
import {
  addFlags,
  BadValue,
  listFlag,
  readDuration,
  readNumber,
  readText,
  valueFlag,
  variableName,
  type ValuesOf,
} from '../flags.ts';

/** The file of a submission that is written while the run goes on; it is packed at its end. */
const RECORDING = 'history.har';

/** The flags of `check`. Each is also an environment variable and a key of the target file. */
export const checkFlags = {
  ...targetFlags,
  ...selectionFlags,
  ...reportFlags,
  level: listFlag(
    '<level>',
    /[\s,]+/,
    `judge for these claimed levels alone (repeatable): ${levelIds.join(', ')}`,
    readLevel,
  ),
  product: valueFlag('<name>', 'name of what is judged, for the report', readText),
  productVersion: valueFlag('<version>', 'its version', readText),
  productCommit: valueFlag('<commit>', 'its commit', readText),
  repeat: valueFlag(
    '<n>',
    'number of rounds; each round draws new requests',
    readNumber('a whole number of rounds', 1, 1000, 5),
  ),
  duration: valueFlag('<time>', 'go on with more rounds for this long: 60s, 5m', readDuration),
} as const;

type Settings = ValuesOf<typeof checkFlags>;

function readLevel(text: string): LevelId {
  const level = levelIds.find((id) => id === text);
  if (level !== undefined) return level;
  throw new BadValue(`there is no level ${visible(JSON.stringify(text))}. The levels are ${levelIds.join(', ')}.`);
}

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
    .argument(...baseUrlArgument)
    .addHelpText('after', FOOTER)
    .option(...targetOption)
    .option(...writeBaselineOption)
    .option(
      '--submission <folder>',
      'write report, history without tokens, environment and digests, for agent-contract verify (takes --product and --product-version)',
    )
    .option(
      '--cleanup <command>',
      'run this for each created resource at the end, without a shell; {kind} (agent or workspace) and {id} are put in',
    )
    .option('--record <file.har>', 'record every request and answer, without tokens, for agent-contract judge')
    .addOption(
      new Option(
        '--redact <fields>',
        'with fields: replace in the recording what results and headers say of people',
      ).choices(['fields']),
    );
  addFlags(command, checkFlags);
  command.action(cli.action((baseUrl: string | undefined) => check(cli, command, baseUrl)));
};

async function check(cli: Cli, command: Command, argument: string | undefined): Promise<number> {
  const { io } = cli;
  const { settings, baseUrl } = await readTarget(cli, command, checkFlags, { typed: argument, label: 'base_url' });
  const publication = await preparePublication(cli, settings, command);
  const cleanUp = cleanupOf(cli, command.getOptionValue('cleanup') as string | undefined);
  if (settings.readOnly && settings.workspaceId !== undefined && io.stderr.isTTY === true) {
    io.stderr.write('note: --workspace-id has no effect with --read-only.\n');
  }
  const options = { ...runOptions(settings, baseUrl), canary: cli.canary.value };
  const submission = submissionOf(cli, command, settings);
  const recorder = recorderOf(cli, command, options, submission);
  const report = await runChecks(io, { ...options, onExchange: recorder?.addExchange }).finally(() => recorder?.end());
  const status = await publish(report, cli, publication, async (compared) => {
    if (submission !== undefined) await submit(compared, cli, submission);
  });
  await cleanUp?.(report.created);
  if (report.counts.pass + report.counts.fail === 0 && io.signal?.aborted !== true) await explainNothing(cli, options);
  return status;
}

/** Where a run could judge nothing, the address or the token is probably wrong; this says which. */
async function explainNothing({ io, secrets }: Cli, options: RunOptions): Promise<void> {
  const { examine } = await import('../doctor/examine.ts');
  // A server that never answers must not hold up the end of the run.
  const timeoutMs = Math.min(options.timeoutMs ?? 2000, 2000);
  const { findings } = await examine({ ...options, timeoutMs, signal: io.signal }, secrets);
  for (const { what, state, says, fix } of findings)
    // The report itself says why a server cannot be reached.
    if (fix !== undefined && (state === 'fatal' || state === 'wrong'))
      io.stderr.write(`${what}: ${visible(says)} ${visible(fix)}.\n`);
}

/** The folder of a submission, made and empty. @throws UsageError */
function submissionOf({ io }: Cli, command: Command, settings: Settings): string | undefined {
  const named = command.getOptionValue('submission') as string | undefined;
  if (named === undefined) return undefined;
  if (settings.product === undefined || settings.productVersion === undefined)
    throw new UsageError('A submission names what was judged: give --product and --product-version.');
  if (command.getOptionValue('record') !== undefined)
    throw new UsageError('--submission records the history itself, so it does not go with --record.');
  const folder = path.resolve(io.cwd, named);
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new UsageError(`--submission ${visible(named)}: the folder is not empty.`);
  return folder;
}

/** Writes report, environment and statement beside the history. */
async function submit(report: Report, { io, clean }: Cli, folder: string): Promise<void> {
  const { REPORT, HISTORY, ENVIRONMENT, STATEMENT, digestOf, environmentOf, statementOf } =
    await import('../submission/bundle.ts');
  const write = (name: string, content: unknown): void =>
    writeAtomically(path.join(folder, name), clean(`${JSON.stringify(content, null, 2)}\n`));
  const recording = path.join(folder, RECORDING);
  await pipeline(createReadStream(recording), createGzip(), createWriteStream(path.join(folder, HISTORY)));
  rmSync(recording);
  write(REPORT, report);
  write(ENVIRONMENT, environmentOf(report, io.env));
  const digests = [REPORT, HISTORY, ENVIRONMENT].map((name) => [name, digestOf(readFileSync(path.join(folder, name)))]);
  write(STATEMENT, statementOf(report, Object.fromEntries(digests) as Record<string, string>));
  io.stderr.write(`Wrote ${visible(folder)}. "agent-contract verify ${visible(folder)}" judges it again.\n`);
}

function recorderOf({ io, canary, clean }: Cli, command: Command, options: RunOptions, submission: string | undefined) {
  const history = submission === undefined ? undefined : path.join(submission, RECORDING);
  const named = (command.getOptionValue('record') as string | undefined) ?? history;
  const isRedacted = command.getOptionValue('redact') !== undefined;
  if (named === undefined && isRedacted) throw new UsageError('--redact has no effect without --record.');
  if (named === undefined) return undefined;
  const { workspaceId, agentId, publishedAgentId, v5AgentId } = options;
  return createRecorder(path.resolve(io.cwd, named), [...recordedSecrets(options), canary], {
    run: { target: { workspaceId, agentId, publishedAgentId, v5AgentId } },
    guard: clean,
    personal: isRedacted ? createPersonal() : undefined,
  });
}

/** What the runner is told by the flags of {@link checkFlags}. */
export function runOptions(settings: Settings, baseUrl: string): RunOptions {
  const { readOnly, strictNull, maxRate, seed, repeat, duration: durationMs } = settings;
  const { product: name, productVersion: version, productCommit: commit } = settings;
  const [only, skip, levels] = [settings.only, settings.skip, settings.level].map((list) =>
    list.length > 0 ? list : undefined,
  ) as [RunOptions['only'], RunOptions['skip'], RunOptions['levels']];
  const product = name === undefined ? undefined : { name, version, commit };
  const how = { readOnly, strictNull, maxRate, seed, repeat, durationMs };
  return { ...targetOptions(settings, baseUrl), ...how, only, skip, levels, product };
}
