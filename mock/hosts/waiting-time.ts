import type { Wire } from '../call.ts';

/**
 * Milliseconds until the last byte of an answer is there. For hosts that can only hand over whole answers: one that is
 * to be sent slowly comes whole, as late as its end would.
 */
export function waitingTime({ body, delivery }: Wire): number {
  const { delay = 0, rate } = delivery ?? {};
  return delay + (rate === undefined ? 0 : (new TextEncoder().encode(body).length / rate) * 1000);
}
