import type { NewAgentEndpoint } from '../../../spec/index.ts';
import type { Finding, Judge, Verdict } from '../../check.ts';
import { ASSIGNED } from '../../content/abridge.ts';
import { isLoss, type Difference } from '../../content/content.ts';
import { isStructure, neverShown, type NeverShown, type SeenPlaces } from '../../content/places.ts';
import type { AgentCreation } from '../../history/facts/agents.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isAccepted, type Answered, type Excerpt } from '../../http/exchange.ts';
import { stringAt, type JsonObject } from '../../json.ts';
import { show } from '../../show.ts';
import { createdBy, isRead, origins, readingOf, type CreatedAgent } from './created.ts';

/** Something that an answer lacks, until a reading shows it. */
interface Lack {
  readonly difference: Difference;
  /** Answers that lack it. */
  times: number;
  /** Whether it was shown before. */
  isGone: boolean;
  readonly excerpt: Excerpt;
}

/** What each agent lacks, by place. */
export type Lacks = Map<string, Map<string, Lack>>;

const MAX_LACKING = 100;

/** Findings by the kind of their place, each in the smallest request that shows it. */
export function createSmallest() {
  const all = new Map<string, Finding>();
  const sizeOf = ({ exchanges }: Finding): number =>
    Math.max(...exchanges.map(({ request: { body = '' } }) => body.length));
  return {
    add({ kind }: Pick<Difference, 'kind'>, finding: Finding): void {
      const known = all.get(kind);
      if (!known || sizeOf(finding) < sizeOf(known)) if (known || all.size < MAX_LACKING) all.set(kind, finding);
    },
    /** The smallest first. */
    findings: (): readonly Finding[] => [...all.values()].toSorted((one, other) => sizeOf(one) - sizeOf(other)),
  };
}

/** Judges that the answer shows every sent value, or, where the answer is incomplete, that the readings do. */
export function judgeContent({ agents, strict }: Facts, endpoint: NewAgentEndpoint): Judge {
  const lacks: Lacks = new Map();
  const smallest = createSmallest();

  function seeAnswer({ id, creation: { sent, answered } }: CreatedAgent, excerpt: Excerpt, verdict: Verdict): void {
    if (!sent || !answered) return;
    const { differences, compared } = agents.compare(sent, answered);
    if (compared > 0) verdict.judged++;
    for (const difference of differences)
      if (difference.is === 'another') smallest.add(difference, loss(difference, 'sent', [excerpt]));
      else noteLack(lacks, id, difference, excerpt, false);
  }

  function seeReading({ id, creation }: CreatedAgent, exchange: Answered, verdict: Verdict): void {
    const lacking = lacks.get(id);
    const shown = lacking && agents.contentOf(exchange);
    if (!creation.sent || !lacking || !shown || !agents.isUnchanged(exchange, creation)) return;
    const { differences, compared } = agents.compare(creation.sent, shown);
    if (compared > 0) verdict.judged++;
    const still = new Map(differences.map((difference) => [difference.place, difference]));
    for (const [place, lack] of lacking) {
      const difference = still.get(place);
      if (difference?.is === 'absent') lack.times++;
      else lacking.delete(place);
      if (difference?.is === 'another')
        smallest.add(difference, loss(difference, 'sent', [lack.excerpt, exchange.excerpt]));
    }
  }

  return {
    see(exchange, verdict) {
      const created = createdBy(exchange, endpoint, agents);
      if (created) seeAnswer(created, exchange.excerpt, verdict);
      const read = readingOf(exchange, endpoint, agents);
      if (read && isRead(exchange)) seeReading(read, exchange, verdict);
    },
    conclude({ findings }) {
      findings.push(...smallest.findings(), ...losses(lacks, 'sent', agents.shown));
      const origin = origins[endpoint];
      const example = [...agents.all].findLast((one) => one.origin === origin && one.creation?.sent)?.creation?.excerpt;
      const never = neverShown(agents.sent[origin], agents.shown);
      // Names in blocks are those of whoever sent them.
      const due = never.filter(({ kind }) => isStructure(kind) || (strict && !kind.includes('/blocks/')));
      if (example) findings.push(...shownNowhere(due, example));
    },
  };
}

/** The findings on what was sent often, and shown by no answer. */
export const shownNowhere = (all: readonly NeverShown[], example: Excerpt): readonly Finding[] =>
  all.map(({ kind, times }) => ({
    expected: `${kind}, which was sent ${times} times, in some answer`,
    actual: 'no answer shows it',
    exchanges: [example],
  }));

/** What the first reading of an agent showed, and which answered places it lacked. */
interface FirstReading {
  readonly excerpt: Excerpt;
  readonly lacks: Set<string>;
  /** What later readings have to show. */
  readonly earlier: (readonly [content: JsonObject, witness: Excerpt])[];
}

const MAX_READ = 300;

/** Judges that every reading shows what was answered, workspace included, and what the first reading showed. */
export function judgeReadings({ agents, policy }: Facts, endpoint: NewAgentEndpoint): Judge {
  const lacks: Lacks = new Map();
  const smallest = createSmallest();
  const first = new Map<string, FirstReading>();

  return {
    see(exchange, verdict) {
      const { findings } = verdict;
      const read = readingOf(exchange, endpoint, agents);
      if (!read || !isRead(exchange) || !agents.isUnchanged(exchange, read.creation)) return;
      const { id, creation } = read;
      const { excerpt } = exchange;
      const shown = agents.contentOf(exchange);
      const reading = first.get(id) ?? firstReading(creation, excerpt);
      if (first.size < MAX_READ) first.set(id, reading);
      const moved = workspaceMoved(exchange, creation);
      if (moved) findings.push(moved);
      if (!shown) return;
      let all = moved ? 1 : 0;
      const isFirst = reading.excerpt === excerpt;
      for (const [content, witness] of reading.earlier) {
        const { differences, compared } = agents.compare(content, shown);
        all += compared;
        for (const difference of differences)
          // Somebody may publish what others made.
          if (policy.isShared && difference.place === '/isPublished') continue;
          else if (difference.is === 'absent') {
            if (isFirst) reading.lacks.add(difference.place);
            noteLack(lacks, id, difference, excerpt, !reading.lacks.has(difference.place));
          } else smallest.add(difference, loss(difference, 'answered', [witness, excerpt]));
      }
      if (isFirst) reading.earlier.push([without(partOf(shown, creation.sent), creation.answered), excerpt]);
      if (all > 0) verdict.judged++;
    },
    conclude: ({ findings }) => void findings.push(...smallest.findings(), ...losses(lacks, 'answered', agents.read)),
  };
}

function firstReading({ sent, answered, excerpt: witness }: AgentCreation, excerpt: Excerpt): FirstReading {
  return { excerpt, lacks: new Set(), earlier: answered ? [[partOf(answered, sent), witness]] : [] };
}

function workspaceMoved({ answer, excerpt }: Answered, creation: AgentCreation): Finding | undefined {
  const { answeredWorkspaceId: answered } = creation;
  const actual = stringAt(answer.json, 'agent', 'workspaceId');
  if (actual === undefined || answered === undefined || actual === answered) return undefined;
  return {
    expected: `the workspace from the answer, ${show(answered)}`,
    actual: show(actual),
    at: '/agent/workspaceId',
    exchanges: [creation.excerpt, excerpt],
  };
}

/** Judges that the agent is in the named workspace, according to the answer or else to the readings. */
export function judgeWorkspace({ agents }: Facts, endpoint: NewAgentEndpoint): Judge {
  let isAnyCreated = false;

  /** The agent that a reading shows, if the answer that created it did not show its workspace. */
  function readBy(exchange: Answered): CreatedAgent | undefined {
    const read = readingOf(exchange, endpoint, agents);
    if (!read || !isRead(exchange) || read.creation.answeredWorkspaceId !== undefined) return undefined;
    if (agents.isUnchanged(exchange, read.creation)) return read;
    return undefined;
  }

  return {
    see(exchange, verdict) {
      if (!isAccepted(exchange)) return;
      const created = createdBy(exchange, endpoint, agents);
      isAnyCreated ||= created !== undefined;
      const { creation } = created ?? readBy(exchange) ?? {};
      const actual = stringAt(exchange.answer.json, 'agent', 'workspaceId');
      if (creation?.workspaceId === undefined || actual === undefined) return;
      verdict.judged++;
      if (actual === creation.workspaceId) return;
      verdict.findings.push({
        expected: `the workspace from the request, ${show(creation.workspaceId)}`,
        actual: show(actual),
        at: '/agent/workspaceId',
        exchanges: created ? [exchange.excerpt] : [creation.excerpt, exchange.excerpt],
      });
    },
    conclude(verdict) {
      if (isAnyCreated && verdict.judged === 0)
        verdict.missing = { reason: 'No answer shows the workspaceId of the agent.' };
    },
  };
}

/** Notes that an answer lacks something. `isGone` if it was shown before. */
export function noteLack(lacks: Lacks, id: string, difference: Difference, excerpt: Excerpt, isGone: boolean): void {
  const ofAgent = lacks.get(id) ?? new Map<string, Lack>();
  if (lacks.size >= MAX_LACKING && !lacks.has(id)) return;
  lacks.set(id, ofAgent);
  const known = ofAgent.get(difference.place);
  if (known) {
    known.times++;
    known.isGone ||= isGone;
  } else ofAgent.set(difference.place, { difference, times: 1, isGone, excerpt });
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
export function losses(lacks: Lacks, as: Earlier, shown: SeenPlaces, holds = 'agent'): readonly Finding[] {
  const found = new Map<string, Finding>();
  const gone = lostByTwo(lacks);
  for (const ofAgent of lacks.values())
    for (const { difference, times, excerpt } of ofAgent.values())
      if ((times > 1 || gone.has(difference.place)) && isLoss(difference, shown) && !found.has(difference.place))
        found.set(difference.place, loss(difference, as, [excerpt], holds));
  return [...found.values()];
}

/** What was to be expected: that which was sent, answered before, or imported. */
type Earlier = 'sent' | 'answered' | 'imported';

/** The finding on a difference in the agent, or in what else an answer `holds`. */
export function loss(
  { at, expected, actual }: Difference,
  as: Earlier,
  exchanges: readonly Excerpt[],
  holds = 'agent',
): Finding {
  return { expected: `${expected}, as it was ${as}`, actual, at: `/${holds}${at}`, exchanges };
}

/** The part of the answer that the request asked for, and what the server assigned. An agent may be published later. */
const partOf = (agent: JsonObject, sent: JsonObject | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(agent).filter(([name]) => {
      if (name === 'isPublished') return sent?.[name] === false;
      return sent === undefined || ASSIGNED.has(name) || Object.hasOwn(sent, name);
    }),
  );

/** The part that the answer did not show. */
const without = (agent: JsonObject, answered: JsonObject | undefined): JsonObject =>
  Object.fromEntries(Object.entries(agent).filter(([name]) => (answered?.[name] ?? undefined) === undefined));
