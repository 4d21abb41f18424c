import type { Command } from 'commander';
import { createColors } from 'picocolors';
import type { Report } from '../../conformance/report/report.ts';
import { createProgress } from '../check/progress.ts';
import { readReportFile } from '../check/report-file.ts';
import { readTarget, selectionFlags, switchFlag, targetFlags, targetOptions } from '../check/target.ts';
import type { AddCommand, Cli } from '../command-context.ts';
import { exitStatus } from '../exit-status.ts';
import { addFlags, variableName } from '../flags.ts';
import { hasColor } from '../io.ts';
import { diffText } from './diff.ts';

const driftFlags = {
  ...targetFlags,
  readOnly: selectionFlags.readOnly,
  strictNull: selectionFlags.strictNull,
  seed: selectionFlags.seed,
  json: switchFlag('as JSON'),
} as const;

const FOOTER = `
The server is checked again with the seed, the options and, where the base URL is the same, the ids of the report. A choice
that the specification leaves open and that the server takes otherwise than before is drift too: front ends notice it.

Exit status: 0 as before; 1 something newly fails, is newly not judged, or is chosen otherwise; 2 a flag or a file is wrong;
4 the server could not be reached, or the run broke.`;

export const addDrift: AddCommand = (program, cli) => {
  const command = program
    .command('drift')
    .description('check a server again: what has changed since a JSON report?')
    .argument('<report.json>', 'output of check --report json=FILE')
    .argument('[base_url]', `base URL of the server (env: ${variableName('baseUrl')}; default: the recorded one)`)
    .option('--target <file>', `target file (env: ${variableName('target')}; default: agent-contract.json)`)
    .addHelpText('after', FOOTER);
  addFlags(command, driftFlags);
  command.action(cli.action((file: string, baseUrl: string | undefined) => drift(cli, command, file, baseUrl)));
};

async function drift(cli: Cli, command: Command, file: string, typed: string | undefined): Promise<number> {
  const { io } = cli;
  const before = await readReportFile(file, io.cwd);
  const after = await again(cli, command, before, typed);
  const { diffReports } = await import('../../conformance/report/diff.ts');
  const diff = diffReports(before, after);
  const choices = changedChoices(before, after);
  // What was seen of a gap in other words, or by chance not at all, is no change of the server.
  const told = { ...diff, observations: diff.observations.filter(({ gap }) => choices.has(gap)) };
  io.stdout.write(
    settingsOf(command).json === true
      ? `${JSON.stringify(told, null, 2)}\n`
      : diffText(told, [before, after], createColors(hasColor(io.stdout, io.env))),
  );
  if (after.outcome === 'unreachable' || after.counts.error > 0 || io.signal?.aborted === true)
    return exitStatus.broken;
  return diff.isWorse || choices.size > 0 ? exitStatus.nonconformant : exitStatus.conformant;
}

const settingsOf = (command: Command): { readonly json?: boolean } => command.opts();

/** The run of the report once more. */
async function again(cli: Cli, command: Command, before: Report, typed: string | undefined): Promise<Report> {
  const { settings, baseUrl } = await readTarget(cli, command, driftFlags, {
    typed,
    label: 'base_url',
    recorded: before.target.baseUrl,
  });
  const { baseUrl: recorded, ...ids } = before.target;
  const given = Object.fromEntries(
    Object.entries(targetOptions(settings, baseUrl)).filter(([, value]) => value !== undefined),
  );
  const { runConformance, checks } = await import('../../conformance/index.ts');
  const only = before.checks.map(({ id }) => id).filter((id) => checks.some((one) => one.id === id));
  const progress = createProgress(cli.io.stderr);
  return runConformance({
    baseUrl,
    ...(new URL(recorded).href === new URL(baseUrl).href ? ids : {}),
    ...given,
    only: only.length === 0 || only.length === checks.length ? undefined : only,
    repeat: before.options?.repeat,
    readOnly: settings.readOnly || before.options?.readOnly === true,
    strictNull: settings.strictNull || before.options?.strictNull === true,
    seed: settings.seed ?? before.seed,
    canary: cli.canary.value,
    signal: cli.io.signal,
    onProgress: (far) => progress.show(far),
  }).finally(() => progress.clear());
}

/** Gaps that are answered in another way than before, each way being one that is known. */
function changedChoices(before: Report, after: Report): ReadonlySet<string> {
  const known = new Map(before.observations.map(({ gap, choice }) => [gap, choice]));
  return new Set(
    after.observations.flatMap(({ gap, choice }) => {
      const was = known.get(gap);
      return was !== undefined && choice !== undefined && was !== choice ? [gap] : [];
    }),
  );
}
