import type { Command } from 'commander';
import { createColors } from 'picocolors';
import { createRedactor, visible } from '../../conformance/report/redact.ts';
import { checkFlags } from './check.ts';
import type { AddCommand, Cli } from '../command-context.ts';
import type { Diagnosis, Standing } from '../doctor/diagnose.ts';
import { exitStatus } from '../exit-status.ts';
import { addFlags } from '../flags.ts';
import { hasColor } from '../io.ts';
import type { Prospects } from '../doctor/prospects.ts';
import { baseUrlArgument, readTarget, targetOption, targetOptions } from '../check/target.ts';

const FOOTER = `
doctor takes the flags, the variables and the target file of check, and sends a few GET requests. To find out what check
could judge, it rehearses the checks on a mock, with only what is known of the target.

Exit status: 0 everything can be judged; 2 a flag or a file is wrong; 3 something cannot be judged; 4 the target could not
be reached, or is not the service.`;

export const addDoctor: AddCommand = (program, cli) => {
  const command = program
    .command('doctor')
    .description('say before a run what check can judge with your settings, and what the rest needs')
    .argument(...baseUrlArgument)
    .addHelpText('after', FOOTER)
    .option(...targetOption);
  addFlags(command, checkFlags);
  command.action(cli.action((baseUrl: string | undefined) => doctor(cli, command, baseUrl)));
};

async function doctor(cli: Cli, command: Command, argument: string | undefined): Promise<number> {
  const { io } = cli;
  const { settings, baseUrl } = await readTarget(cli, command, checkFlags, { typed: argument, label: 'base_url' });
  const { readOnly, only, skip } = settings;
  const [{ diagnose }, { selectChecks }, { checks }] = await Promise.all([
    import('../doctor/diagnose.ts'),
    import('../../conformance/select.ts'),
    import('../../conformance/checks/index.ts'),
  ]);
  selectChecks(checks, { only, skip });
  const { sentence } = createRedactor(cli.secrets);
  const diagnosis = await diagnose({
    ...targetOptions(settings, baseUrl),
    canary: cli.canary.value,
    signal: io.signal,
    redact: sentence,
  });
  const { means, findings } = diagnosis;
  const prospects =
    means === undefined
      ? undefined
      : await (
          await import('../doctor/prospects.ts')
        ).prospectsOf({ ...means, workspaceId: settings.workspaceId !== undefined, readOnly, only, skip });
  io.stdout.write(
    settings.json
      ? `${JSON.stringify({ baseUrl, findings, requests: diagnosis.requests, ...prospects }, null, 2)}\n`
      : doctorText(baseUrl, diagnosis, prospects, createColors(hasColor(io.stdout, io.env))),
  );
  if (prospects === undefined) return exitStatus.broken;
  return prospects.notJudged.length === 0 ? exitStatus.conformant : exitStatus.partial;
}

type Colors = ReturnType<typeof createColors>;

const MARKS: Readonly<Record<Standing, string>> = { ok: '✓', note: '·', missing: '–', wrong: '✗', fatal: '✗' };
const MOST_SHOWN = 4;

function doctorText(
  baseUrl: string,
  { findings, requests }: Diagnosis,
  prospects: Prospects | undefined,
  colors: Colors,
): string {
  const paints: Readonly<Record<Standing, (text: string) => string>> = {
    ok: colors.green,
    note: colors.cyan,
    missing: colors.yellow,
    wrong: colors.red,
    fatal: colors.red,
  };
  const widest = Math.max(...findings.map(({ what }) => what.length));
  const lines = [
    `${colors.bold('agent-contract doctor')}  ${colors.cyan(visible(baseUrl))}  ${colors.dim(`${requests} GET requests`)}`,
    '',
    ...findings.flatMap(({ what, standing, says, fix }) => [
      `  ${paints[standing](MARKS[standing])} ${what.padEnd(widest)}  ${visible(says)}`,
      ...(fix === undefined ? [] : [`    ${' '.repeat(widest)}  ${colors.yellow(visible(fix))}`]),
    ]),
    '',
    ...(prospects === undefined
      ? [colors.red('A run makes no sense until this is fixed.')]
      : prospectsLines(prospects, colors)),
  ];
  return `${lines.join('\n')}\n`;
}

function prospectsLines({ judged, notJudged, unlocks, together }: Prospects, colors: Colors): string[] {
  const total = judged.length + notJudged.length;
  if (notJudged.length === 0) return [colors.green(`All ${total} checks can be judged.`)];
  const unlockable = new Set([...unlocks.flatMap(({ checks }) => checks), ...together]);
  const hopeless = notJudged.filter(({ id }) => !unlockable.has(id));
  const some = (ids: readonly string[]): string => {
    const rest = ids.length - MOST_SHOWN;
    return `${ids.slice(0, MOST_SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more (--json lists all)` : ''}`;
  };
  const line = (supply: string, ids: readonly string[]): string[] => [
    `  ${colors.yellow(supply)} would unlock ${ids.length} ${ids.length === 1 ? 'check' : 'checks'}:`,
    `      ${colors.dim(some(ids))}`,
  ];
  return [
    colors.bold(`${judged.length} of ${total} checks can be judged.`),
    ...unlocks.flatMap(({ supply, checks }) => line(supply, checks)),
    ...(together.length > 0
      ? line(unlocks.length > 0 ? 'All of these together' : 'Everything that is missing', together)
      : []),
    ...(hopeless.length > 0
      ? [`  We know nothing that would unlock:`, `      ${colors.dim(some(hopeless.map(({ id }) => id)))}`]
      : []),
  ];
}
