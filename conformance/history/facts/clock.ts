import { endpoints } from '../../../spec/index.ts';
import { field } from '../../json.ts';
import { parseTimestamp } from '../../content/timestamps.ts';
import { isAccepted, type Exchange } from '../../http/exchange.ts';
import { ownTraffic, type Policy } from '../policy.ts';

/** When an answer came, by its `Date` header and by our clock. */
export interface Stamp {
  readonly date: string | undefined;
  readonly at: number;
}

export const stampOf = ({ answer, answeredAt }: Exchange): Stamp => ({ date: answer?.headers['date'], at: answeredAt });

export type TargetClock = ReturnType<typeof createTargetClock>;

/** Clocks that differ by less count as the same; the bounds of windows leave room for more. */
const SAME_MS = 3_600_000;

/**
 * The `Date` header tells the time at the target, but it is optional and may be wrong. Creations are better evidence:
 * if `createdAt` fits neither `Date` nor our clock, a steady offset from our clock counts. Without one, or if the
 * number is not an epoch, no clock counts. `fixed` is the time that the user states, and a number that is not an epoch
 * is none by that clock either. Where the policy trusts no clock, the time is unknown until a creation shows it.
 */
export function createTargetClock(fixed?: number, { trustsClocks }: Pick<Policy, 'trustsClocks'> = ownTraffic) {
  let goesBy: 'date' | 'own' | undefined;
  /** A creation had the time of `Date` or of our clock. */
  let isShown = trustsClocks;
  /** The first creation with a clock that is neither ours nor that of `Date`, and whether the next ones agree with it. */
  let strange: { offset: number; isNumber: boolean; createdAt: unknown; isSteady: boolean } | undefined;

  /** A creation had a number as its time that is near no clock. */
  const isNoEpoch = (): boolean => goesBy === undefined && strange?.isNumber === true;

  return {
    see(exchange: Exchange): void {
      if (goesBy !== undefined || exchange.method !== 'POST' || !isAccepted(exchange)) return;
      const { endpoint, answer } = exchange;
      const { does, holds: name } = endpoints[endpoint];
      const createdAt = field(answer.json, name, 'createdAt');
      const created = parseTimestamp(createdAt);
      // An import may keep the original times.
      if (!created?.zoneKnown || does === 'imports') return;
      const { date, at } = stampOf(exchange);
      const instant = instantOf(date);
      const fitsOwn = isNear(created.ms, at);
      const fitsDate = isNear(created.ms, instant);
      isShown = true;
      if (!fitsOwn && !fitsDate) {
        const [offset, isNumber] = [created.ms - at, created.form === 'epoch'];
        strange ??= { offset, isNumber, createdAt, isSteady: true };
        if (isNumber || !isNear(offset, strange.offset)) strange.isSteady = false;
      } else if (instant !== undefined && !isNear(instant, at)) goesBy = fitsDate ? 'date' : 'own';
    },
    /** The instants an answer may be of: two if `Date` is far off and unproven, none if no clock can be trusted. */
    instants({ date, at }: Stamp): readonly number[] {
      if (fixed !== undefined) {
        if (isNoEpoch()) return [];
        return [fixed];
      }
      const instant = instantOf(date);
      if (!isShown) return [];
      if (goesBy === 'own') return [at];
      if (goesBy === 'date' && instant !== undefined) return [instant];
      if (strange) return strange.isSteady ? [at + strange.offset] : [];
      if (instant === undefined) return [at];
      if (isNear(instant, at)) return [instant];
      return [instant, at];
    },
    get distrust(): string | undefined {
      if (!isShown && fixed === undefined) return 'no creation shows its clock';
      if (strange && (isNoEpoch() || (fixed === undefined && goesBy === undefined && !strange.isSteady)))
        return `a new item has the createdAt ${JSON.stringify(strange.createdAt)?.slice(0, 60)}, which fits neither the Date header nor our clock`;
      return undefined;
    },
  };
}

/** Nothing is near an unknown time. */
const isNear = (one: number, other = Number.NaN): boolean => Math.abs(one - other) <= SAME_MS;

function instantOf(date: string | undefined): number | undefined {
  const ms = date === undefined ? Number.NaN : Date.parse(date);
  if (ms > Date.UTC(2000, 0, 1) && ms < Date.UTC(2200, 0, 1)) return ms;
  return undefined;
}
