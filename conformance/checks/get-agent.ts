import { isCreatingAgents, isReadingAgent } from '../../spec/index.ts';
import { addFailure, MOST_KEPT, type Judge } from '../check.ts';
import { present, valueFor } from '../collections.ts';
import type { Facts } from '../history/facts/facts.ts';
import { isWithinLag } from '../history/facts/lateness.ts';
import { isAccepted, isWithoutAccess, ownerOf, type Answered, type Excerpt, type Exchange } from '../http/exchange.ts';
import { arrayAt, stringAt, type JsonObject } from '../json.ts';
import { show } from '../show.ts';
import { isRead } from './agents/created.ts';
import { judgeReading, judgeRightAgent } from './agents/reading.ts';
import { checksOf } from './checks-of.ts';
import { judgeShape } from './shape.ts';

export const getAgentChecks = checksOf('get-agent', {
  'get-agent-accepts-valid-request': judgeReading,
  'get-agent-answer-shape': judgeShape,
  'get-agent-answers-the-agent-asked-for': judgeRightAgent,
  'creations-leave-other-agents-alone': judgeOthers,
  'get-agent-mode-matches-token': judgeModes,
});

const MODES: readonly (string | undefined)[] = ['guest', 'read', 'write'];

/** What Get agent says of one caller's access to one agent: so long as nobody changes it, each answer says the same. */
interface Access {
  /** The last two answers that say different things. */
  before: Excerpt | undefined;
  last: { readonly mode: string; readonly excerpt: Excerpt };
  changes: number;
}

/** So many changes between two modes are no grant and no withdrawal of access: there, back, there and back again. */
const BACK_AND_FORTH = 4;

/** Between wrong credentials too: whoever sends the right ones is who it was. */
const isPlain = ({ caller, query, isOdd }: Exchange): boolean =>
  !isWithoutAccess(caller) && query.length === 0 && isOdd !== true;

function judgeModes({ target, agents, policy }: Facts): Judge {
  let unclear: string | undefined;
  const accesses = new Map<string, Access>();

  function seeMode(exchange: Answered): void {
    const { answer, agentId, excerpt } = exchange;
    const mode = stringAt(answer.json, 'currentUserMode') ?? '';
    const creation = agents.creationOf(agentId);
    // Access to a new agent may come late.
    if (!MODES.includes(mode) || (creation && isWithinLag(creation, exchange))) return;
    const last = { mode, excerpt };
    const access = valueFor(accesses, ownerOf(exchange), () => ({ before: undefined, last, changes: 0 }), MOST_KEPT);
    if (access.last.mode !== mode) Object.assign(access, { before: access.last.excerpt, changes: access.changes + 1 });
    access.last = last;
  }

  /** The user knows the access to the given agent only. */
  const isGiven = (agentId: string | undefined): boolean => {
    if (target.agentId === undefined) return agents.creationOf(agentId) !== undefined;
    return agentId === target.agentId;
  };
  return {
    see(exchange, verdict) {
      const { endpoint, caller, answer, agentId, excerpt } = exchange;
      if (endpoint !== 'get-agent' || !answer) return;
      if (isAccepted(exchange) && isPlain(exchange) && !policy.isShared) seeMode(exchange);
      if (!isGiven(agentId)) return;
      if (caller !== 'read' && caller !== 'guest') return;
      const mode = stringAt(answer.json, 'currentUserMode');
      if (!answer.accepted) unclear = `Get agent with the ${caller} token answered ${answer.status}.`;
      else if (!MODES.includes(mode)) unclear = 'The answer holds no known currentUserMode.';
      else {
        verdict.judged++;
        if (mode === caller) return;
        verdict.findings.push({
          expected: `the mode ${caller}, for a token with ${caller} access`,
          actual: `the mode ${mode}`,
          at: '/currentUserMode',
          exchanges: [excerpt],
        });
      }
    },
    conclude(verdict) {
      for (const { before, last, changes } of accesses.values())
        if (changes >= BACK_AND_FORTH)
          addFailure(verdict, {
            expected: 'one mode for one token and one agent',
            actual: `another one ${changes} times, back and forth, and in the end ${last.mode}`,
            at: '/currentUserMode',
            exchanges: present(before, last.excerpt),
          });
      const supply = '--read-token or --guest-token for this agent';
      if (unclear !== undefined) verdict.missing = { reason: unclear, supply };
    },
  };
}

/** Shorter texts may occur in two agents by chance. */
const MARKING = 12;

/** What distinguishes a sent agent from all others, by place: its name, and the identifiers of its parts. */
function marksOf(agent: JsonObject): readonly (readonly [at: string, mark: string])[] {
  const parts = ['groups', 'edges', 'events', 'variables'].flatMap((name) =>
    arrayAt(agent, name).map((part, i) => [`/${name}/${i}/id`, stringAt(part, 'id')] as const),
  );
  const all = [['/name', stringAt(agent, 'name')] as const, ...parts];
  return all.flatMap(([at, mark]) => (mark !== undefined && mark.length >= MARKING ? [[at, mark] as const] : []));
}

function judgeOthers({ agents, policy }: Facts): Judge {
  if (policy.isWilful) return { missing: { reason: 'Others may copy one agent into another.' } };
  const marks = new Map<string, Excerpt>();
  return {
    see(exchange, verdict) {
      if (!isAccepted(exchange)) return;
      const { endpoint, answer, n, excerpt } = exchange;
      if (isCreatingAgents(endpoint)) {
        const creation = agents.creationOf(stringAt(answer.json, 'agent', 'id'));
        if (creation?.n !== n || !creation.sent) return;
        for (const [, mark] of marksOf(creation.sent)) if (marks.size < 20_000) marks.set(mark, excerpt);
        return;
      }
      const fact = agents.get(exchange.agentId);
      if (!isReadingAgent(endpoint) || !isRead(exchange) || marks.size === 0) return;
      if (fact === undefined || fact.creation !== undefined || fact.isAmbiguous) return;
      const shown = agents.contentOf(exchange);
      if (!shown) return;
      verdict.judged++;
      const found = marksOf(shown).find(([, mark]) => marks.has(mark));
      if (!found) return;
      const [at, mark] = found;
      verdict.findings.push({
        expected: `the agent ${show(fact.id)}, which existed before, without what was sent for a new one`,
        actual: show(mark),
        at: `/agent${at}`,
        exchanges: present(marks.get(mark), excerpt),
      });
    },
    get missing() {
      if (marks.size === 0) return { reason: 'Nothing was created.', supply: 'a run without --read-only' };
      return { reason: 'No agent that existed before was read after another was made.', supply: '--agent-id' };
    },
  };
}
