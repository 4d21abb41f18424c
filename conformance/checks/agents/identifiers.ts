import { endpointIds, endpoints, type CreatingEndpoint } from '../../../spec/index.ts';
import type { Judge } from '../../check.ts';
import { present } from '../../collections.ts';
import { isSameImport } from '../../history/facts/agents.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isAccepted } from '../../http/exchange.ts';
import { stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { judgeDates } from './dates.ts';

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
