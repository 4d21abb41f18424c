import { endpointIds, isReadingAgent } from '../../../spec/index.ts';
import type { Judge } from '../../check.ts';
import type { Facts } from '../../history/facts/facts.ts';
import type { BlamedList } from '../../history/facts/list-refusals.ts';
import { describeQuery } from '../../history/facts/selection.ts';
import { isAccepted, ownerOf, type Excerpt } from '../../http/exchange.ts';
import { GONE } from '../../http/statuses.ts';
import { stringAt } from '../../json.ts';
import { refused } from '../agents/refusals.ts';
import { AGENT_WITH_RESULTS } from './pages.ts';

/** Why a list must be there, in words, with the exchange that shows it. */
type Proof = readonly [agent: string, excerpt: Excerpt];

/** Judges that List results works for every existing agent, and without parameters. */
export function judgeListsAccepted(facts: Facts): Judge {
  const { lists, listRefusals, policy } = facts;
  /** The last accepted reading of each agent by a caller who is no guest. */
  const read = new Map<string, Excerpt>();
  return {
    see(exchange) {
      const { endpoint, excerpt } = exchange;
      if (!isReadingAgent(endpoint) || !isAccepted(exchange) || read.size > 1000) return;
      if (stringAt(exchange.answer.json, 'currentUserMode') === 'guest') read.delete(ownerOf(exchange));
      else read.set(ownerOf(exchange), excerpt);
    },
    conclude(verdict) {
      const refusals = listRefusals.all().filter(({ by }) => by === 'request');
      for (const list of refusals) {
        const { control, usual, selection } = list;
        let proof: Proof | undefined;
        if (usual) proof = ['the same request in the usual form', usual];
        else if (!policy.isShared) proof = mustBeThere(facts, list, read.get(list.of));
        // Nothing in the request itself may have caused its refusal, while others were answered.
        else if (control && selection.cursor === undefined)
          proof = ['an agent whose lists are answered before and after', control];
        if (!proof) continue;
        const [agent, excerpt] = proof;
        const request = `List results ${describeQuery(list.query)}`;
        verdict.findings.push({
          ...refused(request, list, [excerpt]),
          expected: list.usual ? `${request} is accepted in any form` : `${request} is accepted for ${agent}`,
        });
      }
      const [first] = refusals;
      if (lists.all.length > 0) verdict.judged = listRefusals.count('request');
      else if (first)
        verdict.missing = { reason: `List results answered ${first.status}.`, supply: AGENT_WITH_RESULTS };
    },
  };
}

/** Why a refusal is not the user's mistake: the same caller reads the agent, or the history created it. */
function mustBeThere({ agents, traffic }: Facts, list: BlamedList, reading: Excerpt | undefined): Proof | undefined {
  const creation = agents.creationOf(list.agentId);
  if (reading) return ['an agent that Get agent returns', reading];
  if (creation) return ['a new agent', creation.excerpt];
  if (GONE.has(list.status) || traffic.accepted === 0) return undefined;
  const accepted = endpointIds.flatMap((id) => traffic.of(id).firstAccepted ?? [])[0];
  return accepted && ['a caller whose other requests are accepted', accepted.excerpt];
}
