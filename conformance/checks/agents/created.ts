import { isReadingAgent, type NewAgentEndpoint } from '../../../spec/index.ts';
import { isAccepted, type Answered, type Exchange } from '../../http/exchange.ts';
import type { AgentCreation, AgentFact, Agents } from '../../history/facts/agents.ts';
import { stringAt } from '../../json.ts';

export type CreatedAgent = AgentFact & { readonly creation: AgentCreation };

export const origins = { 'create-agent': 'created', 'import-agent': 'imported' } as const;

const isCreated = (fact: AgentFact | undefined): fact is CreatedAgent => fact?.creation !== undefined;

/** The agent that an exchange created; `undefined` if it created none of this kind, or none that is compared. */
export function createdBy(exchange: Exchange, endpoint: NewAgentEndpoint, agents: Agents): CreatedAgent | undefined {
  if (exchange.endpoint !== endpoint || exchange.open || !isAccepted(exchange)) return undefined;
  const fact = agents.get(stringAt(exchange.answer.json, 'agent', 'id'));
  if (isCreated(fact) && fact.creation.n === exchange.n) return fact;
  return undefined;
}

/** The created agent that an exchange tried to read; `undefined` if it is about none of this kind. */
export function readingOf(exchange: Exchange, endpoint: NewAgentEndpoint, agents: Agents): CreatedAgent | undefined {
  if (!isReadingAgent(exchange.endpoint) || exchange.open) return undefined;
  const fact = agents.get(exchange.agentId);
  if (!isCreated(fact) || fact.origin !== origins[endpoint] || fact.isAmbiguous) return undefined;
  if (fact.creation.n < exchange.begun) return fact;
  return undefined;
}

/** An accepted reading that answers the requested agent. Another check judges whether it is that agent. */
export const isRead = (exchange: Exchange): exchange is Answered =>
  isAccepted(exchange) && [undefined, exchange.agentId].includes(stringAt(exchange.answer.json, 'agent', 'id'));
