import { endpoints, type CreatingEndpoint } from '../../../spec/index.ts';
import type { Finding, Judge } from '../../check.ts';
import { parseTimestamp } from '../../content/timestamps.ts';
import { SKEW_MS, stampOf, type Stamp } from '../../history/facts/clock.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isAccepted } from '../../http/exchange.ts';
import { field } from '../../json.ts';
import { show } from '../../show.ts';

const QUARTER = 900_000;
const MAX_DATED = 2_000;

/** Judges that what is made is dated by the clock of the rest, and not as updated before. An import may keep its dates. */
export function judgeDates({ clock }: Facts, endpoint: CreatingEndpoint): Required<Pick<Judge, 'see' | 'conclude'>> {
  const { holds, does } = endpoints[endpoint];
  const dated: { readonly finding: Finding; readonly ms: number; readonly stamp: Stamp }[] = [];
  const requirement = 'creation-dated-when-made' as const;
  return {
    see(exchange, verdict) {
      const { excerpt, answer, sent, method } = exchange;
      if (exchange.endpoint !== endpoint || does === 'imports' || method !== 'POST' || !isAccepted(exchange)) return;
      const [createdAt, updatedAt] = ['createdAt', 'updatedAt'].map((name) => field(answer?.json, holds, name));
      const [created, updated] = [parseTimestamp(createdAt), parseTimestamp(updatedAt)];
      const isOwn = field(sent, holds, 'createdAt') === undefined && field(sent, holds, 'updatedAt') === undefined;
      if (!created?.zoneKnown || !isOwn) return;
      const exchanges = [excerpt];
      // A round time may have been cut, or stand for none.
      if (updated?.zoneKnown === true && updated.ms % QUARTER !== 0 && created.ms - updated.ms > SKEW_MS)
        verdict.findings.push({
          expected: `no update before the creation, at ${show(createdAt)}`,
          actual: show(updatedAt),
          at: `/${holds}/updatedAt`,
          requirement,
          exchanges,
        });
      if (created.ms % QUARTER === 0 || dated.length >= MAX_DATED) return;
      const expected = 'the time of its creation, by the clock that dates what else is made';
      const finding = { expected, actual: show(createdAt), at: `/${holds}/createdAt`, requirement, exchanges } as const;
      dated.push({ finding, ms: created.ms, stamp: stampOf(exchange) });
    },
    conclude(verdict) {
      for (const { finding, ms, stamp } of dated) if (clock.isAstray(ms, stamp)) verdict.findings.push(finding);
    },
  };
}
