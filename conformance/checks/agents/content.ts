import type { NewAgentEndpoint } from '../../../spec/index.ts';
import type { Finding, Judge } from '../../check.ts';
import { compareAgents, isLoss, type Difference } from '../../content/content.ts';
import type { Answered, Kept } from '../../http/exchange.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { stringAt, type JsonObject } from '../../json.ts';
import { show } from '../../show.ts';
import { MAX_FINDINGS, isRead, isUnchanged, madeBy, readingOf } from './made.ts';

/** Something that an answer lacks, until a reading shows it. */
interface Lack {
  readonly difference: Difference;
  /** Answers that lack it. */
  times: number;
  /** Whether it was shown before. */
  isGone: boolean;
  readonly kept: readonly Kept[];
}

/** What each agent lacks, by place. */
type Lacks = Map<string, Map<string, Lack>>;

const MAX_LACKING = 100;

/** Judges that the answer shows every sent value, or, where the answer is incomplete, that the readings do. */
export function judgeContent(facts: Facts, endpoint: NewAgentEndpoint): Judge {
  const { agents } = facts;
  const findings: Finding[] = [];
  const lacks: Lacks = new Map();
  let judged = 0;
  const add = (difference: Difference, kept: readonly Kept[]): void => {
    if (findings.length < MAX_FINDINGS) findings.push(loss(difference, 'sent', kept));
  };
  return {
    see(exchange) {
      const made = madeBy(exchange, endpoint, agents);
      if (made?.sent && made.answered) {
        const { differences, compared } = compareAgents(made.sent, made.answered);
        if (compared > 0) judged++;
        for (const difference of differences)
          if (difference.is === 'another') add(difference, [exchange.kept]);
          else noteLack(lacks, made.id, { difference, isGone: false, kept: exchange.kept });
      }
      const read = readingOf(exchange, endpoint, agents);
      const lacking = read && lacks.get(read.id);
      const shown = lacking && isRead(exchange) ? agents.contentOf(exchange) : undefined;
      if (!read?.sent || !lacking || !shown || !isRead(exchange) || !isUnchanged(exchange, read, facts)) return;
      const { differences, compared } = compareAgents(read.sent, shown);
      if (compared > 0) judged++;
      const still = new Map(differences.map((difference) => [difference.place, difference]));
      for (const [place, lack] of lacking) {
        const difference = still.get(place);
        if (difference?.is === 'absent') lack.times++;
        else lacking.delete(place);
        if (difference?.is === 'another') add(difference, [...lack.kept, exchange.kept]);
      }
    },
    verdict: () => ({ findings: [...findings, ...losses(lacks, 'sent', (one) => isLoss(one, agents.shown))], judged }),
  };
}

/** What the first reading of an agent showed, and which answered places it lacked. */
interface FirstReading {
  readonly content: JsonObject | undefined;
  readonly kept: Kept;
  readonly lacks: Set<string>;
}

/** Judges that every reading shows what was answered, workspace included, and what the first reading showed. */
export function judgeReadings(facts: Facts, endpoint: NewAgentEndpoint): Judge {
  const { agents } = facts;
  const findings: Finding[] = [];
  const lacks: Lacks = new Map();
  const first = new Map<string, FirstReading>();
  let judged = 0;
  const compare = (
    exchange: Answered,
    id: string,
    [before, shown]: readonly [JsonObject, JsonObject],
    kept: readonly Kept[],
  ): number => {
    const { differences, compared } = compareAgents(before, shown);
    const reading = first.get(id);
    for (const difference of differences)
      if (difference.is === 'absent') {
        if (reading?.kept === exchange.kept) reading.lacks.add(difference.place);
        const isGone = reading?.lacks.has(difference.place) === false;
        noteLack(lacks, id, { difference, isGone, kept: exchange.kept });
      } else if (findings.length < MAX_FINDINGS) findings.push(loss(difference, 'answered', [...kept, exchange.kept]));
    return compared;
  };
  return {
    see(exchange) {
      const made = readingOf(exchange, endpoint, agents);
      if (!made || !isRead(exchange) || !isUnchanged(exchange, made, facts)) return;
      const shown = agents.contentOf(exchange);
      const before = first.get(made.id);
      if (!before && first.size < 300)
        first.set(made.id, { content: shown && partOf(shown, made.sent), kept: exchange.kept, lacks: new Set() });
      const kept = made.madeBy ? [made.madeBy] : [];
      const moved = workspaceMoved(exchange, made.answeredWorkspaceId, kept);
      if (moved && findings.length < MAX_FINDINGS) findings.push(moved);
      if (!shown) return;
      let compared = moved ? 1 : 0;
      if (made.answered) compared += compare(exchange, made.id, [partOf(made.answered, made.sent), shown], kept);
      if (before?.content)
        compared += compare(exchange, made.id, [without(before.content, made.answered), shown], [before.kept]);
      if (compared > 0) judged++;
    },
    verdict: () => ({
      findings: [...findings, ...losses(lacks, 'answered', (one) => isLoss(one, agents.read))],
      judged,
    }),
  };
}

function workspaceMoved(exchange: Answered, answered: string | undefined, kept: readonly Kept[]): Finding | undefined {
  const met = stringAt(exchange.answer.json, 'agent', 'workspaceId');
  if (met === undefined || answered === undefined || met === answered) return undefined;
  return {
    expected: `the workspace from the answer, ${show(answered)}`,
    actual: show(met),
    at: '/agent/workspaceId',
    exchanges: [...kept, exchange.kept],
  };
}

/** Judges that the agent is in the named workspace, according to the answer or else to the readings. */
export function judgeWorkspace(facts: Facts, endpoint: NewAgentEndpoint): Judge {
  const { agents } = facts;
  const findings: Finding[] = [];
  let made = 0;
  let judged = 0;
  return {
    see(exchange) {
      const fresh = madeBy(exchange, endpoint, agents);
      if (fresh) made++;
      const fact = fresh ?? readingOf(exchange, endpoint, agents);
      const read = { ...exchange, agentId: fact?.id };
      if (!fact || fact.workspaceId === undefined || !isRead(read)) return;
      if (!fresh && (fact.answeredWorkspaceId !== undefined || !isUnchanged(read, fact, facts))) return;
      const met = stringAt(read.answer.json, 'agent', 'workspaceId');
      if (met === undefined) return;
      judged++;
      if (met === fact.workspaceId || findings.length >= MAX_FINDINGS) return;
      findings.push({
        expected: `the workspace from the request, ${show(fact.workspaceId)}`,
        actual: show(met),
        at: '/agent/workspaceId',
        exchanges: fresh || !fact.madeBy ? [exchange.kept] : [fact.madeBy, exchange.kept],
      });
    },
    verdict: () => ({
      findings,
      judged,
      missing: made > 0 && judged === 0 ? { reason: 'No answer shows the workspaceId of the agent.' } : undefined,
    }),
  };
}

interface Noted {
  readonly difference: Difference;
  readonly isGone: boolean;
  readonly kept: Kept;
}

function noteLack(lacks: Lacks, id: string, { difference, isGone, kept }: Noted): void {
  const ofAgent = lacks.get(id) ?? new Map<string, Lack>();
  if (lacks.size >= MAX_LACKING && !lacks.has(id)) return;
  lacks.set(id, ofAgent);
  const known = ofAgent.get(difference.place);
  if (known) {
    known.times++;
    known.isGone ||= isGone;
  } else ofAgent.set(difference.place, { difference, times: 1, isGone, kept: [kept] });
}

/** Places that two agents lack after showing them. */
function lostByTwo(lacks: Lacks): ReadonlySet<string> {
  const [once, twice] = [new Set<string>(), new Set<string>()];
  for (const ofAgent of lacks.values())
    for (const [place, { isGone }] of ofAgent) if (isGone) (once.has(place) ? twice : once).add(place);
  return twice;
}

/**
 * Losses: places that two answers about one agent lack, or two agents that showed them before, although the server
 * shows such things elsewhere. Each place once, since agents resemble each other.
 */
function losses(
  lacks: Lacks,
  as: 'sent' | 'answered',
  isLost: (difference: Difference) => boolean,
): readonly Finding[] {
  const found = new Map<string, Finding>();
  const gone = lostByTwo(lacks);
  for (const ofAgent of lacks.values())
    for (const { difference, times, kept } of ofAgent.values())
      if ((times > 1 || gone.has(difference.place)) && isLost(difference) && !found.has(difference.place))
        found.set(difference.place, loss(difference, as, kept));
  return [...found.values()].slice(0, MAX_FINDINGS);
}

function loss({ at, expected, actual }: Difference, as: 'sent' | 'answered', exchanges: readonly Kept[]): Finding {
  return {
    expected: `${expected}, as it was ${as}`,
    actual,
    at: `/agent${at}`,
    exchanges,
  };
}

/** The part of the answer that the request asked for. */
const partOf = (agent: JsonObject, sent: JsonObject | undefined): JsonObject =>
  Object.fromEntries(Object.entries(agent).filter(([name]) => sent === undefined || Object.hasOwn(sent, name)));

/** The part that the answer did not show. */
const without = (agent: JsonObject, answered: JsonObject | undefined): JsonObject =>
  Object.fromEntries(Object.entries(agent).filter(([name]) => (answered?.[name] ?? undefined) === undefined));
