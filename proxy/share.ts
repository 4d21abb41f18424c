import { crc32 } from 'node:zlib';

/** What is judged: every agent, or a share of them, each with all its requests. */
export type Share = ReturnType<typeof createShare>;

/** Bytes that may wait for the judge. Beyond them the share halves, and again after each further quarter. */
const MOST_WAITING = 64 * 1024 * 1024;
/** Halvings, after which nothing is judged until the judge has caught up. */
const MOST_HALVINGS = 5;
/** Milliseconds without anything waiting, after which the share doubles. */
const CALM_MS = 5_000;

/**
 * Chooses agents by their identifiers, so that of a chosen agent everything is seen: all callers, whole lists, and what was
 * created before it is read. Every process chooses the same ones. Under load fewer are chosen; before more are chosen again, all
 * that is known is concluded, since of those nobody saw what came between.
 * @param sample the share that the user wants, above 0 and up to 1
 */
export function createShare(sample = 1, now: () => number = () => performance.now(), mostWaiting = MOST_WAITING) {
  let halvings = 0;
  let busyAt = -Infinity;
  let begins = false;
  const share = {
    get now(): number {
      return halvings >= MOST_HALVINGS ? 0 : sample / 2 ** halvings;
    },
    /** Whether the exchange that is sent next begins anew: nothing is compared with what was before it. */
    takeBegin(): boolean {
      const was = begins;
      begins = false;
      return was;
    },
    waiting(bytes: number): void {
      if (bytes > 0) busyAt = now();
      if (bytes > mostWaiting * (1 + halvings / 4) && halvings < MOST_HALVINGS) halvings++;
      else if (bytes === 0 && halvings > 0 && now() - busyAt > CALM_MS) {
        halvings--;
        begins = true;
        busyAt = now();
      }
    },
    /** Whether to judge a request, or why not. What names no agent, such as a creation, costs little and is always judged. */
    of(path: string): 'judged' | 'sampled' | 'not-judged' {
      const current = share.now;
      if (current === 1) return 'judged';
      const [, agentId] = /\/api\/v1\/agents\/([^/?]+)/.exec(path) ?? [];
      const place = agentId === undefined || agentId === 'import' ? 0 : crc32(agentId) / 2 ** 32;
      if (place < current) return 'judged';
      return place < sample ? 'not-judged' : 'sampled';
    },
  };
  return share;
}
