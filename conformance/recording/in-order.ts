/** Something that took from one instant to another, in milliseconds. */
export interface Lasting {
  readonly sentAt: number;
  readonly answeredAt: number;
  /** Otherwise it may have been answered at any time after it was sent. */
  readonly hasEnd: boolean;
  /** What it takes to keep it. */
  readonly size: number;
}

/** Its place in the order of completion; see {@link Exchange}. */
export interface Placed<T> {
  readonly item: T;
  readonly n: number;
  readonly begun: number;
}

/**
 * Puts what comes by the time of its beginning, more or less, into the order of completion. `undefined` in place of what
 * comes too late for that.
 */
export interface Ordering<T> {
  add(item: T): readonly (Placed<T> | undefined)[];
  end(): readonly Placed<T>[];
}

/** Clocks of recordings have milliseconds: what seems to end so shortly before another begins may overlap with it. */
const BLUR_MS = 5;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** What was sent so long before may still come. */
const MAX_LATE_MS = 120_000;

export function createOrdering<T extends Lasting>(): Ordering<T> {
  const waiting: T[] = [];
  let bytes = 0;
  let newest = -Infinity;
  let last = -Infinity;
  /** When each of those was answered that came out last, in their order, and how many came out before them. */
  let ends: number[] = [];
  let gone = 0;
  /** The place of the first whose end nobody knows: nothing is known to come after it. */
  let unknown = Infinity;

  /** How many were certainly complete before an instant. */
  const completeBefore = (instant: number): number => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? Infinity) + BLUR_MS < instant) low = middle + 1;
      else high = middle;
    }
    return Math.min(gone + low, unknown);
  };

  function place(item: T): Placed<T> {
    const complete = completeBefore(item.sentAt);
    const index = gone + ends.length;
    if (!item.hasEnd) unknown = Math.min(unknown, index);
    ends.push(item.answeredAt);
    last = item.answeredAt;
    if (ends.length > 200_000) {
      gone += 100_000;
      ends = ends.slice(100_000);
    }
    return { item, n: 2 * (index + 1), begun: 2 * complete + 1 };
  }

  function* ready(until: number): Generator<Placed<T>> {
    while (waiting.length > 0) {
      const next = waiting[0];
      if (!next || (next.answeredAt > until && bytes <= MAX_WAITING_BYTES)) return;
      waiting.shift();
      bytes -= next.size;
      yield place(next);
    }
  }

  function insert(item: T): void {
    let [low, high] = [0, waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((waiting[middle]?.answeredAt ?? Infinity) <= item.answeredAt) low = middle + 1;
      else high = middle;
    }
    waiting.splice(low, 0, item);
    bytes += item.size;
  }

  return {
    add(item) {
      if (item.answeredAt < last) return [undefined];
      newest = Math.max(newest, item.sentAt);
      insert(item);
      return [...ready(newest - MAX_LATE_MS)];
    },
    end: () => [...ready(Infinity)],
  };
}
