import path from 'node:path';
import { reasons } from '../../conformance/foreign/foreign-exchange.ts';
import { feedRecordings } from '../../conformance/recording/judge-recording.ts';
import { cleanJson, createRedactor } from '../../conformance/report/redact.ts';
import { counted } from '../../conformance/show.ts';
import { visible } from '../../text/visible.ts';
import { baseUrlOf, recordingFlags, selectionFlags } from '../check/target.ts';
import type { Cli, Command } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { writeFile } from '../files/files.ts';
import { readRecordings } from '../files/recordings.ts';
import { flagsOf, readFlags, readPath } from '../flags.ts';
import { gatherTraffic, type FromTraffic } from '../seed/from-traffic.ts';
import { impersonal } from '../seed/impersonal.ts';

export const flags = { ...recordingFlags, ...flagsOf('seed', { output: readPath, seed: selectionFlags.seed.read }) };

export async function run(cli: Cli, command: Command): Promise<number | void> {
  const { io } = cli;
  const settings = readFlags(flags, command, io);
  const baseUrl = baseUrlOf(settings, io);
  const traffic = gatherTraffic(baseUrl);
  await readRecordings(io, command.args, (sources) => feedRecordings(sources, traffic));
  const found = traffic.end();
  reportContent(cli, found);
  const { agents = [], workspaces = [] } = found.seed;
  if (agents.length + workspaces.length === 0) return exitStatus.nonconformant;
  const data = settings.replacePersonalData ? impersonal(found.seed, settings.seed ?? 1) : found.seed;
  // A server may have repeated the token of its caller in any form.
  cli.secrets.push(...Array.from(found.tokens, (value) => ({ value })));
  const text = cli.clean(`${cleanJson(JSON.stringify(data, null, 2), createRedactor(cli.secrets).whole)}\n`);
  if (settings.output === undefined) {
    io.stdout.write(text);
    return;
  }
  writeFile('--output', settings.output, text, { mode: 0o600 });
  const now = found.lastAt === undefined ? '' : ` --now ${new Date(found.lastAt).toISOString()}`;
  io.stderr.write(
    `To start with it: agent-contract mock --persona empty --seed-file ${visible(path.relative(io.cwd, settings.output))}${now}\n`,
  );
}

function reportContent({ io }: Cli, { seed: data, leftOut, refused, nulls }: FromTraffic): void {
  const { agents = [], workspaces = [], publishedAgents: published = {}, results = {} } = data;
  const count = Object.values(results).reduce((sum, list) => sum + list.length, 0);
  const say = (line: string): void => void io.stderr.write(`${visible(line)}\n`);
  const forms = counted(Object.keys(published).length, 'published form');
  const others = `${counted(count, 'result')}, ${counted(workspaces.length, 'workspace')}`;
  say(`${counted(agents.length, 'agent')}, ${forms}, ${others}`);
  for (const { reason, count: many, examples } of leftOut) {
    const about = examples.join(', ');
    say(`left out: ${many} that ${reasons[reason]}${about && ` (${about})`}`);
  }
  for (const line of refused.slice(0, 10)) say(`left out: ${line}`);
  if (refused.length > 10) say(`left out: ${refused.length - 10} more that do not fit their schemas`);
  if (nulls > 0)
    say(
      `left out: ${counted(nulls, 'null value')}; with --choice absent-values=null the mock shows them as null again`,
    );
}
