import { bisect } from '../collections.ts';
import type { Ticks } from '../foreign/exchange-of.ts';
import type { RecordingPart } from './read-recording.ts';

export type Lasting = Extract<RecordingPart, { readonly kind: 'exchange' }>;

/** With its place in the order of completion; see {@link Exchange}. */
export type Placed = Ticks & { readonly item: Lasting };

/** Recordings have millisecond clocks: an exchange that ends this shortly before another begins may overlap it. */
const BLUR_MS = 5;
/** An exchange that was sent this long ago may still come. */
const MAX_LATE_MS = 120_000;

/** Sorts exchanges from roughly start time into the order of completion; clocks are exact to `blur` milliseconds. */
export function createOrdering(blur = BLUR_MS) {
  const waiting: Lasting[] = [];
  let [bytes, newest, last] = [0, -Infinity, -Infinity];
  /** When each of the latest that were released was answered, and how many were released before them. */
  let [ends, gone]: [number[], number] = [[], 0];
  /** The place of the first exchange with an unknown end: nothing is known to follow it. */
  let unknown = Infinity;

  function placed(item: Lasting): Placed {
    const { exchange, hasEnd } = item.entry;
    const complete = gone + bisect(ends.length, (n) => (ends[n] ?? Infinity) >= exchange.sentAt - blur);
    const begun = 2 * Math.min(complete, unknown) + 1;
    const index = gone + ends.length;
    if (!hasEnd) unknown = Math.min(unknown, index);
    last = exchange.answeredAt;
    ends.push(last);
    if (ends.length > 200_000) [ends, gone] = [ends.slice(100_000), gone + 100_000];
    return { item, n: 2 * (index + 1), begun };
  }

  function* ready(until: number): Generator<Placed> {
    while (waiting.length > 0) {
      const next = waiting[0];
      if (!next || (next.entry.exchange.answeredAt > until && bytes <= 64 * 1024 * 1024)) return;
      waiting.shift();
      bytes -= next.size;
      yield placed(next);
    }
  }

  return {
    /** `undefined` stands for one that comes too late. */
    add(item: Lasting): readonly (Placed | undefined)[] {
      const { sentAt, answeredAt } = item.entry.exchange;
      if (answeredAt < last) return [undefined];
      newest = Math.max(newest, sentAt);
      const index = bisect(waiting.length, (n) => (waiting[n]?.entry.exchange.answeredAt ?? Infinity) > answeredAt);
      waiting.splice(index, 0, item);
      bytes += item.size;
      return [...ready(newest - MAX_LATE_MS)];
    },
    end: (): readonly Placed[] => [...ready(Infinity)],
  };
}
