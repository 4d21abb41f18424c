import { stripVTControlCharacters } from 'node:util';
import type { MetExchange, Steering } from '../mock/index.ts';
import { valueFor } from '../conformance/collections.ts';
import { UsageError } from '../conformance/usage-error.ts';
import type { RunOrder, RunTests, TestRun } from './runs/test-run.ts';
import { firstRunOf, type Unit } from './first-run.ts';
import { judgeSent } from './sent.ts';

/** What some tests show under a steering. */
export interface TrialResult {
  /** The tests that passed without the steering and do not pass with it. */
  readonly failed: readonly string[];
  /** Whether the time limit stopped it: the tests, or the client, do not come to an end. */
  readonly hangs: boolean;
}

/** What earlier runs found, by steering and unit; plain JSON. */
export type KnownTrials = Readonly<Record<string, TrialResult>>;

export type Trials = Awaited<ReturnType<typeof beginTrials>>;

export interface TrialOptions {
  /** Milliseconds for all runs together. Default: no limit. */
  readonly timeMs?: number | undefined;
  /** Least milliseconds after which a run counts as one that never ends. Default: 5000. */
  readonly leastMs?: number | undefined;
  /** Most runs at the same time, or tests of a run that takes turns, if they bear that. Default: a few, of a runner that is known. */
  readonly parallel?: number | undefined;
  /** What an earlier call found, if it was stopped. */
  readonly known?: KnownTrials | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each run, with what it is for. */
  readonly onRun?: ((count: number, says: string) => void) | undefined;
  /** Called after each run, with all that is known; a later call can go on from that. */
  readonly onTrial?: ((known: KnownTrials) => void) | undefined;
}

/** How many times the slowest of the first runs, or of their tests, a steered one may take. */
const TIMES = 4;
/** Least milliseconds after which a test fails that waits for what does not come. */
const LEAST_OF_TEST = 3000;
/** Most turns of a test in one run, which need not be started anew, and about the milliseconds that they take at most. */
const [TURNS, LONGEST_RUN] = [16, 180_000];

/**
 * Runs the tests twice without any steering. If several at the same time are allowed, the second time they run so, to see whether
 * they bear that. @throws UsageError if no test passes each time, or none meets a mock
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
  const plain = (more: Partial<RunOrder> = {}): Promise<TestRun> =>
    counted('as they are', { steering: {}, limit: undefined, isRecorded: false, ...more });
  const first = await plain({ isRecorded: true });
  const passedFirst = passedIn(first);
  if (passedFirst.size === 0) {
    const lines = stripVTControlCharacters(first.output).match(/\S.*/g) ?? [];
    const told = new Set([...lines.filter((line) => /error|cannot/i.test(line)), ...lines.slice(-4)]);
    const sent = judgeSent(firstRunOf(first), []).map(({ says, why }) => ` ${says} ${why}`);
    throw new UsageError(
      `No test passes, so that no run can tell anything. The tests say: ${[...told].slice(0, 4).join(' | ')}${sent[0] ?? ''}`,
    );
  }
  if (first.exchanges.length === 0)
    throw new UsageError(
      'The tests pass, and no request of theirs reached a mock. Programs find its URL in AGENT_CONTRACT_BASE_URL; ' +
        'tests with a mock of their own need this version of agent-contract.',
    );
  const passAgain = (again: readonly TestRun[]): readonly string[] =>
    [...passedFirst].filter((name) => again.every((run) => passedIn(run).has(name)));
  const { takesTurns = false } = first;
  const manyAtOnce = async (): Promise<readonly TestRun[]> => {
    if (!takesTurns) return Promise.all([plain(), plain()]);
    return turnsOf(await plain({ turns: parallel, workers: parallel }), parallel);
  };
  let atOnce = parallel;
  let again = atOnce > 1 ? await manyAtOnce() : [await plain()];
  if (atOnce > 1 && passAgain(again).length < passedFirst.size) {
    atOnce = 1;
    again = [await plain()];
  }
  const [lanes, workers] = takesTurns ? [1, atOnce] : [atOnce, 1];
  const steady = passAgain(again);
  if (steady.length === 0) throw new UsageError('No test passes twice in a row, so that no run can tell anything.');
  const ran = first.tests.filter(({ status }) => status !== 'skipped').map(({ name }) => name);
  const passedOnce = new Set([first, ...again].flatMap((run) => [...passedIn(run)]));
  const slowest = Math.max(...[first, ...again].map(({ durationMs }) => durationMs));
  /** Milliseconds of the last run that was not stopped: the machine may be busier than at first. */
  let lately = 0;
  const turns = takesTurns ? TURNS : 1;
  /** As many turns as there is time for: a run is not cut short, and shows soon what it found. */
  const turnsInTime = (): number => {
    const left = Math.min(began + timeMs - Date.now(), LONGEST_RUN);
    return Math.max(1, Math.min(turns, Math.floor(left / Math.max(slowest, lately))));
  };
  const all = new Map(Object.entries(known));

  /** A client that never ends under some behaviour is a finding, and must not stop the rest. */
  const limitOf = (some: readonly Steering[], least = leastMs, took = Math.max(slowest, lately)): number => {
    const latency = Math.max(...some.map((one) => one.latency ?? 0));
    return Math.max(least, TIMES * took) + TIMES * latency * first.exchanges.length;
  };
  const slowestTest = Math.max(0, ...again.flatMap((run) => run.tests.map(({ from = 0, to = 0 }) => to - from)));
  /** Tests that have passed without others of their file. */
  const alone = new Set<string>();
  /** Tests that have failed so, and pass among them. */
  const leaning = new Set<string>();
  const waiting: Order[] = [];
  const asking = new Map<string, Promise<TrialResult | undefined>>();
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
        const batches = takeBatches(waiting, turnsInTime());
        void carryOut(batches)
          .catch((error: unknown) => batches.flat().forEach(({ reject }) => reject(error)))
          .finally(() => {
            underWay--;
            due();
          });
      }
    });
  };
  async function carryOut(batches: readonly (readonly Order[])[]): Promise<void> {
    const orders = batches.flat();
    if (isOver()) return orders.forEach(({ settle }) => settle(undefined));
    const units = orders.map(({ unit }) => unit);
    const own = [...new Set(units.flatMap(({ tests: some }) => some))];
    // A unit without files needs all of them.
    const files = units.some((unit) => unit.files.length === 0) ? [] : units.flatMap((unit) => unit.files);
    // Where most of the tests wait for nothing, they need not run.
    const isNarrow =
      2 * own.length <= steady.length &&
      !orders.some(({ isWhole }) => isWhole) &&
      !own.some((name) => leaning.has(name));
    const asked = orders.map(({ steering }) => steering);
    const limitOfTest = limitOf(asked, LEAST_OF_TEST, slowestTest);
    // Where each test may wait until its limit, so may all of them.
    const limitOfTurn = Math.max(limitOf(asked), takesTurns ? limitOfTest * own.length : 0);
    const run = await counted(wordsFor(asked), {
      steering: steeringOf(batches),
      wanted: { tests: own, files, isNarrow },
      turns: batches.length,
      workers,
      limit: limitOfTurn * batches.length,
      limitOfTest,
      isRecorded: false,
    });
    if (!run.wasStopped) lately = run.durationMs / batches.length;
    if (run.isNarrow) passedIn(run).forEach((name) => alone.add(name));
    for (const [turn, ofTurn] of turnsOf(run, batches.length).entries())
      judgeBatch(batches[turn] ?? [], ofTurn, orders.length > 1);
    options.onTrial?.(Object.fromEntries(all));
  }
  /** Settles what a turn shows. What it leaves in doubt waits for another run. */
  function judgeBatch(batch: readonly Order[], run: TestRun, isShared: boolean): void {
    const passed = passedIn(run);
    const ended = new Set(run.tests.flatMap(({ name, status }) => (status === 'skipped' ? [] : name)));
    const steered = new Set(batch.flatMap(({ unit }) => unit.tests));
    const bystanders = new Set(steady.filter((name) => !steered.has(name)));
    // With other identifiers any test may fail.
    const isSpilt =
      !batch.some(beginningOf) && run.tests.some(({ name, status }) => status === 'failed' && bystanders.has(name));
    for (const order of batch) {
      const own = order.unit.tests.filter((name) => steady.includes(name));
      const failed = own.filter((name) => !passed.has(name));
      const isOpen = failed.some((name) => !ended.has(name));
      const hangs = run.wasStopped && (isOpen || !isShared);
      // What ends a run early, or fails a test that nothing was done to, may be the doing of another unit, or of a busy machine.
      const isDoubtful = failed.length > 0 && (hangs || (isShared && (isSpilt || isOpen)));
      // In a run that the user stopped, only what passed tells something.
      if (failed.length > 0 && run.wasStopped && isOver()) order.settle(undefined);
      else if (isDoubtful && !order.isAlone) waiting.push({ ...order, isAlone: true });
      // It may lean on what a test before it does.
      else if (run.isNarrow && failed.some((name) => !alone.has(name))) waiting.push({ ...order, isWhole: true });
      else {
        if (order.isWhole && failed.length === 0) own.forEach((name) => leaning.add(name));
        const trial = { failed, hangs };
        all.set(order.key, trial);
        order.settle(trial);
      }
    }
  }

  return {
    first,
    /** Names of the tests that can tell something. */
    steady,
    /** Tests that passed once and failed once under the same steering, or without any. */
    flaky: new Set(ran.filter((name) => passedOnce.has(name) && !steady.includes(name))),
    /** Tests that fail without any steering. */
    failing: ran.filter((name) => !passedOnce.has(name)),
    /** How many trials of a unit are made at the same time. */
    width: lanes * turns,
    /** Into how many parts a red list is best taken apart: a red test waits in vain, and a turn more costs little. */
    parts: Math.max(2, turns),
    /**
     * Runs the tests of a unit; under the same steering once for each `time`. What is asked for different units at the same time is one
     * run. `undefined` if there is no time left.
     */
    run: async (steering: Steering, unit: Unit, time = ''): Promise<TrialResult | undefined> => {
      const key = JSON.stringify([steering, unit.id]) + time;
      const ask = (settle: Order['settle'], reject: Order['reject']): void => {
        waiting.push({ key, steering, unit, isAlone: false, isWhole: false, settle, reject });
        due();
      };
      return all.get(key) ?? valueFor(asking, key, () => new Promise(ask));
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

/** What each turn of a run shows. */
const turnsOf = (run: TestRun, count: number): readonly TestRun[] =>
  Array.from({ length: count }, (_, turn) => ({
    ...run,
    tests: run.tests.filter((one) => (one.turn ?? 0) === turn),
    durationMs: run.durationMs / count,
  }));

function passedIn({ tests }: TestRun): ReadonlySet<string> {
  return new Set(tests.filter(({ status }) => status === 'passed').map(({ name }) => name));
}

/** A unit that waits for a run under a steering. */
interface Order {
  readonly key: string;
  readonly steering: Steering;
  readonly unit: Unit;
  /** Whether nothing else may happen in its run. */
  readonly isAlone: boolean;
  /** Whether no test of its files may be left out. */
  readonly isWhole: boolean;
  readonly settle: (trial: TrialResult | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Where nobody knows who asks, a steering holds for all. */
const isForAll = ({ unit }: Order): boolean => unit.senders === undefined;

/** With which identifiers a mock begins: the same for all who ask it. */
const beginningOf = ({ steering }: Order) => steering.choices?.['identifier-format'];

function fits(one: Order, other: Order): boolean {
  if (one.isAlone || other.isAlone) return false;
  if (JSON.stringify(one.steering) === JSON.stringify(other.steering)) return true;
  return beginningOf(one) === beginningOf(other) && !isForAll(one) && !isForAll(other);
}

/** What is wanted first if time is short: choices, then faults, then what is needed, and of each what needs no further run. */
function rankOf({ steering: { choices = {}, faults = [] } }: Order): number {
  const ofMany = 1 - 1 / (1 + Object.keys(choices).length + faults.length);
  if (faults.some((id) => id.includes('/'))) return 2 + ofMany;
  return (faults.length > 0 && !faults.includes('keys=reversed') ? 1 : 0) + ofMany;
}

/** Takes what fits into so many turns of one run: in each of them different units. */
function takeBatches(waiting: Order[], turns: number): readonly (readonly Order[])[] {
  const batches: Order[][] = [];
  const taken: Order[] = [];
  for (const order of waiting.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    if (!taken.every((one) => fits(one, order))) continue;
    const isMet = (batch: readonly Order[]): boolean =>
      batch.some(({ unit }) => unit.tests.some((test) => order.unit.tests.includes(test)));
    let free = batches.find((batch) => !isMet(batch));
    if (!free && (batches.length >= turns || (isForAll(order) && batches.length > 0))) continue;
    if (!free) batches.push((free = []));
    free.push(order);
    taken.push(order);
  }
  // All wanted tests take each turn; one that few of them need can wait for a run of these.
  const sizes = batches.map((batch) => batch.flatMap(({ unit }) => unit.tests).length);
  const worth = batches.filter((_, at) => 2 * (sizes[at] ?? 0) >= (sizes[0] ?? 0));
  for (const order of worth.flat()) waiting.splice(waiting.indexOf(order), 1);
  return worth;
}

function steeringOf(batches: readonly (readonly Order[])[]): Steering {
  const [first] = batches.flat();
  if (batches.flat().some(isForAll)) return first?.steering ?? {};
  const begun = first && beginningOf(first);
  const senders = batches.map((batch) =>
    Object.fromEntries(batch.flatMap(({ unit, steering }) => (unit.senders ?? []).map((one) => [one, steering]))),
  );
  return { choices: begun && { 'identifier-format': begun }, senders };
}

function wordsFor(all: readonly Steering[]): string {
  const [one = '', ...more] = all.flatMap(({ choices = {}, faults = [], latency }) => {
    const named = Object.entries({ ...choices, latency }).filter(([, value]) => value !== undefined);
    return [...named.map((pair) => pair.join('=')), ...faults];
  });
  return more.length === 0 ? one : `${one} and ${more.length} more`;
}
