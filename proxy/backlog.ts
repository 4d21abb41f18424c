/** Judging that waits, so that it never delays traffic: it runs at once within a time budget, later otherwise, or never. */
export type Backlog = ReturnType<typeof createBacklog>;

/** A clock, and timers. */
interface Scheduler {
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

/** The time for judging, in milliseconds. It may be overdrawn. */
function createBudget({ now }: Scheduler) {
  let saved = MAX_SAVED_MS;
  let savedAt = now();
  return {
    get isLeft(): boolean {
      const at = now();
      saved = Math.min(MAX_SAVED_MS, saved + (at - savedAt) * BUDGET_SHARE);
      savedAt = at;
      return saved > 0;
    },
    spend<T>(work: () => T): T {
      const began = now();
      try {
        return work();
      } finally {
        saved -= now() - began;
      }
    },
    /** Fills the budget after a quiet time, in which judging delays nobody. */
    refill: () => void ([saved, savedAt] = [MAX_SAVED_MS, now()]),
  };
}

export function createBacklog(scheduler: Scheduler = system) {
  const { now, schedule } = scheduler;
  /** First in, first out. */
  const queue: { readonly work: () => void; readonly bytes: number }[] = [];
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
    /** Says that a request or an answer passes right now. */
    noteTraffic(): void {
      const at = now();
      if (at - lastTrafficAt > QUIET_MS) isUnderLoad = false;
      lastTrafficAt = at;
    },
    /** Whether nothing waits, and the budget has time left. */
    get hasTime(): boolean {
      return queue.length === 0 && budget.isLeft;
    },
    /** Whether the backlog accepts no more work. */
    get isFull(): boolean {
      isUnderLoad ||= queue.length >= MAX_WAITING;
      const most = isUnderLoad ? MAX_WAITING_UNDER_LOAD : MAX_WAITING;
      return queue.length >= most || bytes >= MAX_WAITING_BYTES;
    },
    /** Runs all that waits, and then this. */
    runNow<T>(work: () => T): T {
      flush();
      return budget.spend(work);
    },
    /** Adds work to run later. `held` is the number of bytes in memory until then. */
    add(work: () => void, held: number): void {
      queue.push({ work, bytes: held });
      bytes += held;
      scheduleTurn(TURN_PAUSE_MS);
    },
    /** Runs all that waits. */
    flush,
  };
}
