import type { EndpointId } from '../../../spec/index.ts';
import type { Answer } from '../../http/exchange.ts';
import { counted } from '../../show.ts';
import { CannotProbe } from '../cannot-probe.ts';

/** The longest that a run waits for nothing, after 429 and 503; less before anything was served. */
const [MAX_VAIN_MS, MAX_VAIN_AT_FIRST_MS] = [30_000, 8_000];
/** The longest pause that the target may ask for. */
const MAX_PAUSE_MS = 30_000;

/** Decides when the next request may start: within the user's rate, and after the pauses that 429 and 503 ask for. */
export function createPauses(
  { rps, sleep }: { readonly rps?: number | undefined; readonly sleep: (ms: number) => Promise<void> },
  timeLeft: () => number,
  limited: number[],
) {
  let nextSlot = 0;
  /** While the target asks one request to wait, no other request starts. */
  let rest: Promise<void> | undefined;
  /** Milliseconds that were waited for nothing, and endpoints that were waited for long enough. */
  let vain = 0;
  let isAnyServed = false;
  const exhausted = new Set<EndpointId>();

  async function restFor(ms: number): Promise<void> {
    if (ms <= 0) return;
    const own = sleep(ms);
    rest = own;
    await own;
    if (rest === own) rest = undefined;
  }

  return {
    /** Resolves when the next request may start. @throws CannotProbe if the run ends before. */
    async turn(): Promise<void> {
      for (let pause = rest; pause; pause = rest) await pause;
      if (rps === undefined) return;
      const now = performance.now();
      const slot = Math.max(now, nextSlot);
      if (slot - now > timeLeft()) throw new CannotProbe('The time for the run was over.');
      nextSlot = slot + 1000 / rps;
      if (slot > now) await sleep(slot - now);
    },
    /**
     * Repeats a request that was answered 429 or 503, after the pause that the target asks for, or after some silence. All
     * other requests wait too. @throws CannotProbe if the target keeps refusing, or asks for too long a pause; the next
     * request to that endpoint is then sent without patience.
     */
    async patiently<Done extends { answer: Answer }>(endpoint: EndpointId, send: () => Promise<Done>): Promise<Done> {
      let [waited, inVain] = [0, 0];
      for (let attempt = 1; ; attempt++) {
        const done = await send();
        const { status, headers } = done.answer;
        if (status !== 429 && status !== 503) {
          isAnyServed = true;
          exhausted.delete(endpoint);
          vain -= inVain;
          return done;
        }
        limited.push(status);
        const asked = retryAfter(headers['retry-after'], Date.now());
        const pause = asked ?? 500 * 2 ** (attempt - 1);
        const left = (isAnyServed ? MAX_VAIN_MS : MAX_VAIN_AT_FIRST_MS) - vain;
        const isLast = exhausted.has(endpoint) || attempt >= 8;
        if (isLast || pause > Math.min(left, MAX_PAUSE_MS, timeLeft())) {
          exhausted.add(endpoint);
          const wait = pause > MAX_PAUSE_MS ? ` and asks to wait ${Math.round(pause / 1000)} seconds` : '';
          const within = waited > 0 ? ` within ${Math.round(waited / 1000)} seconds` : '';
          throw new CannotProbe(`The target answers ${status}${wait}, after ${counted(attempt, 'request')}${within}.`);
        }
        waited += pause;
        // While another request waits too, time is spent once.
        if (!rest) vain += pause;
        // If the target named the pause, and answers otherwise after one or two, it was not in vain.
        if (asked !== undefined && attempt <= 2 && !rest) inVain += pause;
        await restFor(pause);
      }
    },
  };
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
