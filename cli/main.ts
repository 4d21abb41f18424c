import { Command, CommanderError } from 'commander';
import { createCanary } from '../conformance/http/canary.ts';
import { createRedactor, visible, type Secret } from '../conformance/report/redact.ts';
import { UsageError } from '../conformance/usage-error.ts';
import { version } from '../package.json';
import { addBoard } from './commands/board.ts';
import { addCanIDeploy } from './commands/can-i-deploy.ts';
import { addCheck } from './commands/check.ts';
import { addClient } from './commands/client.ts';
import type { AddCommand, Cli } from './command-context.ts';
import { addDiff } from './commands/diff.ts';
import { addDocs } from './commands/docs.ts';
import { addDrift } from './commands/drift.ts';
import { addDoctor } from './commands/doctor.ts';
import { messageOf, stackOf } from './errors.ts';
import { exitStatus } from './exit-status.ts';
import { addExplain } from './commands/explain.ts';
import { hasColor, type Io } from './io.ts';
import { addList } from './commands/list.ts';
import { addJudge } from './commands/judge.ts';
import { addMcp } from './commands/mcp.ts';
import { addMock } from './commands/mock.ts';
import { addOpenapi } from './commands/openapi.ts';
import { addInit } from './commands/init.ts';
import { guardOutput } from './output-guard.ts';
import { addProxy } from './commands/proxy.ts';
import { addProve } from './commands/prove.ts';
import { addReplay } from './commands/replay.ts';
import { addRun } from './commands/run.ts';
import { addVerify } from './commands/verify.ts';
import { addSeed } from './commands/seed.ts';

/** In the order of the help. */
const commands: readonly AddCommand[] = [
  addInit,
  addMock,
  addRun,
  addClient,
  addCanIDeploy,
  addCheck,
  addVerify,
  addBoard,
  addJudge,
  addProxy,
  addSeed,
  addDoctor,
  addReplay,
  addDiff,
  addDrift,
  addList,
  addExplain,
  addMcp,
  addOpenapi,
  addDocs,
  addProve,
];

/** Runs the program as if `argv` had been typed, and resolves with the exit status. Never rejects. */
export async function main(world: Io): Promise<number> {
  let status: number = exitStatus.conformant;
  const canary = createCanary();
  const secrets: Secret[] = [canary];
  const { io, clean, hasLeaked } = guardOutput(world, secrets);
  const cli: Cli = {
    io,
    secrets,
    canary,
    clean,
    action:
      (work) =>
      async (...args) => {
        status = await work(...args);
      },
  };
  try {
    await createProgram(cli).parseAsync(io.argv, { from: 'user' });
    if (hasLeaked() && status !== exitStatus.nonconformant) return exitStatus.broken;
    return status;
  } catch (error) {
    // Commander has already written its message, or the requested help.
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitStatus.conformant;
      return exitStatus.usage;
    }
    const isUsage = error instanceof UsageError;
    const { sentence, text } = createRedactor(cli.secrets);
    // Only errors that we throw on purpose have a readable message.
    const redacted = isUsage ? sentence : text;
    io.stderr.write(`error: ${visible(redacted(messageOf(error)))}\n`);
    const debug = io.env['AGENT_CONTRACT_DEBUG'] ?? '';
    if (debug !== '' && debug !== '0') io.stderr.write(`${redacted(stackOf(error))}\n`);
    else if (!isUsage) io.stderr.write('AGENT_CONTRACT_DEBUG=1 shows where this happened.\n');
    if (isUsage) return exitStatus.usage;
    return exitStatus.broken;
  }
}

/** Every command with its flags; actions run only when they are parsed. */
export function createProgram(cli: Cli): Command {
  const { io } = cli;
  const program = new Command('agent-contract')
    .description('Contract, mock server and conformance runner for the Agent Builder Service')
    .version(version)
    // Commands inherit these, so they come before the first one.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => hasColor(io.stdout, io.env),
      getErrHasColors: () => hasColor(io.stderr, io.env),
    })
    .showHelpAfterError('(--help lists every command and flag)');
  for (const add of commands) add(program, cli);
  return program;
}
