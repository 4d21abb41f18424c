import { bisect } from '../collections.ts';

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

/** Recordings have millisecond clocks: an exchange that ends this shortly before another begins may overlap it. */
const BLUR_MS = 5;
/** An exchange that was sent this long ago may still come. */
const MAX_LATE_MS = 120_000;

/** Sorts exchanges from roughly start time into the order of completion; clocks are exact to `blur` milliseconds. */
export function createOrdering<T extends Lasting>(blur = BLUR_MS) {
  const waiting: T[] = [];
  let [bytes, newest, last] = [0, -Infinity, -Infinity];
  /** When each of the latest that were released was answered, and how many were released before them. */
  let [ends, gone]: [number[], number] = [[], 0];
  /** The place of the first exchange with an unknown end: nothing is known to follow it. */
  let unknown = Infinity;

  function placed(item: T): Placed<T> {
    const complete = gone + bisect(ends.length, (n) => (ends[n] ?? Infinity) >= item.sentAt - blur);
    const begun = 2 * Math.min(complete, unknown) + 1;
    const index = gone + ends.length;
    if (!item.hasEnd) unknown = Math.min(unknown, index);
    last = item.answeredAt;
    ends.push(last);
    if (ends.length > 200_000) [ends, gone] = [ends.slice(100_000), gone + 100_000];
    return { item, n: 2 * (index + 1), begun };
  }

  function* ready(until: number): Generator<Placed<T>> {
    while (waiting.length > 0) {
      const next = waiting[0];
      if (!next || (next.answeredAt > until && bytes <= 64 * 1024 * 1024)) return;
      waiting.shift();
      bytes -= next.size;
      yield placed(next);
    }
  }

  return {
    /** `undefined` stands for one that comes too late. */
    add(item: T): readonly (Placed<T> | undefined)[] {
      if (item.answeredAt < last) return [undefined];
      newest = Math.max(newest, item.sentAt);
      const index = bisect(waiting.length, (n) => (waiting[n]?.answeredAt ?? Infinity) > item.answeredAt);
      waiting.splice(index, 0, item);
      bytes += item.size;
      return [...ready(newest - MAX_LATE_MS)];
    },
    end: (): readonly Placed<T>[] => [...ready(Infinity)],
  };
}
