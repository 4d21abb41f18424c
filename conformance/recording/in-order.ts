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

interface Released {
  last: number;
  /** When each of the latest was answered, and how many were released before them. */
  ends: number[];
  gone: number;
  /** The place of the first exchange with an unknown end: nothing is known to follow it. */
  unknown: number;
}

/** Sorts exchanges from roughly start time into the order of completion; clocks are exact to `blur` milliseconds. */
export function createOrdering<T extends Lasting>(blur = BLUR_MS) {
  const waiting: T[] = [];
  let bytes = 0;
  let newest = -Infinity;
  const released: Released = { last: -Infinity, ends: [], gone: 0, unknown: Infinity };

  function* ready(until: number): Generator<Placed<T>> {
    while (waiting.length > 0) {
      const next = waiting[0];
      if (!next || (next.answeredAt > until && bytes <= 64 * 1024 * 1024)) return;
      waiting.shift();
      bytes -= next.size;
      yield place(released, next, blur);
    }
  }

  return {
    /** `undefined` stands for one that comes too late. */
    add(item: T): readonly (Placed<T> | undefined)[] {
      if (item.answeredAt < released.last) return [undefined];
      newest = Math.max(newest, item.sentAt);
      const index = bisect(waiting.length, (n) => (waiting[n]?.answeredAt ?? Infinity) > item.answeredAt);
      waiting.splice(index, 0, item);
      bytes += item.size;
      return [...ready(newest - MAX_LATE_MS)];
    },
    end: (): readonly Placed<T>[] => [...ready(Infinity)],
  };
}

function place<T extends Lasting>(released: Released, item: T, blur: number): Placed<T> {
  const complete = completeBefore(released, item.sentAt - blur);
  const index = released.gone + released.ends.length;
  if (!item.hasEnd) released.unknown = Math.min(released.unknown, index);
  released.ends.push(item.answeredAt);
  released.last = item.answeredAt;
  if (released.ends.length > 200_000) {
    released.gone += 100_000;
    released.ends = released.ends.slice(100_000);
  }
  return { item, n: 2 * (index + 1), begun: 2 * complete + 1 };
}

const completeBefore = ({ ends, gone, unknown }: Released, instant: number): number =>
  Math.min(gone + bisect(ends.length, (n) => (ends[n] ?? Infinity) >= instant), unknown);
