import { refuse, type EndpointLogic, type Refusal } from '../call.ts';

export function noSuchAgent(id: string): Refusal {
  const detail = `There is no agent with the id ${JSON.stringify(id.slice(0, 100))}.`;
  return refuse('not-found', detail, { location: 'path/agentId', message: 'No agent has this id.' });
}

export const getAgent: EndpointLogic = (call, store) => {
  const stored = store.agent(call.agentId);
  if (stored) return { kind: 'ok', body: { agent: stored.agent, currentUserMode: call.mode } };
  return noSuchAgent(call.agentId);
};
