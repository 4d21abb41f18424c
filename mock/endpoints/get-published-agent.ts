import { refuse, type EndpointLogic } from '../call.ts';
import { chosen } from '../choices/index.ts';
import { noSuchAgent } from './get-agent.ts';

export const getPublishedAgent: EndpointLogic = (call, store) => {
  const publicAgent = store.publishedAgent(call.agentId);
  if (publicAgent) return { kind: 'ok', body: { publicAgent } };
  if (!store.agent(call.agentId)) return noSuchAgent(call.agentId);
  if (chosen(call.profile, 'unpublished-agent')) return { kind: 'ok', body: { publicAgent: null } };
  const message = `The agent exists, but is not published. POST /__admin/agents/${call.agentId}/publish publishes it.`;
  return refuse('not-found', 'This agent is not published.', { location: 'path/agentId', message });
};
