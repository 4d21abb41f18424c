import { stripVTControlCharacters } from 'node:util';
import type { MetExchange, Steering } from '../mock/index.ts';
import type { RunTests, TestRun } from './tests/test-run.ts';
import { UsageError } from '../conformance/usage-error.ts';

/** What a steered run of the tests shows. */
export interface Trial {
  /** The tests that passed without the steering and do not pass with it. */
  readonly failed: readonly string[];
  /** Whether the time limit stopped it: the tests, or the client, do not come to an end. */
  readonly hangs: boolean;
}

/** What earlier runs found, by their steering; plain JSON. */
export type KnownTrials = Readonly<Record<string, Trial>>;

/** The tests without any steering, and with what others. */
export interface Trials {
  readonly first: TestRun;
  /** Names of the tests that can tell something. */
  readonly steady: readonly string[];
  /** Tests that passed once and failed once without any steering. */
  readonly flaky: readonly string[];
  /** Tests that fail without any steering. */
  readonly failing: readonly string[];
  /** Runs the tests; the same steering only once. `undefined` if there is no time left. */
  readonly run: (steering: Steering) => Promise<Trial | undefined>;
  /** What the tests send under a steering; nothing if there is no time left. */
  readonly recorded: (steering: Steering) => Promise<readonly MetExchange[]>;
  readonly runs: number;
}

export interface TrialOptions {
  /** Milliseconds for all runs together. Default: no limit. */
  readonly timeMs?: number | undefined;
  /** Least milliseconds after which a run counts as one that never ends. Default: 5000. */
  readonly leastMs?: number | undefined;
  /** What an earlier call found, if it was stopped. */
  readonly known?: KnownTrials | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each run, with what it is for. */
  readonly onRun?: ((count: number, says: string) => void) | undefined;
  /** Called after each run, with all that is known; a later call can go on from that. */
  readonly onTrial?: ((known: KnownTrials) => void) | undefined;
}

/** How many times the slower of the first two runs a steered run may take. */
const TIMES = 4;

/** Runs the tests twice without any steering. @throws UsageError if no test passes both times, or none meets a mock */
export async function beginTrials(
  tests: RunTests,
  { timeMs = Number.POSITIVE_INFINITY, leastMs = 5000, known = {}, signal, onRun, onTrial }: TrialOptions,
): Promise<Trials> {
  const began = Date.now();
  let runs = 0;
  const all = new Map(Object.entries(known));
  const isOver = (): boolean => Date.now() - began > timeMs || signal?.aborted === true;
  const plain = (isRecorded: boolean): Promise<TestRun> => {
    runs++;
    onRun?.(runs, 'as they are');
    return tests({ steering: {}, limit: undefined, isRecorded, signal });
  };
  const first = await plain(true);
  const passedIn = (run: TestRun) =>
    new Set(run.tests.filter((one) => one.status === 'passed').map(({ name }) => name));
  const passedFirst = passedIn(first);
  const ran = first.tests.filter(({ status }) => status !== 'skipped').map(({ name }) => name);
  const last = (run: TestRun): string =>
    stripVTControlCharacters(run.output)
      .trim()
      .split(/\s*\n\s*/)
      .slice(-4)
      .join(' | ');
  if (passedFirst.size === 0)
    throw new UsageError(`No test passes, so that no run can tell anything. The tests end with: ${last(first)}`);
  if (first.exchanges.length === 0)
    throw new UsageError(
      'The tests pass, and no request of theirs reached a mock. Programs find its URL in AGENT_CONTRACT_BASE_URL; ' +
        'tests with a mock of their own need this version of agent-contract.',
    );
  const second = await plain(false);
  const passedBoth = passedIn(second);
  const steady = [...passedFirst].filter((name) => passedBoth.has(name));
  if (steady.length === 0) throw new UsageError('No test passes twice in a row, so that no run can tell anything.');
  /** A client that never ends under some behaviour is a finding, and must not stop the rest. */
  const limitOf = ({ latency = 0 }: Steering): number =>
    Math.max(leastMs, TIMES * Math.max(first.durationMs, second.durationMs)) + TIMES * latency * first.exchanges.length;

  return {
    first,
    steady,
    flaky: ran.filter((name) => passedFirst.has(name) !== passedBoth.has(name)),
    failing: ran.filter((name) => !passedFirst.has(name) && !passedBoth.has(name)),
    async run(steering) {
      const key = JSON.stringify(steering);
      const before = all.get(key);
      if (before) return before;
      if (isOver()) return undefined;
      runs++;
      onRun?.(runs, wordsFor(steering));
      const run = await tests({ steering, limit: limitOf(steering), isRecorded: false, signal });
      // A run that the user stopped tells nothing.
      if (run.wasStopped && isOver()) return undefined;
      const passed = passedIn(run);
      const trial = { failed: steady.filter((name) => !passed.has(name)), hangs: run.wasStopped };
      all.set(key, trial);
      onTrial?.(Object.fromEntries(all));
      return trial;
    },
    async recorded(steering) {
      if (isOver()) return [];
      runs++;
      onRun?.(runs, wordsFor(steering));
      return (await tests({ steering, limit: limitOf(steering), isRecorded: true, signal })).exchanges;
    },
    get runs() {
      return runs;
    },
  };
}

/** What a run tries, in a few words. */
function wordsFor({ choices = {}, faults = [], alterations = [], latency }: Steering): string {
  const parts = [...Object.entries(choices).map((pair) => pair.join('=')), ...faults, ...alterations];
  if (latency !== undefined) parts.push(`latency=${latency}`);
  const [one = ''] = parts;
  return parts.length > 1 ? `${one} and ${parts.length - 1} more` : one;
}
