import { endpoints, isReadingAgent, type EndpointId, type NewAgentEndpoint } from '../../../spec/index.ts';
import { addFailure, MAX_FINDINGS, MOST_KEPT, type Judge } from '../../check.ts';
import { wordOf } from '../../history/facts/failures.ts';
import type { Facts } from '../../history/facts/facts.ts';
import type { Answered, Excerpt, Exchange } from '../../http/exchange.ts';
import { isAnswered, isEntitled, ownerOf, queryValue } from '../../http/exchange.ts';
import { GONE, NO_METHOD } from '../../http/statuses.ts';
import { field, stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { origins } from './created.ts';
import { refusalOf, refused, type Refusal } from './refusals.ts';

interface Seen {
  readonly first: Pick<Answered, 'n' | 'answeredAt'>;
  last: Excerpt;
  refusal: (Refusal & { readonly agentId: string; readonly before: Excerpt }) | undefined;
}

/** Milliseconds that a new or newly published thing may take until it shows everywhere. */
const LAG_MS = 2_000;

/**
 * Finds things that were there, were denied, and were there again. A single refusal of a foreign request shows little:
 * the thing may have been deleted, or is no longer shared with the caller.
 */
export function createBetweens() {
  const all = new Map<string, Seen>();
  /** Refusals between two answers about the same thing to the same caller: before, after, and the refusal. */
  const found: { agentId: string; status: number; exchanges: readonly [Excerpt, Excerpt, Excerpt] }[] = [];
  return {
    answered(key: string, { n, answeredAt, begun, excerpt }: Answered): void {
      const seen = all.get(key);
      if (!seen) {
        if (all.size < 2_000) all.set(key, { first: { n, answeredAt }, last: excerpt, refusal: undefined });
        return;
      }
      const { refusal } = seen;
      seen.last = excerpt;
      if (!refusal || refusal.n >= begun) return;
      seen.refusal = undefined;
      const { agentId, status, before } = refusal;
      if (found.length < MAX_FINDINGS) found.push({ agentId, status, exchanges: [before, excerpt, refusal.excerpt] });
    },
    refused(key: string, exchange: Answered): void {
      const { agentId = '', begun, sentAt } = exchange;
      const seen = all.get(key);
      if (!seen || seen.first.n >= begun || sentAt - seen.first.answeredAt <= LAG_MS) return;
      seen.refusal ??= { ...refusalOf(exchange), agentId, before: seen.last };
    },
    /** The thing may no longer be answered. */
    forget: (key: string): void => void all.delete(key),
    found,
  };
}

/** Judges that an agent, or a published one, is not refused between two answers. */
export function judgeReadingBetween({ agents, traffic }: Facts, endpoint: EndpointId): Judge {
  const { title, holds } = endpoints[endpoint];
  const betweens = createBetweens();
  let denied: Refusal | undefined;
  let isAnyOther = false;

  function seeRefusal(exchange: Answered): void {
    const { status } = exchange.answer;
    if (NO_METHOD.has(status)) denied = refusalOf(exchange);
    else isAnyOther = true;
    // Other checks judge whether a created agent can be found.
    const isOfCreated = isReadingAgent(endpoint) && GONE.has(status) && agents.creationOf(exchange.agentId);
    if (wordOf(status) === 'refused' && !isOfCreated) betweens.refused(ownerOf(exchange), exchange);
  }

  /** What other endpoints show: an existing agent, or results of one, and whether an agent is published. */
  function seeElsewhere(exchange: Answered): void {
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

  return {
    see(exchange, verdict) {
      if (!isAnswered(exchange) || exchange.open || !isEntitled(exchange.caller)) return;
      if (exchange.endpoint !== endpoint) return seeElsewhere(exchange);
      if (!exchange.answer.accepted) return seeRefusal(exchange);
      verdict.judged++;
      isAnyOther = true;
      betweens.answered(ownerOf(exchange), exchange);
    },
    conclude(verdict) {
      if (denied && !isAnyOther && traffic.accepted > 0) return addFailure(verdict, refused(title, denied));
      for (const { agentId, status, exchanges } of betweens.found) {
        const expected = `${title} for ${show(agentId)} is accepted, as before and after`;
        addFailure(verdict, { expected, actual: `the answer was ${status}`, exchanges });
      }
    },
  };
}

/** Whether the answer is the first page of a list, and holds results. */
export function showsResults(exchange: Exchange): boolean {
  if (endpoints[exchange.endpoint].does !== 'lists' || queryValue(exchange, 'cursor') !== undefined) return false;
  const results = field(exchange.answer?.json, 'results');
  return Array.isArray(results) && results.length > 0;
}

/**
 * A pattern: so many created agents, each denied to its creator within so many milliseconds, some of them later than any new
 * agent may be late, and none ever shown.
 */
const [PATTERN, SOON_MS, LATE, LATE_MS] = [20, 60_000, 3, 2_000];

/**
 * Judges that an agent which the traffic created is not denied between two answers, and that not each one is denied. A single one
 * may have been deleted by somebody else.
 */
export function judgeReadableBetween({ agents, traffic, excuses }: Facts, endpoint: NewAgentEndpoint): Judge {
  const betweens = createBetweens();
  const read = new Set<string>();
  const denied = new Map<string, Answered>();
  const deniedLate = new Set<string>();
  return {
    see(exchange) {
      if (!isAnswered(exchange) || exchange.open || !isEntitled(exchange.caller)) return;
      const { answer } = exchange;
      const id = exchange.agentId ?? stringAt(answer.json, 'agent', 'id');
      const fact = agents.get(id);
      const key = ownerOf({ ...exchange, agentId: id });
      if (fact?.origin !== origins[endpoint] || fact.isAmbiguous || fact.creation?.owner !== key) return;
      const isReading = isReadingAgent(exchange.endpoint);
      if (answer.accepted) {
        if (isReading && read.size < MOST_KEPT) read.add(fact.id);
        if (isReading || fact.creation.n === exchange.n || showsResults(exchange)) betweens.answered(key, exchange);
      } else if (isReading && GONE.has(answer.status)) {
        betweens.refused(key, exchange);
        const afterMs = exchange.sentAt - fact.creation.answeredAt;
        if (afterMs < SOON_MS && denied.size < MOST_KEPT) denied.set(fact.id, exchange);
        if (afterMs > LATE_MS && denied.has(fact.id)) deniedLate.add(fact.id);
      }
    },
    conclude(verdict) {
      verdict.judged += read.size;
      const [last] = [...denied.values()].slice(-1);
      if (last && read.size === 0 && denied.size >= PATTERN && deniedLate.size >= LATE) {
        verdict.judged += denied.size;
        return addFailure(verdict, {
          expected: `of ${denied.size} agents, each ${origins[endpoint]} before, at least one can be read`,
          actual: `Get agent denied each of them, with ${last.answer.status} at last`,
          exchanges: [last.excerpt],
        });
      }
      for (const [id, { n }] of denied) if (!read.has(id)) excuses.use('deleted', n);
      // If nothing at all can be read, another check fails.
      if (traffic.of('get-agent').firstAccepted === undefined) return;
      for (const { agentId, status, exchanges } of betweens.found) {
        const expected = `the agent ${show(agentId)}, which was ${origins[endpoint]} before, can be read, as it can later`;
        addFailure(verdict, { expected, actual: `Get agent answered ${status}`, exchanges });
      }
    },
  };
}
