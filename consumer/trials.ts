import { stripVTControlCharacters } from 'node:util';
import type { MetExchange, Steering } from '../mock/index.ts';
import { UsageError } from '../conformance/usage-error.ts';
import type { RunOrder, RunTests, TestRun } from './runs/test-run.ts';
import type { Unit } from './units.ts';

/** What some tests show under a steering. */
export interface Trial {
  /** The tests that passed without the steering and do not pass with it. */
  readonly failed: readonly string[];
  /** Whether the time limit stopped it: the tests, or the client, do not come to an end. */
  readonly hangs: boolean;
}

/** What earlier runs found, by steering and unit; plain JSON. */
export type KnownTrials = Readonly<Record<string, Trial>>;

/** The tests without any steering, and with what others. */
export type Trials = Awaited<ReturnType<typeof beginTrials>>;

/** Whether a test of the unit fails under a steering; `undefined` if there is no time left. */
export async function isRedUnder(
  steering: Steering,
  { run }: Pick<Trials, 'run'>,
  unit: Unit,
): Promise<boolean | undefined> {
  const trial = await run(steering, unit);
  return trial && trial.failed.length > 0;
}

export interface TrialOptions {
  /** Milliseconds for all runs together. Default: no limit. */
  readonly timeMs?: number | undefined;
  /** Least milliseconds after which a run counts as one that never ends. Default: 5000. */
  readonly leastMs?: number | undefined;
  /** Most runs at the same time, if the tests bear that. Default: a few, of a runner that is known to bear it. */
  readonly parallel?: number | undefined;
  /** What an earlier call found, if it was stopped. */
  readonly known?: KnownTrials | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each run, with what it is for. */
  readonly onRun?: ((count: number, says: string) => void) | undefined;
  /** Called after each run, with all that is known; a later call can go on from that. */
  readonly onTrial?: ((known: KnownTrials) => void) | undefined;
}

/** How many times the slowest of the first runs a steered run may take. */
const TIMES = 4;

/**
 * Runs the tests twice without any steering. If several runs at the same time are allowed, the second run is made twice at once,
 * to see whether the tests bear that. @throws UsageError if no test passes each time, or none meets a mock
 */
export async function beginTrials(tests: RunTests, options: TrialOptions) {
  const { timeMs = Number.POSITIVE_INFINITY, leastMs = 5000, parallel = 1, known = {}, signal, onRun } = options;
  const began = Date.now();
  let runs = 0;
  const isOver = (): boolean => Date.now() - began > timeMs || signal?.aborted === true;
  const counted = (says: string, order: Omit<RunOrder, 'signal'>): Promise<TestRun> => {
    runs++;
    onRun?.(runs, says);
    return tests({ ...order, signal });
  };
  const plain = (isRecorded: boolean) => counted('as they are', { steering: {}, limit: undefined, isRecorded });
  const first = await plain(true);
  const passedFirst = passedIn(first);
  if (passedFirst.size === 0)
    throw new UsageError(`No test passes, so that no run can tell anything. The tests end with: ${endOf(first)}`);
  if (first.exchanges.length === 0)
    throw new UsageError(
      'The tests pass, and no request of theirs reached a mock. Programs find its URL in AGENT_CONTRACT_BASE_URL; ' +
        'tests with a mock of their own need this version of agent-contract.',
    );
  const passAgain = (again: readonly TestRun[]): readonly string[] =>
    [...passedFirst].filter((name) => again.every((run) => passedIn(run).has(name)));
  let lanes = parallel;
  let again = await Promise.all(Array.from({ length: parallel > 1 ? 2 : 1 }, () => plain(false)));
  if (parallel > 1 && passAgain(again).length < passedFirst.size) {
    lanes = 1;
    again = [await plain(false)];
  }
  const steady = passAgain(again);
  if (steady.length === 0) throw new UsageError('No test passes twice in a row, so that no run can tell anything.');
  const ran = first.tests.filter(({ status }) => status !== 'skipped').map(({ name }) => name);
  const passedOnce = new Set([first, ...again].flatMap((run) => [...passedIn(run)]));
  const slowest = Math.max(...[first, ...again].map(({ durationMs }) => durationMs));
  const all = new Map(Object.entries(known));

  /** A client that never ends under some behaviour is a finding, and must not stop the rest. */
  const limitOf = (some: readonly Steering[]): number => {
    const latency = Math.max(...some.map((one) => one.latency ?? 0));
    return Math.max(leastMs, TIMES * slowest) + TIMES * latency * first.exchanges.length;
  };
  /** Tests that have passed without others of their file. */
  const alone = new Set<string>();
  /** Tests that have failed so, and pass among them. */
  const leaning = new Set<string>();
  const waiting: Order[] = [];
  let underWay = 0;
  let isDue = false;
  /** Waits until everybody who can go on has asked. */
  const due = (): void => {
    if (isDue || underWay > 0) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      // All at once, so that each run is as full as it can be.
      while (waiting.length > 0 && underWay < lanes) {
        underWay++;
        const batch = takeBatch(waiting);
        void carryOut(batch)
          .catch((error: unknown) => batch.forEach(({ reject }) => reject(error)))
          .finally(() => {
            underWay--;
            due();
          });
      }
    });
  };
  async function carryOut(batch: readonly Order[]): Promise<void> {
    if (isOver()) return batch.forEach(({ settle }) => settle(undefined));
    const units = batch.map(({ unit }) => unit);
    const wanted = {
      tests: units.flatMap(({ tests: own }) => own),
      files: units.flatMap(({ files }) => files),
      isNarrow: false,
    };
    // Where most of the tests wait for nothing, they need not run.
    wanted.isNarrow =
      2 * wanted.tests.length <= steady.length &&
      !batch.some(({ isWhole, unit }) => isWhole || unit.tests.some((name) => leaning.has(name)));
    // A unit without files needs all of them.
    if (units.some(({ files }) => files.length === 0)) wanted.files = [];
    const asked = batch.map(({ steering }) => steering);
    const run = await counted(wordsFor(asked), {
      steering: steeringOf(batch),
      wanted,
      limit: limitOf(asked),
      isRecorded: false,
    });
    // A run that the user stopped tells nothing.
    if (run.wasStopped && isOver()) return batch.forEach(({ settle }) => settle(undefined));
    const passed = passedIn(run);
    if (run.isNarrow) passed.forEach((name) => alone.add(name));
    const present = new Set(run.tests.map(({ name }) => name));
    const bystanders = new Set(steady.filter((name) => !wanted.tests.includes(name)));
    const isSpilt = run.tests.some(({ name, status }) => status === 'failed' && bystanders.has(name));
    for (const order of batch) {
      const own = order.unit.tests.filter((name) => steady.includes(name));
      const failed = own.filter((name) => !passed.has(name));
      // What ends a run early, or fails a test that nothing was done to, may be the doing of another unit.
      const isDoubtful = run.wasStopped || isSpilt || failed.some((name) => !present.has(name));
      if (batch.length > 1 && failed.length > 0 && isDoubtful) waiting.push({ ...order, isAlone: true });
      // It may lean on what a test before it does.
      else if (run.isNarrow && failed.some((name) => !alone.has(name))) waiting.push({ ...order, isWhole: true });
      else {
        if (order.isWhole && failed.length === 0) own.forEach((name) => leaning.add(name));
        const trial = { failed, hangs: run.wasStopped };
        all.set(keyOf(order), trial);
        order.settle(trial);
      }
    }
    options.onTrial?.(Object.fromEntries(all));
  }

  return {
    first,
    /** Names of the tests that can tell something. */
    steady,
    /** Tests that passed once and failed once without any steering. */
    flaky: ran.filter((name) => passedOnce.has(name) && !steady.includes(name)),
    /** Tests that fail without any steering. */
    failing: ran.filter((name) => !passedOnce.has(name)),
    /** How many runs are made at the same time. */
    lanes,
    /**
     * Runs the tests of a unit; under the same steering only once. What is asked for different units at the same time is one
     * run. `undefined` if there is no time left.
     */
    run: async (steering: Steering, unit: Unit): Promise<Trial | undefined> => {
      const before = all.get(keyOf({ steering, unit }));
      if (before) return before;
      return new Promise((settle, reject) => {
        waiting.push({ steering, unit, isAlone: false, isWhole: false, settle, reject });
        due();
      });
    },
    /** What the tests send under a steering; nothing if there is no time left. */
    recorded: async (steering: Steering): Promise<readonly MetExchange[]> => {
      if (isOver()) return [];
      const run = await counted(wordsFor([steering]), { steering, limit: limitOf([steering]), isRecorded: true });
      return run.exchanges;
    },
    get runs(): number {
      return runs;
    },
  };
}

function passedIn({ tests }: TestRun): ReadonlySet<string> {
  return new Set(tests.filter(({ status }) => status === 'passed').map(({ name }) => name));
}

function endOf({ output }: TestRun): string {
  const text = stripVTControlCharacters(output).trim();
  return text
    .split(/\s*\n\s*/)
    .slice(-4)
    .join(' | ');
}

/** A unit that waits for a run under a steering. */
interface Order {
  readonly steering: Steering;
  readonly unit: Unit;
  /** Whether nothing else may happen in its run. */
  readonly isAlone: boolean;
  /** Whether no test of its files may be left out. */
  readonly isWhole: boolean;
  readonly settle: (trial: Trial | undefined) => void;
  readonly reject: (error: unknown) => void;
}

const keyOf = ({ steering, unit }: Pick<Order, 'steering' | 'unit'>): string => JSON.stringify([steering, unit.id]);

/** A steering holds for all where nobody knows who asks, and where it decides with which identifiers a mock begins. */
function isForAll({ steering, unit }: Order): boolean {
  return unit.senders === undefined || steering.choices?.['identifier-format'] !== undefined;
}

/** Takes what fits into one run: different units, or the same steering for all of them. */
function takeBatch(waiting: Order[]): readonly Order[] {
  const batch: Order[] = [];
  for (const order of waiting.slice()) {
    const [first = order] = batch;
    const isSame = JSON.stringify(first.steering) === JSON.stringify(order.steering);
    const [one, other] = [isForAll(first), isForAll(order)];
    const fits = (one === other && isSame) || (!one && !other);
    const isMet = batch.some(({ unit }) => unit.tests.some((test) => order.unit.tests.includes(test)));
    const isApart = batch.length > 0 && (first.isAlone || order.isAlone);
    if (!fits || isMet || isApart) continue;
    batch.push(order);
    waiting.splice(waiting.indexOf(order), 1);
  }
  return batch;
}

function steeringOf(batch: readonly Order[]): Steering {
  const [first] = batch;
  if (first && isForAll(first)) return first.steering;
  const all = batch.flatMap(({ unit, steering }) => (unit.senders ?? []).map((sender) => [sender, steering] as const));
  return { senders: Object.fromEntries(all) };
}

/** What a run tries, in a few words. */
function wordsFor(all: readonly Steering[]): string {
  const parts = all.flatMap(({ choices = {}, faults = [], alterations = [], latency }) => {
    const named = [...Object.entries(choices).map((pair) => pair.join('=')), ...faults, ...alterations];
    if (latency !== undefined) named.push(`latency=${latency}`);
    return named;
  });
  const [one = ''] = parts;
  if (parts.length < 2) return one;
  return `${one} and ${parts.length - 1} more`;
}
