import { LONGEST_DELAY } from '../wire/wire.ts';
import { MockError } from '../mock-error.ts';

/** A delay before each answer, in milliseconds; the names are WireMock's. */
export type Latency =
  | { readonly type: 'fixed'; readonly milliseconds: number }
  /** Evenly distributed from `lower` to `upper` inclusive. */
  | { readonly type: 'uniform'; readonly lower: number; readonly upper: number }
  /** Half of the delays are below `median`; `sigma` (0.1 is narrow, 1 is wide) says how long the tail is. */
  | { readonly type: 'lognormal'; readonly median: number; readonly sigma: number };

/** At most `requests` requests in each span of `seconds` seconds of the session's clock. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** How a session answers, as opposed to what it answers. */
export interface Settings {
  readonly latency?: Latency | undefined;
  readonly rateLimit?: RateLimit | undefined;
}

/** @throws MockError that names the setting, its value and what it must be. */
export function checkSettings(settings: Settings): Settings {
  const { latency, rateLimit } = settings;
  const inRange = (name: string, value: unknown, least: number, most: number): void => {
    if (typeof value === 'number' && value >= least && value <= most) return;
    throw new MockError(`${name} is ${JSON.stringify(value)}; it must be a number from ${least} to ${most}.`);
  };
  if (latency) {
    const { type, ...values }: Record<string, unknown> = { ...latency };
    const { lower = 0 } = values;
    const ranges: Readonly<Record<string, Readonly<Record<string, readonly [least: number, most: number]>>>> = {
      fixed: { milliseconds: [0, LONGEST_DELAY] },
      uniform: { lower: [0, LONGEST_DELAY], upper: [Number(lower), LONGEST_DELAY] },
      lognormal: { median: [0, LONGEST_DELAY], sigma: [0, 5] },
    };
    const known = new Map(Object.entries(ranges)).get(String(type));
    if (!known) {
      const is = JSON.stringify(type) ?? 'missing';
      throw new MockError(`latency.type is ${is}; it must be "fixed", "uniform" or "lognormal".`);
    }
    for (const [name, range] of Object.entries(known)) inRange(`latency.${name}`, values[name], ...range);
  }
  if (rateLimit) {
    inRange('rateLimit.requests', rateLimit.requests, 1, 1_000_000);
    inRange('rateLimit.seconds', rateLimit.seconds, 0.001, 86_400);
  }
  return { latency, rateLimit };
}

/** A delay in whole milliseconds; `random` gives fractions in [0, 1). */
export function drawDelay(latency: Latency, random: () => number): number {
  if (latency.type === 'fixed') return latency.milliseconds;
  if (latency.type === 'uniform') return Math.round(latency.lower + random() * (latency.upper - latency.lower));
  // The Box-Muller transform turns two uniform draws into a normal one.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(LONGEST_DELAY, Math.round(latency.median * Math.exp(latency.sigma * normal)));
}

/** A span begins with its first request. Setting the clock back begins a new one. */
export function createRateLimiter() {
  let began = -Infinity;
  let count = 0;
  return {
    /** Counts a request. Returns the seconds to wait if there were too many. `now` is in epoch milliseconds. */
    admit({ requests, seconds }: RateLimit, now: number): number | undefined {
      const length = seconds * 1000;
      if (now < began || now >= began + length) {
        began = now;
        count = 0;
      }
      count++;
      if (count <= requests) return undefined;
      return Math.max(1, Math.ceil((began + length - now) / 1000));
    },
  };
}
