/** A time span, in milliseconds. */
export interface Lasting {
  readonly sentAt: number;
  readonly answeredAt: number;
  /** If false, the answer may have come at any time after the request. */
  readonly hasEnd: boolean;
  /** The memory that it takes. */
  readonly size: number;
}

/** Its place in the order of completion; see {@link Exchange}. */
export interface Placed<T> {
  readonly item: T;
  readonly n: number;
  readonly begun: number;
}

/**
 * Sorts exchanges that come roughly by start time into the order of completion. `undefined` stands for one that comes
 * too late.
 */
export interface Ordering<T> {
  add(item: T): readonly (Placed<T> | undefined)[];
  end(): readonly Placed<T>[];
}

/** Recordings have millisecond clocks: an exchange that ends this shortly before another begins may overlap it. */
const BLUR_MS = 5;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** An exchange that was sent this long ago may still come. */
const MAX_LATE_MS = 120_000;

export function createOrdering<T extends Lasting>(): Ordering<T> {
  const waiting: T[] = [];
  let bytes = 0;
  let newest = -Infinity;
  let last = -Infinity;
  /** When each of the latest released exchanges was answered, in order, and how many were released before them. */
  let ends: number[] = [];
  let gone = 0;
  /** The place of the first exchange with an unknown end: nothing is known to follow it. */
  let unknown = Infinity;

  /** How many exchanges were certainly complete before an instant. */
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
