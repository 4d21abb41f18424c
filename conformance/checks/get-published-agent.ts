import { endpoints } from '../../spec/index.ts';
import type { Judge } from '../check.ts';
import { abridgedAgent } from '../content/abridge.ts';
import { compareAgents } from '../content/content.ts';
import { createSeenPlaces, neverShown, noteSent, noteShown, type SentPlaces } from '../content/places.ts';
import { mayBeVersion6 } from '../history/facts/agents.ts';
import type { Facts } from '../history/facts/facts.ts';
import { isAccepted, type Excerpt } from '../http/exchange.ts';
import { field, stringAt, type JsonObject } from '../json.ts';
import { otherWorkspace, shownNowhere } from './agents/content.ts';
import { createLedger } from './agents/ledger.ts';
import { judgeReading, judgeRightAgent } from './agents/reading.ts';
import { checksOf } from './checks-of.ts';
import { judgeShape } from './shape.ts';

/** Section 4.4. The specification does not show the answer for an agent without a published form, so it is never judged. */
export const getPublishedAgentChecks = checksOf('get-published-agent', {
  'get-published-agent-accepts-valid-request': judgeReading,
  'get-published-agent-answer-shape': judgeShape,
  'get-published-agent-answers-the-agent-asked-for': judgeRightAgent,
  'get-published-agent-shows-what-was-imported': judgePublishedContent,
});

/** The parts of an agent that its public form has too (section 2.9). */
const PUBLIC = ['name', 'groups', 'events', 'edges', 'variables', 'theme', 'settings'];

/** A run imports two agents as published, and their public forms show what the agents themselves show. */
const OFTEN = 2;

function judgePublishedContent({ agents, strict }: Facts): Judge {
  const ledger = createLedger('imported', 'publicAgent');
  const shown = createSeenPlaces();
  const itsOwn = createSeenPlaces(shown.whole);
  const sentFor = new Set<string>();
  const sentPlaces: SentPlaces = new Map();
  let example: readonly Excerpt[] = [];
  return {
    see(exchange, verdict) {
      const { endpoint, agentId = '', answer, excerpt } = exchange;
      if (endpoints[endpoint].holds !== 'publicAgent' || !isAccepted(exchange)) return;
      const publicAgent = field(answer?.json, 'publicAgent');
      if (!mayBeVersion6(publicAgent)) return;
      const form = abridgedAgent(publicAgent);
      if (!form) return;
      noteShown(form, shown);
      const fact = agents.get(agentId);
      const creation = fact?.creation;
      if (fact?.isAmbiguous !== false || creation?.sent?.['isPublished'] !== true) return;
      // Another check judges whether it is the public form of this agent.
      if (![undefined, agentId].includes(stringAt(publicAgent, 'agentId'))) return;
      const { sent, answered, answeredWorkspaceId: workspaceId } = creation;
      const publicPart = (agent: JsonObject): JsonObject =>
        Object.fromEntries(PUBLIC.map((name) => [name, agent[name]]));
      const { differences: all, compared } = compareAgents(publicPart(sent), form);
      // Other checks judge whether the agent itself holds what was sent.
      const own = { ...fact.shown, ...answered };
      const itself = { ...sent, ...own };
      noteShown(publicPart(own), itsOwn);
      if (!sentFor.has(agentId)) noteSent(publicPart(sent), sentPlaces, shown.whole);
      sentFor.add(agentId);
      example = [creation.excerpt, excerpt];
      const unlikeItself = new Set(compareAgents(publicPart(itself), form).differences.map(({ place }) => place));
      const differences = all.filter(({ place }) => unlikeItself.has(place));
      if (compared > 0) verdict.judged++;
      for (const difference of differences)
        if (difference.is === 'absent') ledger.lack(agentId, difference, excerpt);
        else ledger.other(difference, [creation.excerpt, excerpt]);
      verdict.findings.push(...otherWorkspace(exchange, 'the answer to the import', workspaceId, creation.excerpt));
    },
    conclude({ findings }) {
      const never = neverShown(sentPlaces, shown, OFTEN).filter(({ kind }) => itsOwn.kinds.has(kind));
      findings.push(...ledger.findings(shown), ...shownNowhere(never, strict, example, 'public form'));
    },
  };
}
