/** Judging that waits, so that it never delays traffic: it runs at once within a time budget, later otherwise, or never. */
export interface Backlog {
  /** Says that a request or an answer passes right now. */
  noteTraffic(): void;
  /** Whether nothing waits, and the budget has time left. */
  readonly hasTime: boolean;
  /** Whether the backlog accepts no more work. */
  readonly isFull: boolean;
  /** Runs all that waits, and then this. */
  runNow<T>(work: () => T): T;
  /** Adds work to run later. `bytes` is the memory that it holds until then. */
  add(work: () => void, bytes: number): void;
  /** Runs all that waits. */
  flush(): void;
}

/** A clock, and timers. */
export interface Scheduler {
  /** Milliseconds. */
  readonly now: () => number;
  readonly schedule: (work: () => void, ms: number) => void;
}

/** While there is traffic, judging gets this share of the time. It may save up to so many milliseconds. */
const BUDGET_SHARE = 0.03;
const MAX_SAVED_MS = 20;
/** After so many milliseconds without traffic, judging gets all the time, in turns of so many milliseconds. */
const QUIET_MS = 200;
const TURN_MS = 5;
const TURN_PAUSE_MS = 5;
/** The longest backlog of a burst. */
const MAX_WAITING = 200;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** The longest under constant load. Objects that wait longer leave the young generation, and cost more to collect than to judge. */
const MAX_WAITING_UNDER_LOAD = 8;

const system: Scheduler = {
  now: () => performance.now(),
  schedule: (work, ms) => void setTimeout(work, ms).unref(),
};

interface Waiting {
  readonly work: () => void;
  readonly bytes: number;
}

/** The time for judging, in milliseconds. It may be overdrawn. */
interface Budget {
  readonly isLeft: boolean;
  spend<T>(work: () => T): T;
  /** Fills the budget after a quiet time, in which judging delays nobody. */
  refill(): void;
}

function createBudget({ now }: Scheduler): Budget {
  let saved = MAX_SAVED_MS;
  let savedAt = now();
  return {
    get isLeft() {
      const at = now();
      saved = Math.min(MAX_SAVED_MS, saved + (at - savedAt) * BUDGET_SHARE);
      savedAt = at;
      return saved > 0;
    },
    spend(work) {
      const began = now();
      try {
        return work();
      } finally {
        saved -= now() - began;
      }
    },
    refill: () => void ([saved, savedAt] = [MAX_SAVED_MS, now()]),
  };
}

export function createBacklog(scheduler: Scheduler = system): Backlog {
  const { now, schedule } = scheduler;
  /** First in, first out. */
  const queue: Waiting[] = [];
  const budget = createBudget(scheduler);
  let bytes = 0;
  let lastTrafficAt = -Infinity;
  let isScheduled = false;
  let isUnderLoad = false;

  function runNext(): void {
    const next = queue.shift();
    if (!next) return;
    bytes -= next.bytes;
    budget.spend(next.work);
  }

  function turn(): void {
    isScheduled = false;
    const began = now();
    const isQuiet = began - lastTrafficAt > QUIET_MS;
    while (queue.length > 0 && (isQuiet ? now() - began < TURN_MS : budget.isLeft)) runNext();
    if (isQuiet) budget.refill();
    scheduleTurn(isQuiet ? 0 : TURN_PAUSE_MS);
  }

  function scheduleTurn(ms: number): void {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    schedule(turn, ms);
  }

  function flush(): void {
    while (queue.length > 0) runNext();
  }

  return {
    noteTraffic() {
      const at = now();
      if (at - lastTrafficAt > QUIET_MS) isUnderLoad = false;
      lastTrafficAt = at;
    },
    get hasTime() {
      return queue.length === 0 && budget.isLeft;
    },
    get isFull() {
      isUnderLoad ||= queue.length >= MAX_WAITING;
      const most = isUnderLoad ? MAX_WAITING_UNDER_LOAD : MAX_WAITING;
      return queue.length >= most || bytes >= MAX_WAITING_BYTES;
    },
    runNow(work) {
      flush();
      return budget.spend(work);
    },
    add(work, held) {
      queue.push({ work, bytes: held });
      bytes += held;
      scheduleTurn(TURN_PAUSE_MS);
    },
    flush,
  };
}
