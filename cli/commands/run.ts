import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UsageError } from '../../conformance/usage-error.ts';
import type { AddCommand, Cli } from '../command-context.ts';
import { exitStatus } from '../exit-status.ts';
import { addFlags, readFlags, variableName } from '../flags.ts';
import type { Io } from '../io.ts';
import { mockFlags, mockSecrets, type MockSettings } from '../mock/flags.ts';
import type { RunningMock } from '../mock/start.ts';

/** What a command learns about the mock, as keys of its environment variables. */
export const mockVariables = [
  'baseUrl',
  'token',
  'readToken',
  'guestToken',
  'workspaceId',
  'agentId',
  'publishedAgentId',
  'v5AgentId',
  'ca',
] as const;

const FOOTER = `
The command finds the mock in its environment, through the variables that "check" reads too:
${mockVariables.map((key) => `  ${variableName(key)}`).join('\n')}
A variable that does not apply (an id that the persona does not have) is not set.

Exit status: that of the command; 128 plus the number of the signal that ended it; 127 if it cannot be found, 126 if it
cannot be started; 2 if a flag or a file is wrong.`;

export const addRun: AddCommand = (program, cli) => {
  const command = program
    .command('run')
    .description('start a mock, run a command against it, and stop it')
    .usage('[flags] -- <command> [arguments]')
    .argument('<command...>', 'command to run, without a shell')
    .addHelpText('after', FOOTER);
  addFlags(command, mockFlags);
  command.action(cli.action((words: string[]) => run(cli, readFlags(mockFlags, command, cli.io, undefined), words)));
};

async function run(
  { io, secrets }: Cli,
  settings: MockSettings,
  [command = '', ...args]: readonly string[],
): Promise<number> {
  secrets.push(...mockSecrets(settings));
  if (command === '') throw new UsageError('No command was given. An example: agent-contract run -- npm test');
  const page = settings.open ? await import('../mock/open-page.ts') : undefined;
  page?.checkOpenable(settings.host ?? '127.0.0.1');
  const [{ startMock }, { dashboardOf }, { runCommand }] = await Promise.all([
    import('../mock/start.ts'),
    import('../mock/banner.ts'),
    import('../run/run-command.ts'),
  ]);
  const isMade = settings.https && settings.tlsCert === undefined;
  // A temporary place for the certificate, unless the user named one.
  const folder =
    isMade && settings.writeCertificate === undefined ? mkdtempSync(path.join(tmpdir(), 'agent-contract-')) : undefined;
  const writeCertificate = folder === undefined ? settings.writeCertificate : path.join(folder, 'certificate.pem');
  let running: RunningMock | undefined;
  let status: number;
  let isKept = true;
  try {
    running = await startMock(io, { ...settings, writeCertificate }, 0);
    const { url } = running.server;
    io.stderr.write(`mock on ${url}, dashboard on ${dashboardOf(url)}\n`);
    await page?.openPage(dashboardOf(url), io);
    status = await runCommand(command, args, { ...io, env: await environment(running, io.env) });
  } finally {
    if (running) isKept = await running.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
  if (status === 0 && !isKept) return exitStatus.broken;
  return status;
}

/** The environment with the mock's data in place of another server's. */
export async function environment(running: RunningMock, env: Io['env']): Promise<Io['env']> {
  const { targetToCheck } = await import('../mock/start.ts');
  const target: Partial<Record<(typeof mockVariables)[number], string>> = targetToCheck(running);
  const own = Object.fromEntries(mockVariables.map((key) => [variableName(key), target[key]]));
  return { ...env, ...own, NODE_EXTRA_CA_CERTS: env['NODE_EXTRA_CA_CERTS'] ?? target.ca };
}
