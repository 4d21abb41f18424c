import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UsageError } from '../../conformance/usage-error.ts';
import type { MetExchange, Steering } from '../../mock/index.ts';
import { STEERING } from '../../mock/steering/steering.ts';
import { parseJson } from '../../text/json.ts';
import { readResults } from './read-results.ts';
import { reportingCommand } from './recognise-runner.ts';
import type { RunOrder, RunTests, TestResult, TestRun } from './test-run.ts';

/** A mock that programs reach over HTTP, for one run. */
export interface ServedMock {
  /** What tells a program where it is. */
  readonly env: Readonly<Record<string, string | undefined>>;
  stop(): Promise<unknown>;
}

export interface CommandOptions {
  /** The command and its arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file to which the command writes its results, if its runner is not recognised. */
  readonly results?: string | undefined;
  readonly serve: (steering: Steering) => Promise<ServedMock>;
}

/** Characters of output that are kept. */
const MOST_OUTPUT = 8000;

/** Runs a command as the tests: against a served mock, and with an environment that every mock in it obeys. */
export function commandTests({ command, cwd, env, results, serve }: CommandOptions): RunTests {
  return async ({ steering, limit, isRecorded, signal }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-client-'));
    const inside = (name: string): string => path.join(folder, name);
    const met: MetExchange[] = [];
    const onExchange = isRecorded ? (one: MetExchange): void => void met.push(one) : undefined;
    const record = isRecorded ? inside('exchanges.jsonl') : undefined;
    writeFileSync(inside('run.json'), JSON.stringify({ ...steering, record }));
    const { words, env: more } = reportingCommand(command, cwd, inside('results'));
    const served = await serve({ ...steering, onExchange });
    try {
      if (results !== undefined) rmSync(path.resolve(cwd, results), { force: true });
      const began = Date.now();
      const all = { ...env, ...served.env, ...more, [STEERING]: inside('run.json') };
      const { status, wasStopped, output } = await ended(words, { cwd, env: all, limit, signal });
      const written = results === undefined ? inside('results') : path.resolve(cwd, results);
      const read = readResults(textOf(written), cwd) ?? readResults(output, cwd);
      const lines = textOf(inside('exchanges.jsonl')).split('\n');
      const others = lines.flatMap((line) => (parseJson(line) as unknown as MetExchange | undefined) ?? []);
      return {
        tests: testsOf(read, { name: command.join(' '), isPassed: status === 0 && !wasStopped }),
        wasStopped,
        durationMs: Date.now() - began,
        exchanges: [...met, ...others],
        output: output.slice(-MOST_OUTPUT),
      } satisfies TestRun;
    } finally {
      await served.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** Without the results of a runner, the program is the one test. Its status also tells of what no test shows. */
function testsOf(
  read: readonly TestResult[] | undefined,
  { name, isPassed }: { readonly name: string; readonly isPassed: boolean },
): readonly TestResult[] {
  if (!read) return [{ name, status: isPassed ? 'passed' : 'failed' }];
  if (isPassed || read.some(({ status }) => status === 'failed')) return read;
  return [...read, { name, status: 'failed' }];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

type Ending = Pick<TestRun, 'wasStopped' | 'output'> & { readonly status: number | null };

/** Starts a program in a group of its own, so that what it starts ends with it. */
function ended(
  [name = '', ...args]: readonly string[],
  { cwd, env, limit, signal }: Pick<CommandOptions, 'cwd' | 'env'> & Pick<RunOrder, 'limit' | 'signal'>,
): Promise<Ending> {
  const isWindows = process.platform === 'win32';
  // Windows starts `npm` and the like only through its shell.
  const child = spawn(name, args, { cwd, env, detached: !isWindows, shell: isWindows });
  let output = '';
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-1_000_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let wasStopped = false;
  const stop = (): void => {
    wasStopped = true;
    const { pid } = child;
    if (pid === undefined) return;
    if (isWindows) spawn('taskkill', ['/pid', String(pid), '/t', '/f']);
    else
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It has just ended.
      }
  };
  const timer = limit === undefined ? undefined : setTimeout(stop, limit);
  signal?.addEventListener('abort', stop, { once: true });
  return new Promise<Ending>((resolve, reject) => {
    child.once('error', (error) => {
      const why = 'code' in error && error.code === 'ENOENT' ? 'cannot be found' : 'cannot be started';
      reject(new UsageError(`The command ${JSON.stringify(name)} ${why}.`, { cause: error }));
    });
    child.once('close', (status) => resolve({ status, wasStopped, output }));
  }).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  });
}
