import { endpoints, type EndpointId } from '../../../spec/index.ts';
import type { Finding, Judge, Missing } from '../../check.ts';
import { isAnswered, parameter, type Exchange, type Kept } from '../../http/exchange.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { field, isObject, stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { mayBeVersion6 } from '../../history/facts/agents.ts';
import { GONE } from '../../http/statuses.ts';
import { MAX_FINDINGS } from './made.ts';
import {
  excuseFor,
  isAccident,
  isNotNow,
  isPermission,
  refusalOf,
  refused,
  unanswered,
  type KeptRefusal,
} from './refusals.ts';

/** The answers to requests about one agent. */
interface Asked {
  firstAccepted: number;
  lastBegun: number;
  twin: Kept | undefined;
  readonly refusals: KeptRefusal[];
}

const MAX_AGENTS = 1000;
const MAX_REFUSALS = 8;

const isOfPublished = (endpoint: EndpointId): boolean => endpoints[endpoint].holds === 'publicAgent';

/** A denial. Other checks judge whether a created agent can be found. */
const isNotThere = ({ status }: KeptRefusal): boolean => GONE.has(status);

/** A refusal of a caller with less access that no permission explains. */
const isOfLess = ({ caller, answer }: Exchange): boolean =>
  (caller === 'read' || caller === 'guest') && [400, 405, 422, 501].includes(answer?.status ?? 0);

/** Judges that an endpoint which reads an agent answers for every existing (or published) one, to callers who may read it. */
export function judgeReadingWorks(facts: Facts, endpoint: EndpointId): Judge {
  const known = knownOf(facts, endpoint);
  const elsewhere = createElsewhere(endpoint);
  const readings = createReadings(endpoint);
  return {
    see(exchange) {
      elsewhere.see(exchange);
      readings.see(exchange);
    },
    verdict() {
      const due = [...readings.asked].filter(([id]) => known.isDue(id));
      const findings = due.flatMap(([id, one]) =>
        one.refusals
          // If nothing at all is accepted, a redirect or a refusal shows nothing about agents.
          .filter(({ status }) => facts.traffic.accepted > 0 || status >= 500)
          .flatMap((refusal) => unexplained(known, elsewhere, { id, one, refusal })),
      );
      const { accepted } = readings;
      if (accepted > 0 || findings.length > 0)
        return { findings: findings.slice(0, MAX_FINDINGS), judged: accepted + findings.length };
      const { finding, missing } = outright(facts, known, readings);
      return { findings: finding ? [finding] : [], judged: finding ? 1 : 0, missing };
    },
  };
}

/** What an endpoint shows about agents. */
interface Known {
  readonly endpoint: EndpointId;
  readonly isPublished: (id: string) => boolean;
  readonly isMade: (id: string) => boolean;
  /** Whether the endpoint must answer for the agent. */
  readonly isDue: (id: string) => boolean;
}

function knownOf({ agents, target }: Facts, endpoint: EndpointId): Known {
  const isPublished = (id: string): boolean => agents.get(id)?.isPublished === true;
  return {
    endpoint,
    isPublished,
    isMade: (id) => agents.get(id)?.made !== undefined,
    isDue: (id) =>
      isOfPublished(endpoint) ? id === target.publishedAgentId || isPublished(id) : agents.get(id) !== undefined,
  };
}

/** The requests to an endpoint and their answers, agent by agent. */
interface Readings {
  see(exchange: Exchange): void;
  readonly asked: ReadonlyMap<string, Asked>;
  readonly accepted: number;
  readonly silent: { readonly times: number; readonly kept: Kept | undefined };
}

function createReadings(endpoint: EndpointId): Readings {
  const asked = new Map<string, Asked>();
  let accepted = 0;
  let silent: Readings['silent'] = { times: 0, kept: undefined };
  return {
    asked,
    get accepted() {
      return accepted;
    },
    get silent() {
      return silent;
    },
    see(exchange) {
      const { agentId, begun, n, kept } = exchange;
      if (exchange.endpoint !== endpoint || exchange.method !== 'GET') return;
      if (exchange.caller !== 'valid' && !isOfLess(exchange)) return;
      if (exchange.open || agentId === undefined) return;
      if (!isAnswered(exchange)) {
        silent = { times: silent.times + 1, kept };
        return;
      }
      const one = asked.get(agentId) ?? { firstAccepted: Infinity, lastBegun: -1, twin: undefined, refusals: [] };
      if (asked.size < MAX_AGENTS) asked.set(agentId, one);
      if (!exchange.answer.accepted) {
        if (one.refusals.length < MAX_REFUSALS) one.refusals.push(refusalOf(exchange));
        return;
      }
      accepted++;
      Object.assign(one, { firstAccepted: Math.min(one.firstAccepted, n), lastBegun: begun, twin: kept });
    },
  };
}

/** An unexplained refusal, with an acceptance if there was one. */
function unexplained(
  { endpoint, isMade, isPublished }: Known,
  elsewhere: Elsewhere,
  { id, one, refusal }: { readonly id: string; readonly one: Asked; readonly refusal: KeptRefusal },
): readonly Finding[] {
  const { refusals, twin, firstAccepted, lastBegun } = one;
  const { status, begun, n } = refusal;
  const request = `${endpoints[endpoint].title} for ${show(id)}`;
  if (isPermission(status) || isNotNow(status)) return [];
  const isBetween = firstAccepted < begun && lastBegun > n;
  if (isAccident(status) && twin) return [];
  if (!isNotThere(refusal)) return [refused(request, refusal, twin ? [twin] : [])];
  if (isMade(id) && endpoint === 'get-agent') return [];
  // A new agent may take a moment to appear.
  if (isMade(id) && !isBetween && (lastBegun > n || refusals.length === 1)) return [];
  const shown = isBetween ? twin : elsewhere.shows(id, isPublished(id));
  return shown || (isOfPublished(endpoint) && isPublished(id)) ? [refused(request, refusal, shown ? [shown] : [])] : [];
}

/** The finding, or the reason, if nothing was accepted. */
function outright(
  facts: Facts,
  { endpoint, isDue, isMade, isPublished }: Known,
  { asked, silent: { times, kept } }: Readings,
): { readonly finding?: Finding; readonly missing?: Missing } {
  const all = [...asked].filter(([id]) => isDue(id));
  const refusals = all.flatMap(([id, one]) => one.refusals.map((refusal) => ({ id, refusal })));
  const made = refusals.find(({ id, refusal }) => isMade(id) && isNotThere(refusal));
  const [first] = refusals;
  if (!first)
    return times > 1 && kept && facts.traffic.accepted > 0
      ? { finding: unanswered(endpoints[endpoint].title, kept) }
      : {};
  // Nothing is found, not even what the run created.
  const decisive = endpoint === 'get-agent' && made && facts.target.agentId !== undefined ? made : first;
  const missing = excuseFor(decisive.refusal, facts, {
    endpoint,
    option: isOfPublished(endpoint) ? 'publishedAgentId' : 'agentId',
    isKnown: decisive === made || isPublished(decisive.id),
  });
  return missing ? { missing } : { finding: refused(endpoints[endpoint].title, decisive.refusal) };
}

/** What the other endpoints showed: which agents exist. */
interface Elsewhere {
  see(exchange: Exchange): void;
  shows(id: string, isPublished: boolean): Kept | undefined;
}

function createElsewhere(endpoint: EndpointId): Elsewhere {
  const shown = new Map<string, Kept>();
  return {
    see(exchange) {
      const { endpoint: other, agentId, answer, caller, kept } = exchange;
      if (
        other === endpoint ||
        !answer?.accepted ||
        agentId === undefined ||
        caller !== 'valid' ||
        shown.size >= MAX_AGENTS
      )
        return;
      const results = field(answer.json, 'results');
      if (
        other === 'list-results' &&
        Array.isArray(results) &&
        results.length > 0 &&
        parameter(exchange, 'cursor') === undefined
      )
        shown.set(agentId, kept);
      if (stringAt(answer.json, 'publicAgent', 'agentId') === agentId) shown.set(agentId, kept);
      if (stringAt(answer.json, 'agent', 'id') === agentId) shown.set(agentId, kept);
    },
    // An existing agent need not be published.
    shows: (id, isPublished) => (!isOfPublished(endpoint) || isPublished ? shown.get(id) : undefined),
  };
}

/** Judges that the answered agent is the requested one. */
export function judgeRightAgent({ agents, isForeign }: Facts, endpoint: 'get-agent' | 'get-published-agent'): Judge {
  const findings: Finding[] = [];
  let judged = 0;
  const [name, own] = endpoint === 'get-agent' ? ['agent', 'id'] : ['publicAgent', 'agentId'];
  return {
    see(exchange) {
      const { agentId, answer } = exchange;
      if (exchange.endpoint !== endpoint || exchange.method !== 'GET' || !answer?.accepted || agentId === undefined)
        return;
      const shown = field(answer.json, name);
      const met = stringAt(shown, own);
      if (met === undefined || !isObject(shown) || !mayBeVersion6(shown)) return;
      // Foreign clients may address an agent by something other than its identifier.
      if (isForeign === true && !agents.isId(agentId)) return;
      judged++;
      if (met.toLowerCase() === agentId.toLowerCase() || findings.length >= MAX_FINDINGS) return;
      const what = endpoint === 'get-agent' ? 'the agent' : 'the public form of';
      findings.push({
        expected: `${what} ${show(agentId)}`,
        actual: `${endpoint === 'get-agent' ? 'the agent' : 'that of'} ${show(met)}`,
        at: `/${name}/${own}`,
        exchanges: [exchange.kept],
      });
    },
    verdict: () => ({ findings, judged }),
  };
}

const MODES: readonly (string | undefined)[] = ['guest', 'read', 'write'];

/** Judges that currentUserMode is what the user says about the token. */
export function judgeModes({ target, agents }: Facts): Judge {
  const findings: Finding[] = [];
  let judged = 0;
  let unclear: string | undefined;
  return {
    see(exchange) {
      const { caller, answer, agentId } = exchange;
      if (exchange.endpoint !== 'get-agent' || exchange.method !== 'GET' || !answer) return;
      if (caller !== 'read' && caller !== 'guest') return;
      // The user knows the access to the given agent only.
      const isGiven =
        agentId === target.agentId || (target.agentId === undefined && agents.get(agentId ?? '')?.made !== undefined);
      // An answer that everybody gets now and then shows nothing about the token.
      if (!isGiven || answer.status === 429 || answer.status >= 500) return;
      const met = stringAt(answer.json, 'currentUserMode');
      if (!answer.accepted) unclear = `Get agent with the ${caller} token answered ${answer.status}.`;
      else if (!MODES.includes(met)) unclear = 'The answer holds no known currentUserMode.';
      else {
        judged++;
        if (met === caller || findings.length >= MAX_FINDINGS) return;
        findings.push({
          expected: `the mode ${caller}, for a token with ${caller} access`,
          actual: `the mode ${met}`,
          at: '/currentUserMode',
          exchanges: [exchange.kept],
        });
      }
    },
    verdict: () => ({
      findings,
      judged,
      missing:
        unclear === undefined ? undefined : { reason: unclear, supply: '--read-token or --guest-token for this agent' },
    }),
  };
}
