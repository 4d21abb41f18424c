import { sectionsOf } from '../../conformance/reporters/outline/sections.ts';
import { blocksText, sectionLines } from '../../conformance/reporters/text.ts';
import type { Report } from '../../conformance/report/report.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import { counted } from '../../conformance/show.ts';
import { roles } from '../../fixtures/index.ts';
import { createMock } from '../../mock/index.ts';
import { judge } from '../../prove/target.ts';
import { visible } from '../../text/visible.ts';
import { flags, readRun } from './check.ts';
import type { Cli, Command } from '../command.ts';
import { examine, type ExaminationFinding, type Usable } from '../doctor/examine.ts';
import { exitStatus } from '../exit-status.ts';
import { print, type Colors } from '../io.ts';

export { flags };
export const endsItself = true;

export async function run(cli: Cli, command: Command): Promise<number> {
  const { io } = cli;
  const { settings, ...read } = await readRun(cli, command);
  const options = { ...read.options, signal: io.signal };
  const { baseUrl } = options;
  const { findings, usable, requests } = await examine(options, cli.secrets);
  const rehearsed = usable && (await rehearse(usable, options));
  const needs = rehearsed?.checks.filter(({ status }) => status === 'not-judged');
  const judged = rehearsed?.checks.filter(({ status }) => status !== 'not-judged').map(({ id }) => id);
  const notJudged = needs?.map(({ id, title, reason, supply }) => ({ id, title, reason, supply }));
  print(io, settings, { baseUrl, findings, requests, judged, notJudged }, (colors) => {
    const { bold, cyan, dim } = colors;
    const head = `${bold('agent-contract doctor')}  ${cyan(visible(baseUrl))}  ${dim(counted(requests, 'GET request'))}`;
    return blocksText([[head], findingLines(findings, colors), prospects(rehearsed, colors)]);
  });
  if (needs === undefined) return exitStatus.broken;
  if (needs.length === 0) return exitStatus.conformant;
  return exitStatus.partial;
}

/** What could be judged: the checks tell, on a mock about which as much is known as about the target. */
async function rehearse(usable: Usable, { workspaceId, readOnly, only, skip, levels }: RunOptions): Promise<Report> {
  const { target, store } = createMock({ seed: 1 });
  const tokens = { write: target.token, read: target.readToken, guest: target.guestToken };
  // What is missing is `undefined`, since the trial would supply it otherwise.
  const entries = Object.entries(target).map(([key, value]) => [key, usable[key as keyof Usable] ? value : undefined]);
  const supplied = Object.fromEntries(entries) as Partial<typeof target>;
  const agentId = usable.results ? target.agentId : store.agentId(roles.withoutResults);
  return judge(
    {},
    {
      ...supplied,
      token: usable.token && tokens[usable.token],
      agentId: usable.agentId ? agentId : undefined,
      workspaceId: workspaceId && target.workspaceId,
      readOnly,
      only,
      skip,
      levels,
      observe: false,
    },
  );
}

function findingLines(findings: readonly ExaminationFinding[], { green, cyan, yellow, red }: Colors): string[] {
  const marks = { ok: green('✓'), note: cyan('·'), missing: yellow('–'), wrong: red('✗'), fatal: red('✗') };
  const widest = Math.max(...findings.map(({ what }) => what.length));
  return findings.flatMap(({ what, state, says, fix }) => {
    const line = `  ${marks[state]} ${what.padEnd(widest)}  ${visible(says)}`;
    if (fix === undefined) return [line];
    return [line, `    ${' '.repeat(widest)}  ${yellow(visible(fix))}`];
  });
}

/** How many checks could be judged, and what the others need, as a report says it. */
function prospects(report: Report | undefined, colors: Colors): string[] {
  if (!report) return [colors.red('A run makes no sense until this is fixed.')];
  const { checks, counts } = report;
  if (counts.notJudged === 0) return [colors.green(`All ${checks.length} checks can be judged.`)];
  const sum = `${checks.length - counts.notJudged} of ${checks.length} checks can be judged.`;
  const needs = sectionsOf(report, { isBrief: true }).filter(({ id }) => id === 'not-judged');
  const lines = needs.flatMap((section) => sectionLines(section, colors));
  return [colors.bold(sum), ...lines, colors.dim('With --json: the checks that need each of these.')];
}
