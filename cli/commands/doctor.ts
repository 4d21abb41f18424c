import type { Command } from 'commander';
import { createColors } from 'picocolors';
import { createRedactor } from '../../conformance/report/redact.ts';
import { checkFlags } from './check.ts';
import type { AddCommand, Cli } from '../command-context.ts';
import { doctorText } from '../doctor/doctor-text.ts';
import { exitStatus } from '../exit-status.ts';
import { addFlags } from '../flags.ts';
import { hasColor } from '../io.ts';
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
