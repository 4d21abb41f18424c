import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { definedIfAny } from '../../fixtures/universe/defined.ts';
import { orNothing } from '../../conformance/collections.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import type { Cli, Command } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { readFlags, secretsOf, variableName } from '../flags.ts';
import type { Steering } from '../../mock/index.ts';
import { STEERING } from '../../mock/steering/steering.ts';
import type { Io } from '../io.ts';
import { dashboardOf } from '../mock/banner.ts';
import { mockFlags } from '../mock/flags.ts';
import { startMock, targetToCheck, type RunningMock } from '../mock/start.ts';
import { runProgram } from '../run/run-program.ts';

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

export const flags = mockFlags;
export const endsItself = true;

export async function run({ io, secrets }: Cli, command: Command): Promise<number> {
  const settings = readFlags(mockFlags, command, io);
  const [program = '', ...args] = command.args;
  secrets.push(...secretsOf(mockFlags, settings));
  if (program === '') throw new UsageError('No command was given. An example: agent-contract run -- npm test');
  const { https, open, fault } = settings;
  let folder: string | undefined;
  const temporary = (name = ''): string => {
    folder ??= mkdtempSync(path.join(tmpdir(), 'agent-contract-'));
    return path.join(folder, name);
  };
  let { env } = io;
  let running: RunningMock | undefined;
  let status: number;
  let isKept = true;
  try {
    const { writeCertificate = https ? temporary('certificate.pem') : undefined } = settings;
    // Under "client" that command steers. Steered by nothing, the mock counts the requests of each test by itself, as there.
    const isOwn = !env[STEERING];
    running = await startMock(io, { ...settings, writeCertificate }, 0, { steering: isOwn ? {} : undefined });
    const { world } = running;
    // What mocks that the command makes itself begin with and obey.
    const { choices } = world;
    const imposed = definedIfAny<Steering>({ world: definedIfAny(world), choices, faults: orNothing(fault) });
    if (isOwn && imposed) {
      writeFileSync(temporary('run.json'), JSON.stringify(imposed));
      const { tellingEnvironment } = await import('../../consumer/runs/run-command.ts');
      const told = { command: command.args, cwd: io.cwd, folder: temporary() };
      env = tellingEnvironment({ ...env, [STEERING]: temporary('run.json') }, told);
    }
    const dashboard = dashboardOf(running.server.url);
    io.stderr.write(`mock on ${running.server.url}, dashboard on ${dashboard}\n`);
    if (open) await (await import('../mock/open-page.ts')).openPage(dashboard, io);
    status = await runProgram(program, args, { ...io, env: environment(running, env) });
  } finally {
    if (running) isKept = await running.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
  if (status === 0 && !isKept) return exitStatus.broken;
  return status;
}

/** The environment with the mock's data in place of another server's. */
export function environment(running: RunningMock, env: Io['env']): Io['env'] {
  const target: Partial<Record<(typeof mockVariables)[number], string>> = targetToCheck(running);
  const own = Object.fromEntries(mockVariables.map((key) => [variableName(key), target[key]]));
  return { ...env, ...own, NODE_EXTRA_CA_CERTS: env['NODE_EXTRA_CA_CERTS'] ?? target.ca };
}
