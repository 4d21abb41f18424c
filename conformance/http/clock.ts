import type { EndpointId } from '../../spec/index.ts';
import { field } from '../expect.ts';
import { parseTimestamp } from '../results/timestamps.ts';

/** What time it may be at the target. */
export interface TargetClock {
  /**
   * The instants that it may be, in epoch milliseconds: two where the `Date` of an answer is far from our own time and
   * nothing shows which of them the target goes by.
   */
  readonly instants: (date: string | undefined) => readonly number[];
  /** Learns from what was just created by which clock the target goes. */
  readonly learn: (endpoint: EndpointId, date: string | undefined, json: unknown) => void;
}

/** Clocks that differ by less are taken for the same; the bounds of windows have room for more. */
const SAME_MS = 3_600_000;

/**
 * The `Date` header says what time it is at the target, but it may be nonsense, and the specification asks for none.
 * `own` is our clock; `fixed` stands for all of it, for tests.
 */
export function createTargetClock(fixed?: number, own: () => number = Date.now): TargetClock {
  let goesBy: 'date' | 'own' | undefined;
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= SAME_MS;
  return {
    instants(date) {
      if (fixed !== undefined) return [fixed];
      const shown = instantOf(date);
      const ours = own();
      if (shown === undefined || goesBy === 'own') return [ours];
      return isNear(shown, ours) || goesBy === 'date' ? [shown] : [shown, ours];
    },
    learn(endpoint, date, json) {
      const made = parseTimestamp(field(json, endpoint === 'create-workspace' ? 'workspace' : 'agent', 'createdAt'));
      const shown = instantOf(date);
      if (goesBy !== undefined || !made?.zoneKnown || shown === undefined || isNear(shown, own())) return;
      if (isNear(made.ms, shown)) goesBy = 'date';
      else if (isNear(made.ms, own())) goesBy = 'own';
    },
  };
}

function instantOf(date: string | undefined): number | undefined {
  const ms = date === undefined ? Number.NaN : Date.parse(date);
  return ms > Date.UTC(2000, 0, 1) && ms < Date.UTC(2200, 0, 1) ? ms : undefined;
}
