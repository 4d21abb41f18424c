import { endpoints, type EndpointId } from '../../../../spec/index.ts';
import type { Finding, Judge } from '../../../check.ts';
import {
  isAnswered,
  isEntitled,
  ownerOf,
  parameter,
  type Answered,
  type Exchange,
  type Kept,
} from '../../../http/exchange.ts';
import type { Facts } from '../../../history/facts/facts.ts';
import { field, stringAt } from '../../../json.ts';
import { show } from '../../../show.ts';
import { createBetweens, type Betweens } from './between.ts';
import { origins, type NewAgentEndpoint } from '../made.ts';
import { isAccident, isNoMethod, isNotNow, isPermission } from '../refusals.ts';

const NOT_THERE: ReadonlySet<number> = new Set([404, 410]);

/** Judges that an agent in foreign traffic, or a published one, is not refused between two answers. */
export function judgeForeignReading(facts: Facts, endpoint: EndpointId): Judge {
  const { title } = endpoints[endpoint];
  const betweens = createBetweens();
  let accepted = 0;
  let denied: { times: number; readonly status: number; readonly kept: Kept } | undefined;
  let others = 0;
  const see = (exchange: Answered): void => {
    const { answer, agentId, kept } = exchange;
    const key = ownerOf(exchange);
    if (exchange.endpoint !== endpoint) return noteElsewhere(exchange, key, endpoint, betweens);
    if (answer.accepted) {
      accepted++;
      return betweens.answered(key, exchange);
    }
    const { status } = answer;
    if (isNoMethod(status)) denied = { status, kept, times: (denied?.times ?? 0) + 1 };
    else others++;
    if (isPermission(status) || isNotNow(status) || isAccident(status)) return;
    // Other checks judge whether a created agent can be found.
    if (endpoint === 'get-agent' && NOT_THERE.has(status) && facts.agents.get(agentId ?? '')?.made !== undefined)
      return;
    betweens.refused(key, exchange);
  };
  return {
    see: (exchange) => void (isReading(exchange) && see(exchange)),
    verdict() {
      const isDenied = accepted === 0 && others === 0 && denied && facts.traffic.accepted > 0;
      const findings: readonly Finding[] =
        isDenied && denied
          ? [
              {
                expected: `${title} is accepted`,
                actual: `the answer was ${denied.status}`,
                exchanges: [denied.kept],
              },
            ]
          : betweens.found.map(({ agentId, status, exchanges: [before, refusal, after] }) => ({
              expected: `${title} for ${show(agentId)} is accepted, as before and after`,
              actual: `the answer was ${status}`,
              exchanges: [before, after, refusal],
            }));
      return { findings, judged: accepted + findings.length };
    },
  };
}

const isReading = (exchange: Exchange): exchange is Answered =>
  isAnswered(exchange) && !exchange.open && exchange.method === 'GET' && isEntitled(exchange.caller);

/** Notes what other endpoints show: an existing agent, or results of one, and whether an agent is published. */
function noteElsewhere(exchange: Answered, key: string, endpoint: EndpointId, betweens: Betweens): void {
  if (!exchange.answer.accepted) return;
  const isAgent = exchange.endpoint === 'get-agent';
  if (endpoints[endpoint].holds !== 'publicAgent')
    return void ((isAgent || showsResults(exchange)) && betweens.answered(key, exchange));
  if (!isAgent) return;
  const isPublished = field(exchange.answer.json, 'agent', 'isPublished');
  if (isPublished === true) betweens.answered(key, exchange);
  else betweens.forget(key);
}

function showsResults(exchange: Answered): boolean {
  const results = exchange.endpoint === 'list-results' ? field(exchange.answer.json, 'results') : undefined;
  return Array.isArray(results) && results.length > 0 && parameter(exchange, 'cursor') === undefined;
}

/** Judges that an agent which foreign traffic created is not denied between two answers. */
export function judgeForeignReadable({ agents, traffic }: Facts, endpoint: NewAgentEndpoint): Judge {
  const betweens = createBetweens();
  const read = new Set<string>();
  return {
    see(exchange) {
      if (!isAnswered(exchange) || exchange.open || !isEntitled(exchange.caller)) return;
      const { answer } = exchange;
      const id = exchange.agentId ?? (answer.accepted ? stringAt(answer.json, 'agent', 'id') : undefined);
      const made = id === undefined ? undefined : agents.get(id);
      const key = ownerOf({ ...exchange, agentId: id });
      if (!made || made.origin !== origins[endpoint] || made.isAmbiguous || made.madeFor !== key) return;
      if (answer.accepted) {
        const isShown = exchange.endpoint === 'get-agent' || made.made === exchange.n || showsResults(exchange);
        if (exchange.endpoint === 'get-agent' && read.size < 1000) read.add(made.id);
        if (isShown) betweens.answered(key, exchange);
      } else if (exchange.endpoint === 'get-agent' && NOT_THERE.has(answer.status)) betweens.refused(key, exchange);
    },
    verdict() {
      // If nothing at all can be read, another check fails.
      const found = traffic.of('get-agent').firstAccepted === undefined ? [] : betweens.found;
      const findings = found.map(({ agentId, status, exchanges: [before, refusal, after] }): Finding => ({
        expected: `the agent ${show(agentId)}, which was ${origins[endpoint]} before, can be read, as it can later`,
        actual: `Get agent answered ${status}`,
        exchanges: [before, after, refusal],
      }));
      return { findings, judged: read.size + findings.length };
    },
  };
}
