import { field } from '../json.ts';
import { parseTimestamp } from '../results/timestamps.ts';
import { isAnswered, type Exchange } from './exchange.ts';

/** When an answer came: its `Date`, and what our clock said. */
export interface Stamp {
  readonly date: string | undefined;
  readonly at: number;
}

export const stampOf = ({ answer, answeredAt }: Exchange): Stamp => ({ date: answer?.headers['date'], at: answeredAt });

/** What time it may be at the target. */
export interface Clock {
  /** Learns from what was just created by which clock the target goes. */
  see(exchange: Exchange): void;
  /**
   * The instants that it may have been, in epoch milliseconds: two where the `Date` of an answer is far from our own
   * time and nothing shows which of them the target goes by.
   */
  instants(stamp: Stamp): readonly number[];
}

/** Clocks that differ by less are taken for the same; the bounds of windows have room for more. */
const SAME_MS = 3_600_000;

/**
 * The `Date` header says what time it is at the target, but it may be nonsense, and the specification asks for none.
 * `fixed` stands for all of it, for tests.
 */
export function createClock(fixed?: number): Clock {
  let goesBy: 'date' | 'own' | undefined;
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= SAME_MS;
  return {
    see(exchange) {
      if (goesBy !== undefined || exchange.method !== 'POST' || !isAnswered(exchange) || !exchange.answer.accepted)
        return;
      const { endpoint, answer } = exchange;
      const name = endpoint === 'create-workspace' ? 'workspace' : 'agent';
      const made = parseTimestamp(field(answer.json, name, 'createdAt'));
      const { date, at } = stampOf(exchange);
      const shown = instantOf(date);
      if (!made?.zoneKnown || shown === undefined || isNear(shown, at)) return;
      if (isNear(made.ms, shown)) goesBy = 'date';
      else if (isNear(made.ms, at)) goesBy = 'own';
    },
    instants({ date, at }) {
      if (fixed !== undefined) return [fixed];
      const shown = instantOf(date);
      if (shown === undefined || goesBy === 'own') return [at];
      return isNear(shown, at) || goesBy === 'date' ? [shown] : [shown, at];
    },
  };
}

function instantOf(date: string | undefined): number | undefined {
  const ms = date === undefined ? Number.NaN : Date.parse(date);
  return ms > Date.UTC(2000, 0, 1) && ms < Date.UTC(2200, 0, 1) ? ms : undefined;
}
