import { Command, CommanderError } from 'commander';
import { createCanary } from '../conformance/http/canary.ts';
import { createRedactor, type Secret } from '../conformance/report/redact.ts';
import { version } from '../package.json';
import { visible } from '../text/visible.ts';
import type { Cli, CommandModule, CommandTexts } from './command.ts';
import commands from './commands.json';
import { messageOf, UsageError } from './errors.ts';
import { exitStatus } from './exit-status.ts';
import { addFlags } from './flags.ts';
import { hasColor, type Io } from './io.ts';
import { guardOutput } from './output-guard.ts';

/** Runs the program as if `argv` had been typed, and resolves with the exit status. Never rejects. */
export async function main(world: Io): Promise<number> {
  let status: number = exitStatus.conformant;
  const canary = createCanary();
  const secrets: Secret[] = [canary];
  const { io, clean, hasLeaked } = guardOutput(world, secrets);
  try {
    const named = io.argv.find((word) => !word.startsWith('-') && word !== 'help') ?? '';
    const program = await createProgram({ io, secrets, canary, clean }, named, (ended) => (status = ended));
    await program.parseAsync(io.argv, { from: 'user' });
    if (hasLeaked() && status !== exitStatus.nonconformant) return exitStatus.broken;
    return status;
  } catch (error) {
    // Commander has already written its message, or the requested help.
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitStatus.conformant;
      return exitStatus.usage;
    }
    const isUsage = error instanceof UsageError;
    const { sentence, text } = createRedactor(secrets);
    // Only errors that we throw on purpose have a readable message.
    const redacted = isUsage ? sentence : text;
    io.stderr.write(`error: ${visible(redacted(messageOf(error)))}\n`);
    const debug = io.env['AGENT_CONTRACT_DEBUG'] ?? '';
    if (debug !== '' && debug !== '0') io.stderr.write(`${redacted((error as Error).stack ?? messageOf(error))}\n`);
    else if (!isUsage) io.stderr.write('AGENT_CONTRACT_DEBUG=1 shows where this happened.\n');
    if (isUsage) return exitStatus.usage;
    return exitStatus.broken;
  }
}

/** Every command; the flags of the `named` one, or else of all. `onEnd` gets the exit status of one that was run. */
export async function createProgram(cli: Cli, named?: string, onEnd?: (status: number) => void): Promise<Command> {
  const { io } = cli;
  const program = new Command('agent-contract')
    .description('Contract, mock server and conformance runner for the Agent Builder Service')
    .version(version)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    // Commands inherit these, so they come before the first one.
    .exitOverride()
    .configureOutput({
      writeOut: io.stdout.write.bind(io.stdout),
      writeErr: io.stderr.write.bind(io.stderr),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => hasColor(io.stdout, io.env),
      getErrHasColors: () => hasColor(io.stderr, io.env),
    })
    .showHelpAfterError('(--help lists every command and flag)');
  for (const [name, { does, usage, operands = {}, footer = [] }] of Object.entries<CommandTexts>(commands)) {
    const command = program.command(name).description(does);
    if (named !== undefined && named !== name) continue;
    // Only what is needed is loaded.
    const { flags, run, endsItself } = (await import(`./commands/${name}.ts`)) as CommandModule;
    for (const operand of Object.entries(operands)) command.argument(...operand);
    if (usage !== undefined) command.usage(usage);
    command.addHelpText('after', footer.map((line) => `\n${line}`).join(''));
    addFlags(command, flags);
    command.action(async () => {
      if (!endsItself) io.signal?.addEventListener('abort', () => io.exit?.());
      onEnd?.((await run(cli, command)) ?? exitStatus.conformant);
    });
  }
  return program;
}
