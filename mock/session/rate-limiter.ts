import type { RateLimit } from './settings.ts';

export interface RateLimiter {
  /** Counts a request. Returns the seconds to wait if there were too many. `now` is in epoch milliseconds. */
  admit(limit: RateLimit, now: number): number | undefined;
}

/** A span begins with its first request. Setting the clock back begins a new one. */
export function createRateLimiter(): RateLimiter {
  let began = -Infinity;
  let count = 0;
  return {
    admit({ requests, seconds }, now) {
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
