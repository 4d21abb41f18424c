import { endpointIds } from '../../../spec/index.ts';
import { defaults, otherAgents, readings, refusedAgents } from '../../probes/lists.ts';
import type { Check, Missing } from '../../check.ts';
import { isAnswered, ownerOf, type Kept } from '../../http/exchange.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { stringAt } from '../../json.ts';
import { describeQuery } from '../../history/facts/selection.ts';
import { acceptedRequest } from '../shape.ts';
import { GONE } from '../../http/statuses.ts';
import { createRefusals, type RefusedList } from './refusals.ts';
import { AGENT_WITH_RESULTS } from './verdict-builder.ts';

/** An accepted answer of Get agent for the same agent and caller. */
interface Readable {
  readonly kept: Kept;
  readonly mode: string | undefined;
}

const MAX_AGENTS = 1000;

export const acceptsValidRequest: Check = {
  id: 'list-results-accepts-valid-request',
  title: 'List results works for every existing agent, and without parameters',
  endpoint: 'list-results',
  verifies: ['list-results-works', 'path-prefix'],
  provenBy: ['list-results-refused', 'list-results-not-there', 'created-agent-list-not-found'],
  probes: [acceptedRequest('list-results'), defaults, ...readings, ...otherAgents, refusedAgents],
  judge(facts) {
    const refusals = createRefusals();
    const readable = new Map<string, Readable>();
    const lastListed = new Map<string, number>();
    return {
      see(exchange) {
        refusals.see(exchange);
        if (!isAnswered(exchange) || !exchange.answer.accepted || readable.size > MAX_AGENTS) return;
        const { endpoint, answer, kept, n } = exchange;
        if (endpoint === 'get-agent')
          readable.set(ownerOf(exchange), { kept, mode: stringAt(answer.json, 'currentUserMode') });
        if (endpoint === 'list-results') lastListed.set(ownerOf(exchange), n);
      },
      verdict() {
        const refused = refusals.all().filter(({ by }) => by === 'request');
        const findings = refused.flatMap((one) => {
          const why =
            facts.isForeign === true
              ? one.control &&
                isPlain(one) && { agent: 'an agent whose lists are answered before and after', kept: one.control }
              : mustBeThere(facts, one, readable.get(one.of), lastListed.get(one.of));
          if (!why) return [];
          return [
            {
              expected: `List results ${describeQuery(one.query)} is accepted for ${why.agent}`,
              actual: `the answer was ${one.status}`,
              exchanges: [why.kept, one.kept],
            },
          ];
        });
        return { findings: findings.slice(0, 5), judged: listed(facts, refusals), missing: missingOf(facts, refused) };
      },
    };
  },
};

/** Foreign clients may send unknown cursors, and a server accident says nothing about the request. */
const isPlain = ({ selection, status }: RefusedList): boolean =>
  selection.cursor === undefined && (status < 500 || status === 501);

const listed = ({ lists }: Facts, refusals: ReturnType<typeof createRefusals>): number =>
  lists.all.length === 0 ? 0 : refusals.count('request');

/** Why a refusal is not the user's mistake: the same caller reads the agent, or the history created it. */
function mustBeThere(
  { agents, traffic }: Facts,
  { agentId, status, n }: RefusedList,
  readable: Readable | undefined,
  lastListed: number | undefined,
): { readonly agent: string; readonly kept: Kept } | undefined {
  const made = agents.get(agentId)?.madeBy;
  // A new agent may take a moment to be found.
  if (made && GONE.has(status) && (lastListed ?? 0) > n) return undefined;
  if (readable && (readable.mode !== 'guest' || status >= 500))
    return { agent: 'an agent that Get agent returns', kept: readable.kept };
  if (made) return { agent: 'a new agent', kept: made };
  if (GONE.has(status) || traffic.accepted === 0) return undefined;
  const accepted = endpointIds.flatMap((id) => traffic.of(id).firstAccepted ?? [])[0];
  return accepted && { agent: 'a caller whose other requests are accepted', kept: accepted.kept };
}

function missingOf({ lists }: Facts, [refused]: readonly RefusedList[]): Missing | undefined {
  if (lists.all.length > 0) return undefined;
  return refused && { reason: `List results answered ${refused.status}.`, supply: AGENT_WITH_RESULTS };
}
