import { field } from '../../json.ts';
import { parseTimestamp } from '../../results/timestamps.ts';
import { isAnswered, type Exchange } from '../exchange.ts';

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
   * time and nothing shows which of them the target goes by; none where what was created shows that no clock can be
   * trusted.
   */
  instants(stamp: Stamp): readonly number[];
  /** Why no clock can be trusted, where none can. */
  readonly distrust: string | undefined;
}

/** Clocks that differ by less count as the same; the bounds of windows have room for more. */
const SAME_MS = 3_600_000;

/** What one creation shows: its `createdAt` against our own clock. */
interface Reading {
  readonly offset: number;
  readonly isNumber: boolean;
  readonly createdAt: unknown;
}

/**
 * The `Date` header says what time it is at the target, but it may be nonsense, and the specification asks for none.
 * What was just created says it better: where neither `Date` nor our clock fits it, a steady offset does, and if
 * there is none, or the number is no epoch, nothing does. `fixed` is what the user says that it is; a number that is no
 * epoch is none by that clock either. In foreign traffic the target may be held at another time, as tests do it, while
 * `Date` goes on: there nothing is known until a creation shows it.
 */
export function createClock(fixed?: number, { isForeign = false }: { readonly isForeign?: boolean } = {}): Clock {
  let goesBy: 'date' | 'own' | undefined;
  /** Something that was created has the time of `Date`, or of our clock. */
  let isShown = !isForeign;
  let strange: { readonly first: Reading; isSteady: boolean } | undefined;

  /** A few creations by a clock that is neither ours nor that of `Date`. */
  const learnStrange = (reading: Reading): void => {
    strange ??= { first: reading, isSteady: true };
    if (reading.isNumber || !isNear(reading.offset, strange.first.offset)) strange.isSteady = false;
  };

  /** What was created has a number for its time that lies near no clock. */
  const isNoEpoch = (): boolean => goesBy === undefined && strange?.first.isNumber === true;

  const distrust = (): string | undefined => {
    if (!isShown && fixed === undefined) return 'no creation shows its clock';
    return strange && (isNoEpoch() || (fixed === undefined && goesBy === undefined && !strange.isSteady))
      ? `a new item has the createdAt ${shown(strange.first.createdAt)}, which fits neither the Date header nor our clock`
      : undefined;
  };

  return {
    see(exchange) {
      if (goesBy !== undefined || exchange.method !== 'POST' || !isAnswered(exchange) || !exchange.answer.accepted)
        return;
      const { endpoint, answer } = exchange;
      const name = endpoint === 'create-workspace' ? 'workspace' : 'agent';
      const createdAt = field(answer.json, name, 'createdAt');
      const made = parseTimestamp(createdAt);
      // An import may keep the times of what was imported.
      if (!made?.zoneKnown || endpoint === 'import-agent') return;
      const { date, at } = stampOf(exchange);
      const instant = instantOf(date);
      const fitsOwn = isNear(made.ms, at);
      const fitsDate = isNear(made.ms, instant);
      isShown = true;
      if (!fitsOwn && !fitsDate) learnStrange({ offset: made.ms - at, isNumber: made.form === 'epoch', createdAt });
      else if (instant !== undefined && !isNear(instant, at)) goesBy = fitsDate ? 'date' : 'own';
    },
    instants({ date, at }) {
      if (fixed !== undefined) return isNoEpoch() ? [] : [fixed];
      const instant = instantOf(date);
      if (!isShown) return [];
      if (goesBy === 'own') return [at];
      if (goesBy === 'date' && instant !== undefined) return [instant];
      if (strange) return strange.isSteady ? [at + strange.first.offset] : [];
      if (instant === undefined) return [at];
      return isNear(instant, at) ? [instant] : [instant, at];
    },
    get distrust() {
      return distrust();
    },
  };
}

/** Nothing is near to a time that is not known. */
const isNear = (one: number, other = Number.NaN): boolean => Math.abs(one - other) <= SAME_MS;

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'nothing';

function instantOf(date: string | undefined): number | undefined {
  const ms = date === undefined ? Number.NaN : Date.parse(date);
  return ms > Date.UTC(2000, 0, 1) && ms < Date.UTC(2200, 0, 1) ? ms : undefined;
}
