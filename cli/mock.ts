import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createColors } from 'picocolors';
import { shellWord } from '../conformance/curl.ts';
import { UsageError } from '../conformance/usage-error.ts';
import type { Mock, MockOptions, MockServer, Mode } from '../mock/index.ts';
import type { AddCommand, Cli } from './cli.ts';
import { codeOf } from './errors.ts';
import { exitStatus } from './exit-status.ts';
import { addFlags, BadValue, flagName, readFlags, type ValuesOf } from './flags.ts';
import { hasColor, type Io } from './io.ts';

const modes: readonly Mode[] = ['write', 'read', 'guest'];

const number = (most: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > most) throw new BadValue(`this is a whole number from 0 to ${most}.`);
  return value;
};
const text = (value: string): string => value;

/** The flags of `mock`. Each is an environment variable as well. */
const mockFlags = {
  port: {
    kind: 'value',
    placeholder: '<number>',
    description: 'port to listen on; 0 takes any free one (default: 4010)',
    read: number(65_535),
  },
  host: {
    kind: 'value',
    placeholder: '<address>',
    description: 'address to listen on (default: 127.0.0.1)',
    read: text,
  },
  seed: {
    kind: 'value',
    placeholder: '<number>',
    description: 'the same seed gives the same data (default: 1)',
    read: number(Number.MAX_SAFE_INTEGER),
  },
  now: {
    kind: 'value',
    placeholder: '<time>',
    description: 'instant at which the clock starts, as RFC 3339 (default: the present)',
    read: instant,
  },
  freeze: { kind: 'switch', description: 'keep the clock at that instant' },
  profile: {
    kind: 'value',
    placeholder: '<name|file>',
    description: 'how to answer what the specification leaves open (default: default)',
    read: text,
  },
  choice: {
    kind: 'list',
    separator: /[\s,]+/,
    placeholder: '<gap=choice>',
    description: 'another answer to one gap (repeatable)',
    read: gapAndChoice,
  },
  fault: {
    kind: 'list',
    separator: /[\s,]+/,
    placeholder: '<id>',
    description: 'a violation to commit (repeatable)',
    read: text,
  },
  token: {
    kind: 'list',
    separator: /\s+/,
    placeholder: '<[mode=]token>',
    description: 'a token to accept in place of the usual ones; mode is write, read or guest (repeatable)',
    read: tokenAndMode,
  },
  writeTarget: {
    kind: 'value',
    placeholder: '<file>',
    description: 'write what "check" needs as a target file',
    read: (value: string, { folder }: { readonly folder: string }) => path.resolve(folder, value),
  },
  json: { kind: 'switch', description: 'print one line of JSON when ready' },
} as const;

type Settings = ValuesOf<typeof mockFlags>;

export const addMock: AddCommand = (program, cli) => {
  const command = program.command('mock').description('start a mock of the service');
  addFlags(command, mockFlags);
  command.action(cli.action(() => serve(cli, readFlags(mockFlags, command, cli.io, undefined))));
};

async function serve({ io }: Cli, settings: Settings): Promise<number> {
  const { createMock, MockError } = await import('../mock/index.ts');
  let mock: Mock;
  try {
    mock = createMock(await optionsOf(settings, io));
  } catch (error) {
    throw error instanceof MockError ? new UsageError(error.message) : error;
  }
  const server = await listen(mock, settings);
  try {
    if (settings.writeTarget !== undefined) await writeTarget(settings.writeTarget, mock, server);
    io.stdout.write(settings.json ? `${readyLine(mock, server)}\n` : banner(mock, server, settings, io));
    await interrupted(io.signal);
  } finally {
    await server.close();
  }
  return exitStatus.conformant;
}

async function optionsOf(settings: Settings, io: Io): Promise<MockOptions> {
  const { seed, now, freeze, profile, choice, fault, token } = settings;
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(now === undefined ? {} : { now }),
    ...(profile === undefined
      ? {}
      : { profile: (await profileOf(profile, io)) as NonNullable<MockOptions['profile']> }),
    ...(token.length === 0 ? {} : { tokens: Object.fromEntries(token) }),
    frozen: freeze,
    choices: Object.fromEntries(choice),
    faults: fault,
  };
}

/** The name of a built-in profile, or what a file of JSON holds. The mock judges either. */
async function profileOf(nameOrFile: string, io: Io): Promise<unknown> {
  if (!/[./\\]/.test(nameOrFile)) return nameOrFile;
  const file = path.resolve(io.cwd, nameOrFile);
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--profile: ${file} cannot be read (${codeOf(error)}).`);
  });
  try {
    return JSON.parse(content);
  } catch {
    throw new UsageError(`--profile: ${file} is not JSON.`);
  }
}

async function listen(mock: Mock, { port = 4010, host = '127.0.0.1' }: Settings): Promise<MockServer> {
  try {
    return await mock.listen({ port, host });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE')
      throw new UsageError(
        `Port ${port} on ${host} is in use. Stop what uses it, or take another: --port 0 takes any free one.`,
      );
    if (code === 'EACCES') throw new UsageError(`Port ${port} may not be used by you. Take one above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError(`--host: ${JSON.stringify(host)} is no address of this machine. 127.0.0.1 is.`);
    throw error;
  }
}

async function writeTarget(file: string, mock: Mock, server: MockServer): Promise<void> {
  const content = `${JSON.stringify({ baseUrl: server.url, ...mock.target }, null, 2)}\n`;
  await writeFile(file, content, { mode: 0o600 }).catch((error: unknown) => {
    throw new UsageError(`--write-target: ${file} cannot be written (${codeOf(error)}).`);
  });
}

const readyLine = (mock: Mock, server: MockServer): string =>
  JSON.stringify({
    url: server.url,
    port: server.port,
    pid: process.pid,
    seed: mock.seed,
    now: new Date(mock.now()).toISOString(),
    target: mock.target,
    tokens: Object.fromEntries(mock.tokens),
  });

function banner(mock: Mock, server: MockServer, { freeze, profile = 'default' }: Settings, io: Io): string {
  const { bold, dim, cyan } = createColors(hasColor(io.stdout, io.env));
  const { target, store } = mock;
  const row = (name: string, value: string, remark = ''): string =>
    `  ${name.padEnd(11)}${value}${remark && dim(`  ${remark}`)}`;
  const agent = (id: string): string => {
    const name = store.agent(id)?.agent['name'];
    return `${JSON.stringify(name)}, ${store.results(id).count} results`;
  };
  const check = [
    'npx agent-contract check',
    shellWord(server.url),
    ...Object.entries(target).map(([key, value]) => `${flagName(key)} ${shellWord(String(value))}`),
  ];
  return [
    `${bold('Agent Builder Service, a mock')} on ${cyan(server.url)}`,
    dim(
      `seed ${mock.seed}, clock at ${new Date(mock.now()).toISOString()}${freeze ? ' and frozen' : ''}, profile ${profile}`,
    ),
    ...(mock.faults.length === 0 ? [] : [`faults: ${mock.faults.join(', ')}`]),
    '',
    bold('Tokens'),
    ...[...mock.tokens].map(([token, mode]) => row(mode, token)),
    bold('Ids'),
    row('workspace', target.workspaceId),
    row('agent', target.agentId, agent(target.agentId)),
    row('published', target.publishedAgentId),
    row('version 5', target.v5AgentId, agent(target.v5AgentId)),
    bold('Try'),
    `  curl -H 'Authorization: Bearer ${target.token}' ${shellWord(`${server.url}/api/v1/agents/${target.agentId}`)}`,
    bold('Judge it, from another terminal'),
    `  ${check.join(' ')}`,
    '',
    dim('Ctrl+C stops it.'),
    '',
  ].join('\n');
}

const interrupted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done) => {
    if (signal?.aborted === true) done();
    signal?.addEventListener('abort', () => done(), { once: true });
  });

function instant(value: string): number {
  const ms = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw new BadValue('this is an instant such as 2026-05-20T15:30:00Z.');
  return ms;
}

function gapAndChoice(value: string): readonly [gap: string, choice: string] {
  const [gap = '', choice, ...more] = value.split('=');
  if (choice === undefined || more.length > 0) throw new BadValue('this has the form gap=choice.');
  return [gap, choice];
}

function tokenAndMode(value: string): readonly [token: string, mode: Mode] {
  const mode = modes.find((known) => value.startsWith(`${known}=`));
  return [mode === undefined ? value : value.slice(mode.length + 1), mode ?? 'write'];
}
