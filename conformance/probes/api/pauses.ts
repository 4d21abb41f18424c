import type { EndpointId } from '../../../spec/index.ts';
import type { Answer } from '../../http/exchange.ts';
import { counted } from '../../show.ts';
import type { RunOptions } from '../../run-options.ts';
import { CannotProbe } from '../cannot-probe.ts';

/** The longest that a run waits for nothing, after 429 and 503; less before anything was served. */
const [MAX_VAIN_MS, MAX_VAIN_AT_FIRST_MS] = [30_000, 8_000];
/** The longest pause that the target may ask for. */
const MAX_PAUSE_MS = 30_000;
/** So often a request is asked to wait while others are in flight, until fewer are. */
const BESIDE_OTHERS = 6;

export interface ApiStatistics {
  /** Requests sent, retries included. */
  requests: number;
  answers: number;
  /** Answers that broke off, or could not be unpacked. */
  begun: number;
  /** The statuses of answers with 429 or 503. */
  readonly limited: number[];
  lastFailure?: string;
  givenUp?: string;
  /** That the run sent as many as it may, once it would have sent more. */
  spent?: string;
  /** That the run went on with fewer requests at once, and why. */
  narrowed?: string;
}

type Rate = Pick<RunOptions, 'rps' | 'concurrency'> & Required<Pick<RunOptions, 'sleep'>>;

/** Decides when the next request may start: within the user's limits, and after the pauses that 429 and 503 ask for. */
export function createPauses({ rps, concurrency, sleep }: Rate, timeLeft: () => number, statistics: ApiStatistics) {
  let width = concurrency ?? Infinity;
  let nextSlot = 0;
  const inFlight = new Set<Promise<unknown>>();
  /** While the target asks one request to wait, or one has to be alone, no other request starts. */
  let rest: Promise<unknown> | undefined;
  /** Milliseconds that were waited for nothing, and endpoints that were waited for long enough. */
  let vain = 0;
  let isAnyServed = false;
  let beside = 0;
  const exhausted = new Set<EndpointId>();

  async function restUntil<T>(over: Promise<T>): Promise<T> {
    const own = Promise.allSettled([rest, over]);
    rest = own;
    await own;
    if (rest === own) rest = undefined;
    return over;
  }

  /** Resolves within the user's rate. @throws CannotProbe if the run ends before. */
  async function slot(): Promise<void> {
    if (rps === undefined) return;
    const now = performance.now();
    const next = Math.max(now, nextSlot);
    if (next - now > timeLeft()) throw new CannotProbe('The time for the run was over.');
    nextSlot = next + 1000 / rps;
    if (next > now) await sleep(next - now);
  }

  const isFull = (): boolean => rest !== undefined || inFlight.size >= width;
  /** Resolves once those that are in flight now are complete. */
  const idle = (): Promise<unknown> => Promise.allSettled(inFlight);

  /** From now on fewer requests are in flight: two, and then one. */
  function narrow(why: string): void {
    width = Math.max(1, Math.min(2, width - 1));
    statistics.narrowed = `${why}, so the run went on with ${width} at once: --concurrency ${width} begins so.`;
  }

  return {
    idle,
    /** Sends when the next request may start. @throws CannotProbe if the run ends before. */
    async inTurn<T>(send: () => Promise<T>): Promise<T> {
      while (isFull()) await (rest ?? Promise.race(inFlight).catch(() => undefined));
      const sent = slot().then(send);
      inFlight.add(sent);
      return sent.finally(() => inFlight.delete(sent));
    },
    /** Does work, which may send requests, while no other is in flight. */
    async alone<T>(work: () => Promise<T>): Promise<T> {
      for (let pause = rest; pause; pause = rest) await pause;
      return restUntil(idle().then(work));
    },
    narrow,
    /**
     * Repeats a request that was answered 429 or 503, after the pause that the target asks for, or after some silence. All
     * other requests wait too. @throws CannotProbe if the target keeps refusing, or asks for too long a pause; the next
     * request to that endpoint is then sent without patience. What one of many wrong callers was answered is left as it is.
     */
    async patiently<Done extends { answer: Answer }>(
      endpoint: EndpointId,
      send: () => Promise<Done>,
      isEnough: (attempt: number) => boolean = () => false,
    ): Promise<Done> {
      let [waited, inVain] = [0, 0];
      for (let attempt = 1; ; attempt++) {
        const before = width;
        const done = await send();
        const { status, headers } = done.answer;
        if (status !== 429 && status !== 503) {
          isAnyServed = true;
          exhausted.delete(endpoint);
          vain -= inVain;
          return done;
        }
        statistics.limited.push(status);
        if (isEnough(attempt)) return done;
        if (width > 1 && width === before && inFlight.size > 0 && ++beside % BESIDE_OTHERS === 0)
          narrow(`${counted(beside, 'answer')} of 429 or 503 came while others were awaited`);
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
        if (pause > 0) await restUntil(sleep(pause));
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
