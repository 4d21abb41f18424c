import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import path from 'node:path';
import type { Load, Measured } from './load/load.ts';

/** Separate cores for servers and loads, so that neither takes time from the other. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;
const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0;
export const pinning = canPin
  ? `servers on core ${SERVER_CORE}, load on core ${LOAD_CORE} (taskset)`
  : 'processes are not pinned to cores';

export const file = (...parts: string[]): string => path.join(__dirname, ...parts);
export const CLI = file('..', 'cli', 'bin.js');

export interface Started {
  readonly child: ChildProcess;
  /** The first output line of the server, if it is JSON. */
  readonly ready: Readonly<Record<string, unknown>>;
  readonly url: string;
  stop(): Promise<void>;
}

/** The command line of our script, or of another program, on one core. */
function pinned(command: readonly string[], core: number | undefined): [string, string[]] {
  const [program = '', ...rest] = canPin && core !== undefined ? ['taskset', '-c', String(core), ...command] : command;
  return [program, rest];
}

/** Running servers. None of them outlives this process. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

interface StartOptions {
  readonly core?: number;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a process without reading its output. */
export function start(command: readonly string[], { core = SERVER_CORE, cwd, env }: StartOptions = {}): ChildProcess {
  const [program, rest] = pinned(command, core);
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'], cwd, env: { ...process.env, ...env } });
  return untilItEnds(child);
}

/** Ends a child together with this process. @returns the child */
export function untilItEnds(child: ChildProcess): ChildProcess {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

const readJson = (line: string): Readonly<Record<string, unknown>> => JSON.parse(line) as Record<string, unknown>;

/**
 * Starts a server that prints a line with its `url` when it is ready; `read` parses that line, by default as JSON.
 * @throws Error with its output, if it does not start
 */
export async function startServer(
  command: readonly string[],
  { read = readJson, ...options }: StartOptions & { readonly read?: typeof readJson } = {},
): Promise<Started> {
  const child = start(command, options);
  let complaints = '';
  child.stderr?.on('data', (data: Buffer) => (complaints += data.toString()));
  const ready = await new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    const lines = child.stdout && createInterface({ input: child.stdout });
    lines?.once('line', (line) => {
      try {
        resolve(read(line));
      } catch {
        reject(new Error(`${command.join(' ')} wrote ${line}`));
      }
    });
    child.once('exit', (code) => reject(new Error(`${command.join(' ')} ended with ${code}: ${complaints}`)));
    child.once('error', reject);
  });
  return { child, ready, url: String(ready['url']), stop: () => stop(child) };
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Waits until something answers at a URL. @throws Error after half a minute */
export async function untilAnswered(url: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    try {
      await (await fetch(url, { headers })).arrayBuffer();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error(`Nothing answers at ${url}.`);
}

/** Runs our script to its end. @returns its output, parsed as JSON */
export async function runScript<T>(
  script: readonly string[],
  { core, env, flags = [] }: StartOptions & { readonly flags?: readonly string[] } = {},
): Promise<T> {
  const [program, rest] = pinned([process.execPath, ...flags, ...script], core);
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  let text = '';
  child.stdout.on('data', (data: Buffer) => (text += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${script.join(' ')} ended with ${code}.`);
  return JSON.parse(text) as T;
}

/** Generates a load from a separate process. */
export const load = (asked: Load): Promise<Measured> =>
  runScript<Measured>([file('load', 'load-worker.js'), JSON.stringify(asked)], { core: LOAD_CORE });

/** Milliseconds of processor time of a process, user and system together; NaN if unknown. */
export function processorTime({ pid = 0 }: ChildProcess): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name is in brackets and may contain spaces. A tick is 10 ms on every Linux that Node.js runs on.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

/** Resident bytes of a process; NaN if unknown. */
export function residentSize({ pid = 0 }: ChildProcess): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}
