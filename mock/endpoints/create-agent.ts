import { bodyRules } from '../service/documented-body.ts';
import type { EndpointLogic } from '../call.ts';
import { storeNewAgent } from './new-agent.ts';

const rules = bodyRules('create-agent-request', 'create-agent-response');

export const createAgent: EndpointLogic = (call, store) =>
  storeNewAgent(call, store, { origin: 'create', rules, ownFields: ['version', 'isPublished', 'shareId'], parts: [] });
