import path from 'node:path';
import type { Report } from '../../conformance/report/report.ts';
import { counted } from '../../conformance/show.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { canDeploy, readNeeds, type Deployment } from '../../consumer/index.ts';
import { visible } from '../../text/visible.ts';
import { readReportFile } from '../check/checked-file.ts';
import { runChecks } from '../check/run-checks.ts';
import { readTarget, targetFlags, targetOptions } from '../check/target.ts';
import type { Cli, Command } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { readJsonFile } from '../files/json-file.ts';
import { flagsOf, readFlags, readPath, type ValuesOf } from '../flags.ts';
import { print, type Colors } from '../io.ts';
import { judgeFiles } from './judge.ts';

const NO_SERVER =
  'No server was named. Name a report of check on it (--server report.json), a recording of its traffic ' +
  '(--recording traffic.har), its base URL (agent-contract can-i-deploy https://api.example.com), or a target file ' +
  'with a baseUrl (--target).';

export const flags = {
  ...targetFlags,
  ...flagsOf('deploy', { needs: readPath, server: readPath, recording: readPath }),
};
export const endsItself = true;

export async function run(cli: Cli, command: Command): Promise<number> {
  const { io } = cli;
  const settings = readFlags(flags, command, io);
  if (settings.needs.length === 0)
    throw new UsageError(
      'Name what a client needs: --needs client.needs.json. "agent-contract client --needs" writes it.',
    );
  const needs = settings.needs.map((one) => readNeeds(readJsonFile('needs file', one, io.cwd), visible(one)));
  const servers = await reportsOf(cli, command, settings);
  const all = needs.flatMap((need) => servers.map((server) => canDeploy(need, server)));
  print(io, settings, all, (colors) => textOf(colors, all));
  if (all.some(({ answer }) => answer === 'no')) return exitStatus.nonconformant;
  return all.every(({ answer }) => answer === 'yes') ? exitStatus.conformant : exitStatus.partial;
}

/** What is known of each server, under the name that the user gave. */
async function reportsOf(
  cli: Cli,
  command: Command,
  { server, recording }: ValuesOf<typeof flags>,
): Promise<readonly Report[]> {
  const { io, canary } = cli;
  const named = (report: Report, file: string): Report => {
    const baseUrl = `${path.relative(io.cwd, file)} (${report.target.baseUrl})`;
    return { ...report, target: { ...report.target, baseUrl } };
  };
  const reports = server.map((one) => named(readReportFile(one, io.cwd), one));
  for (const one of recording) reports.push(named(await judgeFiles(cli, [one]), one));
  const typed = command.args[0];
  if (reports.length > 0 && typed === undefined) return reports;
  const sources = { typed, label: 'base_url', missing: NO_SERVER };
  const { settings, baseUrl } = await readTarget(cli, command, targetFlags, sources);
  return [...reports, await runChecks(io, { ...targetOptions(settings, baseUrl), canary: canary.value })];
}

const marks = { yes: 'green', no: 'red', unknown: 'yellow' } as const;

function textOf(colors: Colors, all: readonly Deployment[]): string {
  const clients = [...new Set(all.map(({ client }) => client))];
  const width = Math.max(...all.map(({ client, server }) => `${client} with ${server}`.length));
  const lines = all.flatMap(({ client, server, answer, missing, unknown }) => [
    `${visible(`${client} with ${server}`).padEnd(width)}  ${colors[marks[answer]](answer)}`,
    ...missing.map((one) => `  ${colors.red('✗')} ${visible(one)}`),
    ...unknown.map((one) => `  ${colors.yellow('?')} ${visible(one)}`),
  ]);
  const sums = Object.keys(marks).map((mark) => `${all.filter(({ answer }) => answer === mark).length} ${mark}`);
  return `${[...lines, `${sums.join(', ')}, of ${counted(clients.length, 'client')}`].join('\n')}\n`;
}
