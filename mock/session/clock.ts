import { MockError } from '../mock-error.ts';
import type { ClockState } from '../state/snapshots.ts';

/** The clock that every timestamp and time filter of a session uses. Instants are epoch milliseconds. */
export interface Clock {
  now(): number;
  readonly isFrozen: boolean;
  /** Stops the clock, now or at the given instant. */
  freeze(at?: number): void;
  /** Moves the clock to an instant; it keeps running, or stays stopped. */
  set(at: number): void;
  /** Moves the clock forward; with a negative number, back. */
  advance(milliseconds: number): void;
  /** Starts a stopped clock from where it is. */
  resume(): void;
  readonly state: ClockState;
  restore(state: ClockState): void;
}

/** The instants that RFC 3339 can express with a four-digit year. */
const LEAST = Date.UTC(1, 0, 1);
const MOST = Date.UTC(9999, 11, 31);

/** @throws MockError from every method that would leave the years 1 to 9999. */
export function createClock(start: ClockState, realTime: () => number = Date.now): Clock {
  const now = (): number => ('frozenAt' in clock.state ? clock.state.frozenAt : realTime() + clock.state.offset);
  const clock: { -readonly [K in keyof Clock]: Clock[K] } = {
    now,
    isFrozen: 'frozenAt' in start,
    freeze: (at = now()) => clock.restore({ frozenAt: checked(at) }),
    set(at) {
      const instant = checked(at);
      clock.restore(clock.isFrozen ? { frozenAt: instant } : { offset: instant - realTime() });
    },
    advance: (milliseconds) => clock.set(now() + milliseconds),
    resume: () => clock.restore({ offset: now() - realTime() }),
    state: start,
    restore(state) {
      clock.state = state;
      clock.isFrozen = 'frozenAt' in state;
    },
  };
  return clock;
}

/** Epoch milliseconds of a text that begins with a full date; NaN for any other. */
export const parseInstant = (text: string): number => (/^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN);

export const isInstant = (at: unknown): boolean => typeof at === 'number' && at >= LEAST && at <= MOST;

function checked(at: number): number {
  if (isInstant(at)) return Math.floor(at);
  throw new MockError(`The clock cannot be set to ${at}. It takes epoch milliseconds of the years 1 to 9999.`);
}
