import { checks as allChecks } from '../../conformance/checks/index.ts';
import type { CheckReport } from '../../conformance/report/report.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import { unjudgedBySupply } from '../../conformance/reporters/wording/wording.ts';
import { selectChecks } from '../../conformance/select.ts';
import { roles } from '../../fixtures/index.ts';
import { createMock } from '../../mock/index.ts';
import { judge } from '../../prove/target.ts';
import { visible } from '../../text/visible.ts';
import { flags, readRun } from './check.ts';
import type { Cli, Command } from '../command.ts';
import { examine, type ExaminationFinding, type Usable } from '../doctor/examine.ts';
import { exitStatus } from '../exit-status.ts';
import { print, type Colors } from '../io.ts';

const MOST_SHOWN = 4;

export { flags };
export const endsItself = true;

export async function run(cli: Cli, command: Command): Promise<number> {
  const { io } = cli;
  const { settings, ...read } = await readRun(cli, command);
  const options = { ...read.options, signal: io.signal };
  const { baseUrl } = options;
  selectChecks(allChecks, options);
  const { findings, usable, requests } = await examine(options, cli.secrets);
  const checks = usable && (await rehearse(usable, options));
  const notJudged = checks?.filter(({ status }) => status === 'not-judged');
  const judged = checks?.filter(({ status }) => status !== 'not-judged').map(({ id }) => id);
  const needs = notJudged?.map(({ id, title, reason, supply }) => ({ id, title, reason, supply }));
  print(io, settings, { baseUrl, findings, requests, judged, notJudged: needs }, (colors) => {
    const { bold, cyan, dim } = colors;
    const head = `${bold('agent-contract doctor')}  ${cyan(visible(baseUrl))}  ${dim(`${requests} GET requests`)}`;
    return `${head}\n\n${findingLines(findings, colors).join('\n')}\n\n${prospects(checks, colors).join('\n')}\n`;
  });
  if (notJudged === undefined) return exitStatus.broken;
  if (notJudged.length === 0) return exitStatus.conformant;
  return exitStatus.partial;
}

/** What could be judged: the checks tell, on a mock about which as much is known as about the target. */
async function rehearse(
  usable: Usable,
  { workspaceId, readOnly, only, skip }: RunOptions,
): Promise<readonly CheckReport[]> {
  const { target, store } = createMock({ seed: 1 });
  const tokens = { write: target.token, read: target.readToken, guest: target.guestToken };
  // What is missing is `undefined`, since the trial would supply it otherwise.
  const entries = Object.entries(target).map(([key, value]) => [key, usable[key as keyof Usable] ? value : undefined]);
  const supplied = Object.fromEntries(entries) as Partial<typeof target>;
  const agentId = usable.results ? target.agentId : store.agentId(roles.withoutResults);
  const { checks } = await judge(
    {},
    {
      ...supplied,
      token: usable.token && tokens[usable.token],
      agentId: usable.agentId ? agentId : undefined,
      workspaceId: workspaceId && target.workspaceId,
      readOnly,
      only,
      skip,
      observe: false,
    },
  );
  return checks;
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

function prospects(checks: readonly CheckReport[] | undefined, { bold, dim, green, red, yellow }: Colors): string[] {
  if (!checks) return [red('A run makes no sense until this is fixed.')];
  const needs = unjudgedBySupply(checks);
  if (needs.length === 0) return [green(`All ${checks.length} checks can be judged.`)];
  const judged = checks.filter(({ status }) => status !== 'not-judged');
  return [
    bold(`${judged.length} of ${checks.length} checks can be judged. The others need`),
    ...needs.flatMap(({ supply = 'something that we do not know', checks: waiting }) => {
      const shown = waiting.slice(0, MOST_SHOWN).map(({ id }) => id);
      if (waiting.length > MOST_SHOWN) shown.push(`and ${waiting.length - MOST_SHOWN} more (--json lists all)`);
      return [`  ${yellow(supply)}`, `      ${dim(shown.join(', '))}`];
    }),
  ];
}
