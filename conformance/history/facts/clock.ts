import { endpoints } from '../../../spec/index.ts';
import { field } from '../../json.ts';
import { parseTimestamp, type Timestamp } from '../../content/timestamps.ts';
import { isAccepted, type Exchange } from '../../http/exchange.ts';
import { ownTraffic, type Policy } from '../policy.ts';

/** When an answer came, by its `Date` header and by our clock. */
export type Stamp = ReturnType<typeof stampOf>;

export const stampOf = ({ answer, answeredAt }: Exchange) => ({ date: answer?.headers['date'], at: answeredAt });

/** Clocks that differ by less count as the same; the bounds of windows leave room for more. */
const SAME_MS = 3_600_000;
/** The machines of one service agree on the time better than this. */
export const SKEW_MS = 900_000;

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

  /** The clock by which a creation was dated: that of its `Date`, which not every answer need have, or one known always. */
  let fitBy: 'date' | 'own' | undefined;
  /** How far ahead of ours the furthest creation was, and the forms of all. */
  let ahead = -Infinity;
  const forms = new Set<Timestamp['form']>();

  const fits = (ms: number, { date, at }: Stamp): boolean =>
    [fixed, instantOf(date), at].some((one) => isNear(ms, one, SKEW_MS));

  /** A creation had a number as its time that is near no clock. */
  const isNoEpoch = (): boolean => goesBy === undefined && strange?.isNumber === true;

  return {
    see(exchange: Exchange): void {
      if (exchange.method !== 'POST' || !isAccepted(exchange)) return;
      const { endpoint, answer } = exchange;
      const { does, holds: name } = endpoints[endpoint];
      const createdAt = field(answer.json, name, 'createdAt');
      const created = parseTimestamp(createdAt);
      // An import may keep the original times.
      if (!created?.zoneKnown || does === 'imports') return;
      const stamp = stampOf(exchange);
      const { date, at } = stamp;
      if (fits(created.ms, { ...stamp, date: undefined })) fitBy = 'own';
      else if (fits(created.ms, stamp)) fitBy ??= 'date';
      ahead = Math.max(ahead, created.ms - at);
      forms.add(created.form);
      if (goesBy !== undefined) return;
      const instant = instantOf(date);
      const fitsOwn = isNear(created.ms, at);
      const fitsDate = isNear(created.ms, instant);
      isShown = true;
      if (fitsOwn || fitsDate) goesBy = fitsDate ? 'date' : 'own';
      else {
        const [offset, isNumber] = [created.ms - at, created.form === 'epoch'];
        strange ??= { offset, isNumber, createdAt, isSteady: true };
        if (isNumber || !isNear(offset, strange.offset)) strange.isSteady = false;
      }
    },
    /** Whether a time fits none of the clocks by which something else was dated. */
    isAstray: (ms: number, stamp: Stamp): boolean =>
      trustsClocks && (fitBy === 'own' || (fitBy === 'date' && stamp.date !== undefined)) && !fits(ms, stamp),
    /** Whether a time, written as those of creations, lies ahead of every clock. Without a zone it may be local. */
    isAhead({ ms, zoneKnown, form }: Timestamp, { date, at }: Stamp): boolean {
      if (!trustsClocks || !forms.has(form) || !zoneKnown) return false;
      return ms > Math.max(fixed ?? Math.max(at, instantOf(date) ?? at), at + ahead) + SKEW_MS;
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
      if (strange && goesBy === undefined) return strange.isSteady ? [at + strange.offset] : [];
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
const isNear = (one: number, other = Number.NaN, within = SAME_MS): boolean => Math.abs(one - other) <= within;

function instantOf(date: string | undefined): number | undefined {
  const ms = date === undefined ? Number.NaN : Date.parse(date);
  if (ms > Date.UTC(2000, 0, 1) && ms < Date.UTC(2200, 0, 1)) return ms;
  return undefined;
}
