import { endpointIds, endpoints, type CreatingEndpoint } from '../../../spec/index.ts';
import type { Finding, Judge, Verdict } from '../../check.ts';
import { present } from '../../collections.ts';
import { parseTimestamp } from '../../content/timestamps.ts';
import { isSameImport } from '../../history/facts/agents.ts';
import { SKEW_MS, stampOf, type Stamp } from '../../history/facts/clock.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isAccepted, type Exchange } from '../../http/exchange.ts';
import { field, stringAt } from '../../json.ts';
import { show } from '../../show.ts';

/** Judges that every new identifier of an agent, or of a workspace, is unique among creations and given ids; and its dates. */
export function judgeNewIds(facts: Facts, endpoint: CreatingEndpoint): Judge {
  const { agents, workspaces, policy, excuses } = facts;
  const dates = judgeDates(facts, endpoint);
  const { holds } = endpoints[endpoint];
  const creators = endpointIds.filter((id) => endpoints[id].method === 'POST' && endpoints[id].holds === holds);
  const known = holds === 'agent' ? agents : workspaces;
  let ours = 0;
  let all = 0;
  return {
    see(exchange, verdict) {
      dates.see(exchange, verdict);
      const { n, begun, excerpt, method } = exchange;
      if (!creators.includes(exchange.endpoint) || method !== 'POST' || !isAccepted(exchange)) return;
      const id = stringAt(exchange.answer.json, holds, 'id');
      const fact = known.get(id);
      if (!fact) return;
      all++;
      if (exchange.endpoint !== endpoint) return;
      ours++;
      const { creation } = fact;
      if (creation?.n === n || isSameImport(creation, exchange)) return;
      // Tests that reset their data see the same identifiers again: then the first of the two was gone.
      const isAtOnce = creation !== undefined && begun < creation.n;
      if (!isAtOnce && policy.isShared) return excuses.use('reset', n);
      verdict.findings.push({
        expected: `an identifier that no other ${holds} has`,
        actual: `${show(id)}, which ${creation ? 'an earlier answer held' : `another ${holds} has`}`,
        at: `/${holds}/id`,
        exchanges: present(creation?.excerpt, excerpt),
      });
    },
    conclude(verdict) {
      dates.conclude(verdict);
      verdict.judged = all > 1 ? ours : 0;
      if (all > 1 || (holds === 'agent' && ours === 0)) return;
      verdict.missing = {
        reason: `No two ${holds}s were seen whose id is a string.`,
        supply: holds === 'agent' ? undefined : 'a token that may create workspaces',
      };
    },
  };
}

const QUARTER = 900_000;
const MAX_DATED = 2_000;

/** Judges that what is made is dated by the clock of the rest, and not as updated before. An import may keep its dates. */
function judgeDates({ clock }: Facts, endpoint: CreatingEndpoint) {
  const { holds, does } = endpoints[endpoint];
  const dated: { readonly finding: Finding; readonly ms: number; readonly stamp: Stamp }[] = [];
  const requirement = 'creation-dated-when-made' as const;
  return {
    see(exchange: Exchange, { findings }: Verdict): void {
      const { excerpt, answer, sent, method } = exchange;
      if (exchange.endpoint !== endpoint || does === 'imports' || method !== 'POST' || !isAccepted(exchange)) return;
      const [createdAt, updatedAt] = ['createdAt', 'updatedAt'].map((name) => field(answer?.json, holds, name));
      const [created, updated] = [parseTimestamp(createdAt), parseTimestamp(updatedAt)];
      const isOwn = field(sent, holds, 'createdAt') === undefined && field(sent, holds, 'updatedAt') === undefined;
      if (!created?.zoneKnown || !isOwn) return;
      const exchanges = [excerpt];
      // A round time may have been cut, or stand for none.
      if (updated?.zoneKnown === true && updated.ms % QUARTER !== 0 && created.ms - updated.ms > SKEW_MS)
        findings.push({
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
    conclude({ findings }: Verdict): void {
      for (const { finding, ms, stamp } of dated) if (clock.isAstray(ms, stamp)) findings.push(finding);
    },
  };
}
