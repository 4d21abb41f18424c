/** Keeps judging out of the way of what passes: it is done at once while it costs little, else later, else not at all. */
export interface Pace {
  /** Something passes just now. */
  stir(): void;
  /** Whether what is done now would be done in its turn, and nobody be slowed down. */
  readonly hasTime: boolean;
  /** Whether so much waits that no more should. */
  readonly isFull: boolean;
  /** Does it at once, after all that waits. */
  now<T>(work: () => T): T;
  /** Does it in its turn, when there is time. `bytes` is what it keeps in memory. */
  later(work: () => void, bytes: number): void;
  /** Does all that waits. */
  flush(): void;
}

/** The clock that a pace goes by, and how it is woken. */
export interface Ticking {
  /** Milliseconds. */
  readonly now: () => number;
  readonly wake: (work: () => void, ms: number) => void;
}

/** Of the time in which something passes, so much goes into judging; and so many milliseconds may be saved up. */
const SHARE = 0.03;
const MOST_SAVED_MS = 20;
/** Nothing passes once nothing has moved for so long; then all time is for judging, in turns of so many milliseconds. */
const QUIET_MS = 200;
const TURN_MS = 5;
const TICK_MS = 5;
/** A burst may wait. Under a load that goes on, what waits long costs more than its judging: it outlives its generation. */
const MAX_WAITING = 200;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const MAX_WAITING_UNDER_LOAD = 8;

const real: Ticking = {
  now: () => performance.now(),
  wake: (work, ms) => void setTimeout(work, ms).unref(),
};

interface Waiting {
  readonly work: () => void;
  readonly bytes: number;
}

/** What waits, in its order. */
interface Queue {
  readonly count: number;
  readonly bytes: number;
  push(one: Waiting): void;
  shift(): Waiting | undefined;
}

function createQueue(): Queue {
  let waiting: (Waiting | undefined)[] = [];
  let next = 0;
  let bytes = 0;
  return {
    get count() {
      return waiting.length - next;
    },
    get bytes() {
      return bytes;
    },
    push(one) {
      waiting.push(one);
      bytes += one.bytes;
    },
    shift() {
      const one = waiting[next];
      waiting[next++] = undefined;
      if (next >= waiting.length || next > MAX_WAITING) [waiting, next] = [waiting.slice(next), 0];
      bytes -= one?.bytes ?? 0;
      return one;
    },
  };
}

/** The time that may go into judging, in milliseconds; below zero it was taken in advance. */
interface Budget {
  readonly isLeft: boolean;
  spend<T>(work: () => T): T;
  /** What was done while nothing passed has cost nobody anything. */
  refill(): void;
}

function createBudget({ now }: Ticking): Budget {
  let saved = MOST_SAVED_MS;
  let savedAt = now();
  return {
    get isLeft() {
      const at = now();
      saved = Math.min(MOST_SAVED_MS, saved + (at - savedAt) * SHARE);
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
    refill: () => void ([saved, savedAt] = [MOST_SAVED_MS, now()]),
  };
}

export function createPace(ticking: Ticking = real): Pace {
  const { now, wake } = ticking;
  const queue = createQueue();
  const budget = createBudget(ticking);
  let movedAt = -Infinity;
  let isAwake = false;
  let isUnderLoad = false;

  const takeOne = (): void => {
    const one = queue.shift();
    if (one) budget.spend(one.work);
  };

  function turn(): void {
    isAwake = false;
    const began = now();
    const isQuiet = began - movedAt > QUIET_MS;
    while (queue.count > 0 && (isQuiet ? now() - began < TURN_MS : budget.isLeft)) takeOne();
    if (isQuiet) budget.refill();
    rouse(isQuiet ? 0 : TICK_MS);
  }

  function rouse(ms: number): void {
    if (isAwake || queue.count === 0) return;
    isAwake = true;
    wake(turn, ms);
  }

  function flush(): void {
    while (queue.count > 0) takeOne();
  }

  return {
    stir() {
      const at = now();
      if (at - movedAt > QUIET_MS) isUnderLoad = false;
      movedAt = at;
    },
    get hasTime() {
      return queue.count === 0 && budget.isLeft;
    },
    get isFull() {
      isUnderLoad ||= queue.count >= MAX_WAITING;
      return queue.count >= (isUnderLoad ? MAX_WAITING_UNDER_LOAD : MAX_WAITING) || queue.bytes >= MAX_WAITING_BYTES;
    },
    now(work) {
      flush();
      return budget.spend(work);
    },
    later(work, bytes) {
      queue.push({ work, bytes });
      rouse(TICK_MS);
    },
    flush,
  };
}
