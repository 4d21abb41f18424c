import { endpointIds, endpoints, isReadingAgent } from '../../../spec/index.ts';
import type { Check, Missing } from '../../check.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { describeQuery } from '../../history/facts/selection.ts';
import { isAnswered, ownerOf, type Excerpt } from '../../http/exchange.ts';
import { GONE } from '../../http/statuses.ts';
import { stringAt } from '../../json.ts';
import { otherAgents, plan, readings } from '../../probes/plan.ts';
import { plainRequest } from '../shape.ts';
import { createVerdict } from '../verdict-builder.ts';
import { AGENT_WITH_RESULTS } from './pages.ts';
import { createRefusals, isPlain, type BlamedList } from './refusals.ts';

/** What else the history shows of the agent of a refused list. */
interface Shown {
  /** An accepted answer of Get agent for the same agent and caller. */
  readonly reading: { readonly excerpt: Excerpt; readonly mode: string | undefined } | undefined;
  /** The `n` of the last accepted list. */
  readonly lastListed: number;
}

/** Why a list must be there, in words, with the exchange that shows it. */
interface Proof {
  readonly agent: string;
  readonly excerpt: Excerpt;
}

const MAX_AGENTS = 1000;

export const acceptsValidRequest: Check = {
  id: 'list-results-accepts-valid-request',
  title: 'List results works for every existing agent, and without parameters',
  endpoint: 'list-results',
  verifies: ['list-results-works', 'path-prefix'],
  provenBy: ['list-results-refused', 'list-results-not-there', 'created-agent-list-not-found'],
  probes: [
    plainRequest('list-results'),
    plan.walkWithoutParameters,
    ...readings,
    ...otherAgents,
    plan.readRefusedAgents,
  ],
  judge(facts) {
    const { lists, policy } = facts;
    const refusals = createRefusals();
    const shown = new Map<string, Shown>();
    const shownOf = (owner: string): Shown => shown.get(owner) ?? { reading: undefined, lastListed: 0 };
    return {
      see(exchange) {
        refusals.see(exchange);
        if (!isAnswered(exchange) || !exchange.answer.accepted || shown.size > MAX_AGENTS) return;
        const { endpoint, answer, excerpt, n } = exchange;
        const owner = ownerOf(exchange);
        if (isReadingAgent(endpoint))
          shown.set(owner, { ...shownOf(owner), reading: { excerpt, mode: stringAt(answer.json, 'currentUserMode') } });
        if (endpoints[endpoint].does === 'lists') shown.set(owner, { ...shownOf(owner), lastListed: n });
      },
      verdict() {
        const verdict = createVerdict();
        const refused = refusals.all().filter(({ by }) => by === 'request');
        for (const list of refused) {
          const proof =
            policy.contradiction === 'any' ? mustBeThere(facts, list, shownOf(list.of)) : isThereBetween(list);
          if (!proof) continue;
          verdict.found({
            expected: `List results ${describeQuery(list.query)} is accepted for ${proof.agent}`,
            actual: `the answer was ${list.status}`,
            exchanges: [proof.excerpt, list.excerpt],
          });
        }
        const { findings } = verdict.verdict();
        if (lists.all.length > 0) return { findings, judged: refusals.count('request') };
        return { findings, judged: 0, missing: missingOf(refused) };
      },
    };
  },
};

function missingOf([refused]: readonly BlamedList[]): Missing | undefined {
  return refused && { reason: `List results answered ${refused.status}.`, supply: AGENT_WITH_RESULTS };
}

function isThereBetween(list: BlamedList): Proof | undefined {
  if (!list.control || !isPlain(list)) return undefined;
  return { agent: 'an agent whose lists are answered before and after', excerpt: list.control };
}

/** Why a refusal is not the user's mistake: the same caller reads the agent, or the history created it. */
function mustBeThere(
  { agents, traffic }: Facts,
  { agentId, status, n }: BlamedList,
  { reading, lastListed }: Shown,
): Proof | undefined {
  const creation = agents.creationOf(agentId);
  // A new agent may take a moment to be found.
  if (creation && GONE.has(status) && lastListed > n) return undefined;
  if (reading && (reading.mode !== 'guest' || status >= 500))
    return { agent: 'an agent that Get agent returns', excerpt: reading.excerpt };
  if (creation) return { agent: 'a new agent', excerpt: creation.excerpt };
  if (GONE.has(status) || traffic.accepted === 0) return undefined;
  const accepted = endpointIds.flatMap((id) => traffic.of(id).firstAccepted ?? [])[0];
  return accepted && { agent: 'a caller whose other requests are accepted', excerpt: accepted.excerpt };
}
