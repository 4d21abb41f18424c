import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createRedactor } from '../../conformance/report/redact.ts';
import type { Report } from '../../conformance/report/report.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import { levelIds } from '../../spec/index.ts';
import { visible } from '../../text/visible.ts';
import { preparePublication, publish, reportFlags } from '../check/publish.ts';
import { createRecorder } from '../check/recorder.ts';
import { runChecks } from '../check/run-checks.ts';
import { readTarget, selectionFlags, targetFlags, targetOptions } from '../check/target.ts';
import type { Cli, Command } from '../command.ts';
import { messageOf, UsageError } from '../errors.ts';
import { startBundle } from '../submission/bundle.ts';
import { flagsOf, readDuration, readNumber, readOneOf, readPath, type ValuesOf } from '../flags.ts';

/** The flags of `check`. Each is also an environment variable, and most are keys of the target file. */
export const flags = {
  ...targetFlags,
  ...selectionFlags,
  ...reportFlags,
  level: {
    takes: '<level>',
    separator: 'words',
    description: `judge for these claimed levels alone (repeatable): ${levelIds.join(', ')}`,
    read: readOneOf(levelIds),
  },
  ...flagsOf('check', {
    repeat: readNumber('a whole number of rounds', 1, 1000, 5),
    duration: readDuration,
    record: readPath,
    redact: readOneOf(['fields']),
  }),
};
export const endsItself = true;

type Settings = ValuesOf<typeof flags>;

export async function run(cli: Cli, command: Command): Promise<number> {
  const { io } = cli;
  const { settings, options } = await readRun(cli, command);
  const publication = preparePublication(settings);
  const cleanUp = cleanupOf(cli, settings.cleanup);
  if (settings.readOnly && settings.workspaceId !== undefined && io.stderr.isTTY === true)
    io.stderr.write('note: --workspace-id has no effect with --read-only.\n');
  const bundle = bundleOf(cli, settings);
  const { record, redact } = settings;
  const { recording = record } = bundle ?? {};
  const recorder = recording === undefined ? undefined : createRecorder(recording, cli, options, redact !== undefined);
  const report = await runChecks(io, { ...options, onExchange: recorder?.addExchange }).finally(() => recorder?.end());
  const status = await publish(report, cli, publication, bundle?.write);
  await cleanUp?.(report.created);
  return status;
}

/** What `--submission` writes, in an empty folder. @throws UsageError */
function bundleOf(cli: Cli, { submission, product, productVersion }: Settings) {
  if (submission === undefined) return undefined;
  if (product === undefined || productVersion === undefined)
    throw new UsageError('A submission names what was judged: give --product and --product-version.');
  return startBundle(submission, cli);
}

/** The settings and the options of a run. @throws UsageError */
export async function readRun(cli: Cli, command: Command) {
  const { settings, baseUrl } = await readTarget(cli, command, flags, { typed: command.args[0], label: 'base_url' });
  const { readOnly, strict, maxRate, seed, repeat, duration: durationMs } = settings;
  const { product: name, productVersion: version, productCommit: commit } = settings;
  const [only, skip, levels] = [settings.only, settings.skip, settings.level].map((list) =>
    list.length > 0 ? list : undefined,
  ) as [RunOptions['only'], RunOptions['skip'], RunOptions['levels']];
  const product = name === undefined ? undefined : { name, version, commit };
  const how = { readOnly, strict, maxRate, seed, repeat, durationMs, canary: cli.canary.value };
  const options = { ...targetOptions(settings, baseUrl), ...how, only, skip, levels, product };
  return { settings, options };
}

const PATIENCE = 30_000;
/** The target names its resources: nothing that a program could take for a flag, or a path elsewhere. */
const PLAIN = /^[A-Za-z0-9][\w.:~-]*$/;

/** Removes what a run created, the latest first, by a command of the user. @throws UsageError for one without a place for ids */
function cleanupOf({ io, secrets }: Cli, template: string | undefined) {
  if (template === undefined) return undefined;
  const words = template.split(' ').filter((word) => word !== '');
  if (words.length < 2 || words[0]?.includes('{') || !template.includes('{id}'))
    throw new UsageError(
      "--cleanup: this must be a command with {id} among its arguments: 'node remove.mjs {kind} {id}'.",
    );
  return async (created: Report['created']): Promise<void> => {
    let failed = 0;
    const fail = (kind: string, id: string, why: string): void => {
      failed++;
      io.stderr.write(`cleanup of ${kind} ${visible(id)}: ${visible(createRedactor(secrets).text(why))}\n`);
    };
    for (const { kind, id } of created.toReversed()) {
      if (!PLAIN.test(id)) {
        fail(kind, id, 'this id is not put into a command.');
        continue;
      }
      const [program = '', ...args] = words.map((word) => word.replaceAll('{kind}', kind).replaceAll('{id}', id));
      await promisify(execFile)(program, args, { cwd: io.cwd, env: io.env, timeout: PATIENCE }).catch(
        (error: unknown) => fail(kind, id, messageOf(error).trim().slice(0, 300)),
      );
    }
    io.stderr.write(`cleanup: ${created.length - failed} of ${created.length} resources done.\n`);
  };
}
