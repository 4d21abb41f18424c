import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { createColors } from 'picocolors';
import { shellWord } from '../conformance/curl.ts';
import { UsageError } from '../conformance/usage-error.ts';
import type { Mock, MockOptions, MockServer, Mode } from '../mock/index.ts';
import type { AddCommand } from './cli.ts';
import { exitStatus } from './exit-status.ts';
import { hasColor, type Io } from './io.ts';

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly seed: number;
  readonly now?: number;
  readonly freeze?: boolean;
  readonly profile: string;
  readonly choice: readonly string[];
  readonly fault: readonly string[];
  readonly token: readonly string[];
  readonly writeTarget?: string;
  readonly json?: boolean;
}

const modes: readonly Mode[] = ['write', 'read', 'guest'];

export const addMock: AddCommand = (program, { io, action }) => {
  const option = (flags: string, description: string, name: string): Option =>
    new Option(flags, description).env(`AGENT_CONTRACT_${name}`);
  program
    .command('mock')
    .description('start a mock of the service')
    .addOption(
      option('--port <number>', 'port to listen on; 0 takes any free one', 'PORT')
        .argParser(wholeNumber(65_535))
        .default(4010),
    )
    .addOption(option('--host <address>', 'address to listen on', 'HOST').default('127.0.0.1'))
    .addOption(
      option('--seed <number>', 'the same seed gives the same data', 'SEED')
        .argParser(wholeNumber(Number.MAX_SAFE_INTEGER))
        .default(1),
    )
    .addOption(option('--now <time>', 'instant at which the clock starts, as RFC 3339', 'NOW').argParser(instant))
    .addOption(option('--freeze', 'keep the clock at that instant', 'FREEZE'))
    .addOption(
      option('--profile <name|file>', 'how to answer what the specification leaves open', 'PROFILE').default('default'),
    )
    .addOption(
      option('--choice <gap=choice>', 'another answer to one gap (repeatable)', 'CHOICE')
        .argParser(collect)
        .default([]),
    )
    .addOption(option('--fault <id>', 'a violation to commit (repeatable)', 'FAULT').argParser(collect).default([]))
    .addOption(
      option('--token <[mode=]token>', 'a token to accept, in place of the usual ones (repeatable)', 'TOKEN')
        .argParser(collect)
        .default([]),
    )
    .addOption(option('--write-target <file>', 'write what "check" needs as a target file', 'WRITE_TARGET'))
    .addOption(option('--json', 'print one line of JSON when ready', 'JSON'))
    .action(
      action(async (flags: Flags) => {
        const { createMock, MockError } = await import('../mock/index.ts');
        let mock: Mock;
        try {
          mock = createMock(await optionsOf(flags, io));
        } catch (error) {
          throw error instanceof MockError ? new UsageError(error.message) : error;
        }
        const server = await listen(mock, flags);
        try {
          if (flags.writeTarget !== undefined) await writeTarget(resolve(io.cwd, flags.writeTarget), mock, server);
          io.stdout.write(flags.json === true ? `${readyLine(mock, server)}\n` : banner(mock, server, flags, io));
          await interrupted(io.signal);
        } finally {
          await server.close();
        }
        return exitStatus.conformant;
      }),
    );
};

async function optionsOf(flags: Flags, io: Io): Promise<MockOptions> {
  return {
    seed: flags.seed,
    ...(flags.now === undefined ? {} : { now: flags.now }),
    frozen: flags.freeze === true,
    profile: (await profileOf(flags.profile, io)) as NonNullable<MockOptions['profile']>,
    choices: Object.fromEntries(flags.choice.map((text) => pair(text, '--choice', 'gap=choice'))),
    faults: flags.fault,
    ...(flags.token.length === 0 ? {} : { tokens: Object.fromEntries(flags.token.map(tokenAndMode)) }),
  };
}

/** The name of a built-in profile, or what a file of JSON holds. The mock judges either. */
async function profileOf(nameOrFile: string, io: Io): Promise<unknown> {
  if (!/[./\\]/.test(nameOrFile)) return nameOrFile;
  const file = resolve(io.cwd, nameOrFile);
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--profile: ${file} cannot be read (${codeOf(error)}).`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--profile: ${file} is not JSON.`);
  }
}

async function listen(mock: Mock, { port, host }: Flags): Promise<MockServer> {
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
  const text = `${JSON.stringify({ baseUrl: server.url, ...mock.target }, null, 2)}\n`;
  await writeFile(file, text, { mode: 0o600 }).catch((error: unknown) => {
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

function banner(mock: Mock, server: MockServer, flags: Flags, io: Io): string {
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
    ...Object.entries(target).map(([key, value]) => `--${kebab(key)} ${shellWord(String(value))}`),
  ];
  return [
    `${bold('Agent Builder Service, a mock')} on ${cyan(server.url)}`,
    dim(
      `seed ${mock.seed}, clock at ${new Date(mock.now()).toISOString()}${flags.freeze === true ? ' and frozen' : ''}, profile ${flags.profile}`,
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

const kebab = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const interrupted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done) => {
    if (signal?.aborted === true) done();
    signal?.addEventListener('abort', () => done(), { once: true });
  });

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const wholeNumber =
  (most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > most)
      throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`);
    return value;
  };

function instant(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It must be an instant such as 2026-05-20T15:30:00Z.');
  return ms;
}

function pair(text: string, flag: string, form: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${flag} takes ${form}; ${JSON.stringify(text)} has no "=".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function tokenAndMode(text: string): readonly [string, Mode] {
  const mode = modes.find((known) => text.startsWith(`${known}=`));
  const token = mode === undefined ? text : text.slice(mode.length + 1);
  if (!/^\S+$/.test(token))
    throw new UsageError('--token takes a token without spaces, or one after "write=", "read=" or "guest=".');
  return [token, mode ?? 'write'];
}
