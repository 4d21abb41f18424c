import type { EndpointLogic } from './endpoint.ts';
import { storeNewAgent } from './new-agent.ts';

/** Section 4.1. */
export const createAgent: EndpointLogic = (call, store) =>
  storeNewAgent(call, store, {
    origin: 'create',
    schema: 'create-agent-request',
    answer: 'create-agent-response',
    ownFields: ['version', 'isPublished', 'shareId'],
    parts: [],
    upgrade: (agent) => agent,
    publishes: () => false,
  });
