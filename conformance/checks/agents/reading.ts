import { endpoints, isReadingAgent, type EndpointId } from '../../../spec/index.ts';
import { pointerTokens } from '../../../spec/json-pointer.ts';
import { addFailure, MOST_KEPT, type Finding, type Judge, type Verdict } from '../../check.ts';
import { valueFor } from '../../collections.ts';
import { mayBeVersion6 } from '../../history/facts/agents.ts';
import { wordOf } from '../../history/facts/failures.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isLagging, isWithinLag } from '../../history/facts/lateness.ts';
import { isAccepted, isAnswered, type Excerpt, type Exchange } from '../../http/exchange.ts';
import { GONE } from '../../http/statuses.ts';
import { field, stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { judgeReadingBetween, showsResults } from './between-answers.ts';
import { excuseFor, refusalOf, refused, type Refusal } from './refusals.ts';

/** So many identifiers in the answers about one agent show that they are made anew. */
const MANY = 4;

/** Judges that the answered agent is the requested one, and that what is answered has an identifier of its own. */
export function judgeRightAgent({ agents, policy }: Facts, endpoint: EndpointId): Judge {
  const { holds, agentIdAt = '' } = endpoints[endpoint];
  const what = holds === 'publicAgent' ? 'the public form of' : 'the agent';
  const named = new Map<string, Map<string, Excerpt>>();
  return {
    see(exchange, verdict) {
      const { agentId, excerpt } = exchange;
      if (exchange.endpoint !== endpoint || !isAccepted(exchange) || agentId === undefined) return;
      const { json } = exchange.answer;
      const agent = field(json, holds);
      const id = stringAt(json, ...pointerTokens(agentIdAt));
      if (id === undefined || !mayBeVersion6(agent) || !agents.isId(agentId)) return;
      verdict.judged++;
      const own = policy.isShared ? undefined : stringAt(agent, 'id');
      const ids = valueFor(named, agentId, () => new Map(), MOST_KEPT);
      if (own !== undefined && ids.size < MANY) ids.set(own, excerpt);
      // Who calls may write an identifier in any case, unless it is as an answer gave it.
      if (id === agentId || (!agents.creationOf(agentId) && id.toLowerCase() === agentId.toLowerCase())) return;
      verdict.findings.push({
        expected: `${what} ${show(agentId)}`,
        actual: `${what} ${show(id)}`,
        at: agentIdAt,
        exchanges: [excerpt],
      });
    },
    conclude(verdict) {
      for (const [agentId, all] of named)
        if (all.size === MANY)
          verdict.findings.push({
            expected: `${what} ${show(agentId)} has one identifier`,
            actual: `${all.size} answers, each with another`,
            at: `/${holds}/id`,
            exchanges: [...all.values()].slice(-2),
          });
    },
  };
}

/** Judges that an endpoint which reads an agent answers for every existing (or published) one, to callers who may read it. */
export function judgeReading(facts: Facts, endpoint: EndpointId): Judge {
  if (!facts.policy.isShared) return judgeEveryReading(facts, endpoint);
  return judgeReadingBetween(facts, endpoint);
}

const noRequests = () => ({
  firstAccepted: Infinity,
  lastBegun: -1,
  twin: undefined as Excerpt | undefined,
  refusals: [] as (Refusal & { readonly isOfNewAgent: boolean; readonly isWithinLag: boolean })[],
});

type Requests = ReturnType<typeof noRequests>;

function judgeEveryReading(facts: Facts, endpoint: EndpointId): Judge {
  const { agents, target, traffic } = facts;
  const { title, holds } = endpoints[endpoint];
  const isOfPublished = holds === 'publicAgent';
  const byAgent = new Map<string, Requests>();
  const elsewhere = new Map<string, Excerpt>();
  /** Statuses of agents that do not exist. */
  const absent = new Set(GONE);

  const isCreated = (id: string): boolean => agents.creationOf(id) !== undefined;
  const isPublished = (id: string): boolean => agents.get(id)?.isPublished === true;
  const isDue = (id: string): boolean => {
    if (isOfPublished) return id === target.publishedAgentId || isPublished(id);
    return agents.get(id) !== undefined;
  };

  function seeRequest(exchange: Exchange, agentId: string, verdict: Verdict): void {
    const { caller, begun, n, excerpt } = exchange;
    if (exchange.open || caller !== 'valid' || !isAnswered(exchange)) return;
    const requests = valueFor(byAgent, agentId, noRequests, MOST_KEPT);
    if (exchange.answer.accepted) {
      verdict.judged++;
      const firstAccepted = Math.min(requests.firstAccepted, n);
      Object.assign(requests, { firstAccepted, lastBegun: begun, twin: excerpt });
    } else if (requests.refusals.length < 8) {
      const creation = agents.creationOf(agentId);
      const isNew = { isOfNewAgent: isLagging(creation, exchange), isWithinLag: isWithinLag(creation, exchange) };
      requests.refusals.push({ ...refusalOf(exchange), ...isNew });
    }
  }

  /** The finding on a refusal, with an acceptance if there was one; `undefined` if something explains it. */
  function unexplained(id: string, requests: Requests, refusal: Requests['refusals'][number]): Finding | undefined {
    const { refusals, twin, firstAccepted, lastBegun } = requests;
    const { status, begun, n, isOfNewAgent } = refusal;
    const request = `${title} for ${show(id)}`;
    // If nothing at all is accepted, a redirect or a refusal shows nothing about agents.
    if (wordOf(status) !== 'refused' || traffic.accepted === 0) return undefined;
    const isGone = GONE.has(status) || (absent.has(status) && refusal.isWithinLag && lastBegun > n);
    if (!isGone) return refused(request, refusal, twin && [twin]);
    // Another check judges whether a created agent can be found.
    if (isCreated(id) && isReadingAgent(endpoint)) return undefined;
    const isBetween = firstAccepted < begun && lastBegun > n;
    // A new agent may take a moment to appear on every replica.
    if (isOfNewAgent && lastBegun > 0) return undefined;
    if (isCreated(id) && !isBetween && (lastBegun > n || refusals.length === 1)) return undefined;
    if (isBetween) return refused(request, refusal, twin && [twin]);
    // An existing agent need not be published.
    if (isOfPublished && !isPublished(id)) return undefined;
    const shown = elsewhere.get(id);
    if (shown || isOfPublished) return refused(request, refusal, shown && [shown]);
    return undefined;
  }

  function concludeRefused(due: readonly (readonly [string, Requests])[], verdict: Verdict): void {
    const all = due.flatMap(([id, { refusals }]) => refusals.map((refusal) => ({ id, refusal })));
    const created = all.find(({ id, refusal }) => isCreated(id) && GONE.has(refusal.status));
    // Nothing is found, not even what the run created.
    const isNothingThere = isReadingAgent(endpoint) && target.agentId !== undefined;
    const one = (isNothingThere && created) || all[0];
    if (!one) return;
    const isKnown = one.refusal === created?.refusal || isPublished(one.id);
    verdict.missing = excuseFor(one.refusal, facts, endpoint, isKnown);
    if (!verdict.missing) return addFailure(verdict, refused(title, one.refusal));
    for (const { refusal } of all) facts.excuses.use('slip', refusal.n);
  }

  return {
    see(exchange, verdict) {
      const { agentId, excerpt } = exchange;
      if (agentId === undefined) return;
      const isUnknown = exchange.open && exchange.caller === 'valid' && !agents.get(agentId);
      if (isUnknown && isReadingAgent(exchange.endpoint) && isAnswered(exchange)) absent.add(exchange.answer.status);
      if (exchange.endpoint === endpoint) seeRequest(exchange, agentId, verdict);
      else if (showsAgent(exchange) && elsewhere.size < MOST_KEPT) elsewhere.set(agentId, excerpt);
    },
    conclude(verdict) {
      const due = [...byAgent].filter(([id]) => isDue(id));
      for (const [id, requests] of due)
        for (const refusal of requests.refusals) {
          const finding = unexplained(id, requests, refusal);
          if (finding) addFailure(verdict, finding);
        }
      if (verdict.judged === 0) concludeRefused(due, verdict);
    },
  };
}

function showsAgent(exchange: Exchange): boolean {
  if (!isAccepted(exchange) || exchange.caller !== 'valid') return false;
  const { json } = exchange.answer;
  const ids = [stringAt(json, 'publicAgent', 'agentId'), stringAt(json, 'agent', 'id')];
  return ids.includes(exchange.agentId) || showsResults(exchange);
}
