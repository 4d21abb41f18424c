import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UsageError } from '../../conformance/usage-error.ts';
import type { BeginningOptions, MetExchange, Steering } from '../../mock/index.ts';
import { STEERING } from '../../mock/steering/steering.ts';
import { TELLING } from '../../mock/steering/telling.ts';
import { attempt } from '../../text/errors.ts';
import { parseJson } from '../../text/json.ts';
import { readResults } from './read-results.ts';
import { reportingCommand, type RunnerName } from './recognise-runner.ts';
import type { RunOrder, RunTests, TestResult, TestRun } from './test-run.ts';

/** A mock that programs reach over HTTP, for one run. */
export interface MockOfRun {
  /** What tells a program where it is. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** With what mocks begin that the tests make themselves, where their options say nothing. */
  readonly world?: BeginningOptions;
  stop(): Promise<unknown>;
}

export interface CommandOptions {
  /** The command and its arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file to which the command writes its results, if its runner is not recognised. */
  readonly results?: string | undefined;
  readonly serve: (steering: Steering) => Promise<MockOfRun>;
}

/** Runs a command as the tests: against a served mock, and with an environment that every mock in it obeys. */
export function commandTests({ command, cwd, env, results, serve }: CommandOptions): RunTests {
  return async ({ steering, wanted, turns, workers, limit, limitOfTest, isRecorded, signal }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'agent-contract-client-'));
    const inside = (name: string): string => path.join(folder, name);
    const record = isRecorded ? inside('exchanges.jsonl') : undefined;
    const written = results === undefined ? inside('results') : path.resolve(cwd, results);
    rmSync(written, { force: true });
    const { files = [], tests = [], isNarrow = false } = wanted ?? {};
    const only = files.length <= MOST_FILES ? [...new Set(files)] : [];
    // The shell of Windows reads a pattern otherwise.
    const names = isNarrow && tests.length <= MOST_FILES && process.platform !== 'win32' ? tests : [];
    const telling = { cwd, file: inside('results'), only, tests: names, turns, workers, limitOfTest };
    const reporting = reportingCommand(command, telling);
    const served = await serve({ ...steering, record });
    try {
      writeFileSync(inside('run.json'), JSON.stringify({ ...steering, world: served.world, record }));
      const began = Date.now();
      const own = { ...served.env, [STEERING]: inside('run.json') };
      const all = joined([env, own, reporting.env, tellingTests(reporting.runner, folder)]);
      const { status, wasStopped, output } = await ended(reporting.words, { cwd, env: all, limit, signal });
      const read = readResults(textOf(written), cwd) ?? readResults(output, cwd);
      const lines = textOf(inside('exchanges.jsonl')).split('\n');
      return {
        tests: testsOf(read, { name: command.join(' '), isPassed: status === 0 && !wasStopped }),
        wasStopped,
        isNarrow: reporting.isNarrow,
        takesTurns: reporting.runner === 'playwright',
        durationMs: Date.now() - began,
        exchanges: lines.flatMap((line) => (parseJson(line) as unknown as MetExchange | undefined) ?? []),
        output: output.slice(-8000),
      } satisfies TestRun;
    } finally {
      await served.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** More files, or tests, than this are not named in a command. */
const MOST_FILES = 50;

/** Environment with which the runner tells the mock which test sends a request. */
function tellingTests(runner: RunnerName | undefined, folder: string): CommandOptions['env'] {
  if (runner === 'pytest' || runner === 'unittest') {
    copyFileSync(path.join(__dirname, 'sitecustomize.py'), path.join(folder, 'sitecustomize.py'));
    const own = runner === 'unittest' && { AGENT_CONTRACT_UNITTEST: path.join(folder, 'results') };
    return { PYTHONPATH: folder, AGENT_CONTRACT_CLIENT_HEADER: TELLING, ...own };
  }
  const preloaded = path.join(__dirname, 'tell-test.js');
  // From its sources this program cannot be loaded by other processes.
  if (['node --test', 'vitest', 'jest'].includes(runner ?? '') && existsSync(preloaded))
    return { NODE_OPTIONS: `--require ${JSON.stringify(preloaded)}` };
  return {};
}

/** The environment for a command of tests in which they tell the mock which of them sends a request. */
export function tellingEnvironment(
  env: CommandOptions['env'],
  { command, cwd, folder }: Pick<CommandOptions, 'command' | 'cwd'> & { readonly folder: string },
): CommandOptions['env'] {
  const { runner } = reportingCommand(command, { cwd, file: '', only: [] });
  return joined([env, tellingTests(runner, folder)]);
}

/** Variables that hold lists, with what stands between their items. */
const lists: Readonly<Record<string, string>> = { NODE_OPTIONS: ' ', GOFLAGS: ' ', PYTHONPATH: path.delimiter };

function joined(all: readonly CommandOptions['env'][]): CommandOptions['env'] {
  const made = Object.assign({}, ...all) as Record<string, string | undefined>;
  for (const [name, between] of Object.entries(lists)) {
    const given = all.flatMap((one) => one[name] ?? []).filter((text) => text !== '');
    if (given.length > 0) made[name] = given.join(between);
  }
  return made;
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

const textOf = (file: string): string => attempt(() => readFileSync(file, 'utf8')) ?? '';

/** Milliseconds that a program has to end after it was asked to. */
const PATIENCE = 3000;

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
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-1_000_000)));
  let wasStopped = false;
  let killing: NodeJS.Timeout | undefined;
  const send = (how: NodeJS.Signals): void => {
    const { pid } = child;
    if (pid === undefined) return;
    if (isWindows) spawn('taskkill', ['/pid', String(pid), '/t', '/f']);
    // It may have just ended.
    else attempt(() => process.kill(-pid, how));
  };
  // Playwright starts its dev server in another group, and stops it if it is asked to end.
  const stop = (): void => {
    wasStopped = true;
    send('SIGINT');
    killing = setTimeout(send, PATIENCE, 'SIGKILL');
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
    clearTimeout(killing);
    signal?.removeEventListener('abort', stop);
  });
}
