import { endpoints, isReadingAgent, type EndpointId, type NewAgentEndpoint } from '../../../spec/index.ts';
import type { Judge } from '../../check.ts';
import type { Facts } from '../../history/facts/facts.ts';
import {
  isAnswered,
  isEntitled,
  ownerOf,
  parameter,
  type Answered,
  type Exchange,
  type Excerpt,
} from '../../http/exchange.ts';
import { GONE } from '../../http/statuses.ts';
import { field, stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { createVerdict } from '../verdict-builder.ts';
import { createBetweens, type Betweens } from './between.ts';
import { MAX_FINDINGS, origins } from './created.ts';
import { isExcused, isNoMethod, refused } from './refusals.ts';

/** Judges that an agent, or a published one, is not refused between two answers. */
export function judgeReadingBetween({ agents, traffic }: Facts, endpoint: EndpointId): Judge {
  const { title, holds } = endpoints[endpoint];
  const betweens = createBetweens();
  const verdict = createVerdict(MAX_FINDINGS);
  /** The last refusal of the method itself. */
  let denied: { readonly status: number; readonly excerpt: Excerpt } | undefined;
  let isAnyOther = false;

  function seeRefusal(exchange: Answered): void {
    const { status } = exchange.answer;
    if (!isNoMethod(status)) isAnyOther = true;
    else denied = { status, excerpt: exchange.excerpt };
    // Other checks judge whether a created agent can be found.
    const isOfCreated = isReadingAgent(endpoint) && GONE.has(status) && agents.creationOf(exchange.agentId);
    if (!isExcused(status) && !isOfCreated) betweens.refused(ownerOf(exchange), exchange);
  }

  return {
    see(exchange) {
      if (!isAnswered(exchange) || exchange.open || exchange.method !== 'GET' || !isEntitled(exchange.caller)) return;
      if (exchange.endpoint !== endpoint) return noteElsewhere(exchange, holds, betweens);
      if (!exchange.answer.accepted) return seeRefusal(exchange);
      verdict.judged();
      isAnyOther = true;
      betweens.answered(ownerOf(exchange), exchange);
    },
    verdict() {
      if (denied && !isAnyOther && traffic.accepted > 0) {
        verdict.judged();
        verdict.found(refused(title, denied));
        return verdict.verdict();
      }
      for (const { agentId, status, exchanges } of betweens.found) {
        const [before, refusal, after] = exchanges;
        verdict.judged();
        verdict.found({
          expected: `${title} for ${show(agentId)} is accepted, as before and after`,
          actual: `the answer was ${status}`,
          exchanges: [before, after, refusal],
        });
      }
      return verdict.verdict();
    },
  };
}

/** Notes what other endpoints show: an existing agent, or results of one, and whether an agent is published. */
function noteElsewhere(exchange: Answered, holds: string, betweens: Betweens): void {
  if (!exchange.answer.accepted) return;
  const key = ownerOf(exchange);
  const isAgent = isReadingAgent(exchange.endpoint);
  if (holds !== 'publicAgent') {
    if (isAgent || showsResults(exchange)) betweens.answered(key, exchange);
  } else if (isAgent) {
    if (field(exchange.answer.json, 'agent', 'isPublished') === true) betweens.answered(key, exchange);
    else betweens.forget(key);
  }
}

/** Whether the answer is the first page of a list, and holds results. */
export function showsResults(exchange: Exchange): boolean {
  if (endpoints[exchange.endpoint].does !== 'lists' || parameter(exchange, 'cursor') !== undefined) return false;
  const results = field(exchange.answer?.json, 'results');
  return Array.isArray(results) && results.length > 0;
}

/** Judges that an agent which the traffic created is not denied between two answers. */
export function judgeReadableBetween({ agents, traffic }: Facts, endpoint: NewAgentEndpoint): Judge {
  const betweens = createBetweens();
  const read = new Set<string>();
  return {
    see(exchange) {
      if (!isAnswered(exchange) || exchange.open || !isEntitled(exchange.caller)) return;
      const { answer } = exchange;
      const id = exchange.agentId ?? (answer.accepted ? stringAt(answer.json, 'agent', 'id') : undefined);
      const fact = agents.get(id);
      const key = ownerOf({ ...exchange, agentId: id });
      if (fact?.origin !== origins[endpoint] || fact.isAmbiguous || fact.creation?.owner !== key) return;
      const isReading = isReadingAgent(exchange.endpoint);
      if (answer.accepted) {
        if (isReading && read.size < 1000) read.add(fact.id);
        if (isReading || fact.creation.n === exchange.n || showsResults(exchange)) betweens.answered(key, exchange);
      } else if (isReading && GONE.has(answer.status)) betweens.refused(key, exchange);
    },
    verdict() {
      const verdict = createVerdict(MAX_FINDINGS);
      verdict.judged(read.size);
      // If nothing at all can be read, another check fails.
      if (traffic.of('get-agent').firstAccepted === undefined) return verdict.verdict();
      for (const { agentId, status, exchanges } of betweens.found) {
        const [before, refusal, after] = exchanges;
        verdict.judged();
        verdict.found({
          expected: `the agent ${show(agentId)}, which was ${origins[endpoint]} before, can be read, as it can later`,
          actual: `Get agent answered ${status}`,
          exchanges: [before, after, refusal],
        });
      }
      return verdict.verdict();
    },
  };
}
