import { endpoints } from '../../../spec/index.ts';
import { abridgedAgent } from '../../content/abridge.ts';
import { createSeenPlaces, neverShown, noteSent, noteShown } from '../../content/places.ts';
import type { NeverShown, SentPlaces } from '../../content/places.ts';
import { isAccepted, type Exchange } from '../../http/exchange.ts';
import { field, stringAt, type JsonObject } from '../../json.ts';
import { mayBeVersion6, type AgentCreation, type AgentFact, type Agents } from './agents.ts';

/** The parts of an agent that its public form has too (section 2.9). */
const PUBLIC = ['name', 'groups', 'events', 'edges', 'variables', 'theme', 'settings'];

export const publicPart = (agent: JsonObject): JsonObject =>
  Object.fromEntries(PUBLIC.map((name) => [name, agent[name]]));

/** A run imports several agents as published, and their public forms show what the agents themselves show. */
const OFTEN = 2;

/** A public form, and the agent that was imported as published. */
export interface PublicForm {
  readonly form: JsonObject;
  readonly fact: AgentFact;
  readonly creation: AgentCreation;
  readonly sent: JsonObject;
}

/** What public forms show of the agents that were imported as published. */
export function createPublicForms(agents: Pick<Agents, 'get'>) {
  const shown = createSeenPlaces();
  const ofAgents = createSeenPlaces(shown.whole);
  const sentPlaces: SentPlaces = new Map();
  const sentFor = new Set<string>();
  let last: (PublicForm & { readonly n: number }) | undefined;

  function importedAs({ agentId = '' }: Exchange, publicAgent: JsonObject): Omit<PublicForm, 'form'> | undefined {
    const fact = agents.get(agentId);
    const { creation } = fact ?? {};
    const { sent } = creation ?? {};
    if (fact?.isAmbiguous !== false || !creation || sent?.['isPublished'] !== true) return undefined;
    // Another check judges whether it is the public form of this agent.
    if (![undefined, agentId].includes(stringAt(publicAgent, 'agentId'))) return undefined;
    return { fact, creation, sent };
  }

  return {
    shown,
    /** The public form that an exchange shows of an agent that was imported as published. */
    formIn({ n }: Exchange): PublicForm | undefined {
      if (last?.n === n) return last;
      return undefined;
    },
    /** What was imported and published often, and is shown by the agents, and by no public form. */
    neverShown: (): readonly NeverShown[] =>
      neverShown(sentPlaces, shown, OFTEN).filter(({ kind }) => ofAgents.kinds.has(kind)),
    see(exchange: Exchange): void {
      if (endpoints[exchange.endpoint].holds !== 'publicAgent' || !isAccepted(exchange)) return;
      const publicAgent = field(exchange.answer.json, 'publicAgent');
      const form = mayBeVersion6(publicAgent) && abridgedAgent(publicAgent);
      if (!form) return;
      noteShown(form, shown);
      const imported = importedAs(exchange, publicAgent);
      if (!imported) return;
      const { fact, creation, sent } = imported;
      last = { ...imported, form, n: exchange.n };
      noteShown(publicPart({ ...fact.shown, ...creation.answered }), ofAgents);
      // An agent that is not public after all may have a form that shows nothing.
      if (sentFor.has(fact.id) || PUBLIC.every((name) => form[name] === undefined)) return;
      noteSent(publicPart(sent), sentPlaces, shown.whole);
      sentFor.add(fact.id);
    },
  };
}
