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
const SHARE = 0.06;
const MOST_SAVED_MS = 50;
/** Nothing passes once nothing has moved for so long; then all time is for judging, in turns of so many milliseconds. */
const QUIET_MS = 20;
const TURN_MS = 5;
const TICK_MS = 5;
const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

const real: Ticking = {
  now: () => performance.now(),
  wake: (work, ms) => void setTimeout(work, ms).unref(),
};

interface Waiting {
  readonly work: () => void;
  readonly bytes: number;
}

export function createPace({ now, wake }: Ticking = real): Pace {
  let waiting: (Waiting | undefined)[] = [];
  let next = 0;
  let bytes = 0;
  let saved = MOST_SAVED_MS;
  let savedAt = now();
  let movedAt = -Infinity;
  let isAwake = false;

  const save = (): void => {
    const at = now();
    saved = Math.min(MOST_SAVED_MS, saved + (at - savedAt) * SHARE);
    savedAt = at;
  };
  const spend = <T>(work: () => T): T => {
    const began = now();
    try {
      return work();
    } finally {
      saved -= now() - began;
    }
  };
  const isEmpty = (): boolean => next >= waiting.length;
  const takeOne = (): void => {
    const one = waiting[next];
    waiting[next++] = undefined;
    if (isEmpty() || next > MAX_WAITING) [waiting, next] = [waiting.slice(next), 0];
    bytes -= one?.bytes ?? 0;
    if (one) spend(one.work);
  };

  function turn(): void {
    isAwake = false;
    save();
    const began = now();
    const isQuiet = began - movedAt > QUIET_MS;
    while (!isEmpty() && (isQuiet ? now() - began < TURN_MS : saved > 0)) takeOne();
    // What was done while nothing passed has cost nobody anything.
    if (isQuiet) [saved, savedAt] = [MOST_SAVED_MS, now()];
    rouse(isQuiet ? 0 : TICK_MS);
  }

  function rouse(ms: number): void {
    if (isAwake || isEmpty()) return;
    isAwake = true;
    wake(turn, ms);
  }

  function flush(): void {
    while (!isEmpty()) takeOne();
  }

  return {
    stir: () => void (movedAt = now()),
    get hasTime() {
      save();
      return isEmpty() && saved > 0;
    },
    get isFull() {
      return waiting.length - next >= MAX_WAITING || bytes >= MAX_WAITING_BYTES;
    },
    now(work) {
      flush();
      return spend(work);
    },
    later(work, size) {
      waiting.push({ work, bytes: size });
      bytes += size;
      rouse(TICK_MS);
    },
    flush,
  };
}
