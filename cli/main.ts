import { Command, CommanderError } from 'commander';
import { createCanary } from '../conformance/http/canary.ts';
import { createRedactor, type Secret } from '../conformance/report/redact.ts';
import { UsageError } from '../conformance/usage-error.ts';
import { version } from '../package.json';
import { visible } from '../text/visible.ts';
import type { Cli, CommandDefinition } from './command.ts';
import { messageOf, stackOf } from './errors.ts';
import { exitStatus } from './exit-status.ts';
import { addFlags } from './flags.ts';
import { hasColor, type Io } from './io.ts';
import { guardOutput } from './output-guard.ts';

/** What each command does, in the order of the help, and its module, which is loaded when it is needed. */
const commands: Readonly<Record<string, readonly [does: string, load: () => Promise<CommandDefinition>]>> = {
  init: [
    'show the few lines that the tools of a project need (Vite, Vitest, Jest, Playwright, Mock Service Worker), and write them',
    async () => (await import('./commands/init.ts')).initCommand,
  ],
  mock: ['start a mock of the service', async () => (await import('./commands/mock.ts')).mockCommand],
  run: [
    'start a mock, run a command against it, and stop it',
    async () => (await import('./commands/run.ts')).runCommand,
  ],
  client: [
    'judge a client by its own tests: what it sends, leans on, would notice and needs',
    async () => (await import('./commands/client.ts')).clientCommand,
  ],
  'can-i-deploy': [
    'say whether servers give clients what they need',
    async () => (await import('./commands/can-i-deploy.ts')).deployCommand,
  ],
  check: ['judge a server over HTTP', async () => (await import('./commands/check.ts')).checkCommand],
  verify: [
    'verify what a vendor submitted: digests, the contract, and the verdict, judged again',
    async () => (await import('./commands/verify.ts')).verifyCommand,
  ],
  board: [
    'put many reports into one static page: versions across, requirements down, levels, choices, trends',
    async () => (await import('./commands/board.ts')).boardCommand,
  ],
  judge: ['judge recorded traffic that others made', async () => (await import('./commands/judge.ts')).judgeCommand],
  proxy: [
    'forward everything to a server, and judge what passes',
    async () => (await import('./commands/proxy.ts')).proxyCommand,
  ],
  seed: ['make data for a mock from recorded traffic', async () => (await import('./commands/seed.ts')).seedCommand],
  doctor: [
    'say before a run what check can judge with your settings, and what the rest needs',
    async () => (await import('./commands/doctor.ts')).doctorCommand,
  ],
  replay: [
    'repeat a failure from a JSON report, and say whether it is fixed, still failing or gone',
    async () => (await import('./commands/replay.ts')).replayCommand,
  ],
  diff: [
    'compare two JSON reports: newly failing, fixed, newly not judged, changed observations',
    async () => (await import('./commands/diff.ts')).diffCommand,
  ],
  drift: [
    'check a server again, and show what changed since a JSON report',
    async () => (await import('./commands/drift.ts')).driftCommand,
  ],
  list: [
    'list everything that has an id: checks, requirements, violations (faults), triggers, connection-faults, gaps (choices), profiles, personas, endpoints',
    async () => (await import('./commands/list.ts')).listCommand,
  ],
  explain: [
    'say what an id means, where it comes from, what verifies it, and what it is proven to catch',
    async () => (await import('./commands/list.ts')).explainCommand,
  ],
  mcp: [
    'serve mock, contract and judge to coding agents, over the Model Context Protocol on stdio',
    async () => (await import('./commands/mcp.ts')).mcpCommand,
  ],
  openapi: [
    'print the OpenAPI 3.1 document of the service as JSON; it describes the answers of the mock unless a flag says otherwise',
    async () => (await import('./commands/openapi.ts')).openapiCommand,
  ],
  docs: [
    'show a page of the guides, the recipes or the reference, or list them all',
    async () => (await import('./commands/docs.ts')).docsCommand,
  ],
  prove: [
    'prove that each check fails on its faults, and on nothing that is permitted',
    async () => (await import('./commands/prove.ts')).proveCommand,
  ],
};

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
    if (debug !== '' && debug !== '0') io.stderr.write(`${redacted(stackOf(error))}\n`);
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
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => hasColor(io.stdout, io.env),
      getErrHasColors: () => hasColor(io.stderr, io.env),
    })
    .showHelpAfterError('(--help lists every command and flag)');
  for (const [name, [does, load]] of Object.entries(commands)) {
    const command = program.command(name).description(does);
    if (named !== undefined && named !== name) continue;
    const { operands = [], usage, flags, footer = '', run } = await load();
    for (const operand of operands) command.argument(...operand);
    if (usage !== undefined) command.usage(usage);
    command.addHelpText('after', footer);
    addFlags(command, flags);
    command.action(async () => onEnd?.(await run(cli, command)));
  }
  return program;
}
