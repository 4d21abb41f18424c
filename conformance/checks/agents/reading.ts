import { endpoints, isReadingAgent, type EndpointId } from '../../../spec/index.ts';
import type { Finding, Judge, Verdict } from '../../check.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isAnswered, type Exchange, type Excerpt } from '../../http/exchange.ts';
import { GONE } from '../../http/statuses.ts';
import { stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { judgeReadingBetween, showsResults } from './between-answers.ts';
import { MAX_FINDINGS } from './created.ts';
import {
  excuseFor,
  failed,
  isAccident,
  isNotAllowedNow,
  notJudged,
  refusalOf,
  refused,
  unanswered,
  type Refusal,
} from './refusals.ts';

/** Judges that an endpoint which reads an agent answers for every existing (or published) one, to callers who may read it. */
export function judgeReading(facts: Facts, endpoint: EndpointId): Judge {
  const judge = facts.policy.contradiction === 'any' ? judgeEveryReading : judgeReadingBetween;
  return judge(facts, endpoint);
}

/** The requests about one agent. */
interface Requests {
  firstAccepted: number;
  lastBegun: number;
  twin: Excerpt | undefined;
  readonly refusals: Refusal[];
}

/** The requests to an endpoint, agent by agent, and those without an answer. */
interface Readings {
  readonly byAgent: Map<string, Requests>;
  readonly silent: Excerpt[];
  accepted: number;
}

const MAX_AGENTS = 1000;
const MAX_REFUSALS = 8;

/** A denial. Other checks judge whether a created agent can be found. */
const isNotThere = ({ status }: Refusal): boolean => GONE.has(status);

/** A refusal of a caller with less access that no permission explains. */
const isOfLess = ({ caller, answer }: Exchange): boolean =>
  (caller === 'read' || caller === 'guest') && [400, 405, 422, 501].includes(answer?.status ?? 0);

function judgeEveryReading(facts: Facts, endpoint: EndpointId): Judge {
  const { agents, target, traffic } = facts;
  const { title, holds } = endpoints[endpoint];
  const isOfPublished = holds === 'publicAgent';
  const readings: Readings = { byAgent: new Map(), silent: [], accepted: 0 };
  /** What other endpoints showed of each agent. */
  const elsewhere = new Map<string, Excerpt>();

  const isCreated = (id: string): boolean => agents.creationOf(id) !== undefined;
  const isPublished = (id: string): boolean => agents.get(id)?.isPublished === true;
  const isDue = (id: string): boolean => {
    if (isOfPublished) return id === target.publishedAgentId || isPublished(id);
    return agents.get(id) !== undefined;
  };

  /** The finding on a refusal, with an acceptance if there was one; `undefined` if something explains it. */
  function unexplained(id: string, requests: Requests, refusal: Refusal): Finding | undefined {
    const { refusals, twin, firstAccepted, lastBegun } = requests;
    const { status, begun, n } = refusal;
    const request = `${title} for ${show(id)}`;
    if (isNotAllowedNow(status) || (isAccident(status) && twin)) return undefined;
    if (!isNotThere(refusal)) return refused(request, refusal, twin && [twin]);
    if (isCreated(id) && isReadingAgent(endpoint)) return undefined;
    const isBetween = firstAccepted < begun && lastBegun > n;
    // A new agent may take a moment to appear.
    if (isCreated(id) && !isBetween && (lastBegun > n || refusals.length === 1)) return undefined;
    if (isBetween) return refused(request, refusal, twin && [twin]);
    // An existing agent need not be published.
    const shown = isOfPublished && !isPublished(id) ? undefined : elsewhere.get(id);
    if (shown || (isOfPublished && isPublished(id))) return refused(request, refusal, shown && [shown]);
    return undefined;
  }

  /** The verdict if nothing was accepted. */
  function refusedOutright(due: readonly (readonly [string, Requests])[]): Verdict {
    const all = due.flatMap(([id, { refusals }]) => refusals.map((refusal) => ({ id, refusal })));
    const [first] = all;
    if (!first) {
      const silent = readings.silent.length > 1 && traffic.accepted > 0 ? readings.silent.at(-1) : undefined;
      if (silent) return failed(unanswered(title, silent));
      return notJudged();
    }
    const created = all.find(({ id, refusal }) => isCreated(id) && isNotThere(refusal));
    // Nothing is found, not even what the run created.
    const isNothingThere = created !== undefined && isReadingAgent(endpoint) && target.agentId !== undefined;
    const { id, refusal } = isNothingThere ? created : first;
    const missing = excuseFor(refusal, facts, {
      endpoint,
      option: isOfPublished ? 'publishedAgentId' : 'agentId',
      isKnown: refusal === created?.refusal || isPublished(id),
    });
    if (missing) return notJudged(missing);
    return failed(refused(title, refusal));
  }

  return {
    see(exchange) {
      if (exchange.endpoint === endpoint) seeReading(readings, exchange);
      else if (showsAgent(exchange) && elsewhere.size < MAX_AGENTS)
        elsewhere.set(exchange.agentId ?? '', exchange.excerpt);
    },
    verdict() {
      const due = [...readings.byAgent].filter(([id]) => isDue(id));
      // If nothing at all is accepted, a redirect or a refusal shows nothing about agents.
      const counts = ({ status }: Refusal): boolean => traffic.accepted > 0 || status >= 500;
      const findings = due.flatMap(([id, requests]) =>
        requests.refusals.filter(counts).flatMap((refusal) => unexplained(id, requests, refusal) ?? []),
      );
      if (readings.accepted === 0 && findings.length === 0) return refusedOutright(due);
      return { findings: findings.slice(0, MAX_FINDINGS), judged: readings.accepted + findings.length };
    },
  };
}

function seeReading(readings: Readings, exchange: Exchange): void {
  const { agentId, begun, n, excerpt } = exchange;
  if (exchange.method !== 'GET' || exchange.open || agentId === undefined) return;
  if (exchange.caller !== 'valid' && !isOfLess(exchange)) return;
  const { byAgent, silent } = readings;
  if (!isAnswered(exchange)) return void (silent.length < MAX_AGENTS && silent.push(excerpt));
  const known = byAgent.get(agentId);
  const requests = known ?? { firstAccepted: Infinity, lastBegun: -1, twin: undefined, refusals: [] };
  if (!known && byAgent.size < MAX_AGENTS) byAgent.set(agentId, requests);
  if (exchange.answer.accepted) {
    readings.accepted++;
    Object.assign(requests, { firstAccepted: Math.min(requests.firstAccepted, n), lastBegun: begun, twin: excerpt });
  } else if (requests.refusals.length < MAX_REFUSALS) requests.refusals.push(refusalOf(exchange));
}

/** Whether an answer to the main token shows the agent in its path, or results of it. */
function showsAgent(exchange: Exchange): boolean {
  const { agentId, answer, caller } = exchange;
  if (!answer?.accepted || agentId === undefined || caller !== 'valid') return false;
  const ids = [stringAt(answer.json, 'publicAgent', 'agentId'), stringAt(answer.json, 'agent', 'id')];
  return ids.includes(agentId) || showsResults(exchange);
}
