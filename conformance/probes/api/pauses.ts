import type { Answer } from '../../http/exchange.ts';
import { count } from '../../show.ts';
import { CannotProbe } from '../cannot-probe.ts';
import { PATIENCE } from './patience.ts';

const MAX_TRIES = 6;
/** After answers with 503 that name no pause. */
const TRIES_OF_SILENT = 3;
/** The longest time that one call waits in total because the target asks for it. */
const MAX_WAIT_MS = 30_000;

/** Decides when the next request may start: within the user's rate, and after the pauses that 429 and 503 ask for. */
export interface Pauses {
  /** Resolves when the next request may start. @throws CannotProbe if the run ends before. */
  turn(): Promise<void>;
  /**
   * Retries a request that was answered 429 or 503, after the pause that the target asks for. All other requests wait
   * too. @throws CannotProbe if the target keeps refusing, or asks for too long a pause.
   */
  patiently<Done extends { readonly answer: Answer }>(send: () => Promise<Done>): Promise<Done>;
}

interface PausesOptions {
  /** Requests per second. Default: no limit. */
  readonly rps?: number | undefined;
  /** Waits, but not beyond the end of the run. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds that are left of the run. */
  readonly timeLeft: () => number;
  /** Gets the statuses of answers with 429 or 503. */
  readonly limited: number[];
}

export function createPauses({ rps, sleep, timeLeft, limited }: PausesOptions): Pauses {
  let exhausted = 0;
  let nextSlot = 0;
  /** While the target asks one request to wait, no other request starts. */
  let rest: Promise<void> | undefined;

  async function restFor(ms: number): Promise<void> {
    if (ms <= 0) return;
    const own = sleep(ms);
    rest = own;
    await own;
    if (rest === own) rest = undefined;
  }

  return {
    async turn() {
      for (let pause = rest; pause; pause = rest) await pause;
      if (rps === undefined) return;
      const now = performance.now();
      const slot = Math.max(now, nextSlot);
      if (slot - now > timeLeft()) throw new CannotProbe('The time for the run was over.');
      nextSlot = slot + 1000 / rps;
      if (slot > now) await sleep(slot - now);
    },
    async patiently(send) {
      let waited = 0;
      for (let attempt = 1; ; attempt++) {
        const done = await send();
        const { status, headers } = done.answer;
        if (status !== 429 && status !== 503) {
          exhausted = 0;
          return done;
        }
        limited.push(status);
        const asked = retryAfter(headers['retry-after'], Date.now());
        const pause = asked ?? 250 * 2 ** attempt;
        const tries = status === 503 && headers['retry-after'] === undefined ? TRIES_OF_SILENT : MAX_TRIES;
        const isLast = exhausted >= PATIENCE || attempt >= tries;
        if (isLast || waited + pause > Math.min(MAX_WAIT_MS, timeLeft())) {
          exhausted++;
          throw new CannotProbe(stillRefused(status, pause, attempt));
        }
        waited += pause;
        await restFor(pause);
      }
    },
  };
}

function stillRefused(status: number, pause: number, attempts: number): string {
  const wait = pause > MAX_WAIT_MS ? ` and asks to wait ${Math.round(pause / 1000)} seconds` : '';
  return `The target answers ${status}${wait}, after ${count(attempts, 'request')}.`;
}

/** Milliseconds to wait, from seconds or an HTTP date. */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  if (Number.isNaN(date)) return undefined;
  return Math.max(0, date - now);
}
