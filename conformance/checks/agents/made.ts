import type { EndpointId } from '../../../spec/index.ts';
import { isAnswered, type Answered, type Exchange } from '../../http/exchange.ts';
import type { AgentFact, Agents, AgentOrigin } from '../../history/facts/agents.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { stringAt } from '../../json.ts';

export type NewAgentEndpoint = Extract<EndpointId, 'create-agent' | 'import-agent'>;

export const origins: Readonly<Record<NewAgentEndpoint, AgentOrigin>> = {
  'create-agent': 'created',
  'import-agent': 'imported',
};

/** Most findings of one check; further ones show nothing new. */
export const MAX_FINDINGS = 25;

/** The agent that an exchange created; `undefined` if it created none of this kind, or none that is compared. */
export function madeBy(exchange: Exchange, endpoint: NewAgentEndpoint, agents: Agents): AgentFact | undefined {
  if (exchange.endpoint !== endpoint || exchange.method !== 'POST' || exchange.open || !isAnswered(exchange))
    return undefined;
  const id = exchange.answer.accepted ? stringAt(exchange.answer.json, 'agent', 'id') : undefined;
  const fact = id === undefined ? undefined : agents.get(id);
  return fact?.made === exchange.n ? fact : undefined;
}

/** The created agent that an exchange tried to read; `undefined` if it is about none of this kind. */
export function readingOf(exchange: Exchange, endpoint: NewAgentEndpoint, agents: Agents): AgentFact | undefined {
  const { agentId, begun, method } = exchange;
  if (exchange.endpoint !== 'get-agent' || method !== 'GET' || exchange.open || agentId === undefined) return undefined;
  const fact = agents.get(agentId);
  return fact?.origin === origins[endpoint] && fact.made !== undefined && fact.made < begun && !fact.isAmbiguous
    ? fact
    : undefined;
}

/**
 * Whether a reading can show the agent as it was created. Our own run changes nothing. In foreign traffic, only an
 * unchanged `updatedAt` shows that nobody changed the agent.
 */
export const isUnchanged = ({ answer }: Answered, { revision }: AgentFact, { isForeign }: Facts): boolean =>
  isForeign !== true || (revision !== undefined && stringAt(answer.json, 'agent', 'updatedAt') === revision);

/** An accepted reading that answers the requested agent. Another check judges whether it is that agent. */
export const isRead = (exchange: Exchange): exchange is Answered =>
  isAnswered(exchange) &&
  exchange.answer.accepted &&
  [undefined, exchange.agentId].includes(stringAt(exchange.answer.json, 'agent', 'id'));
