import { onResource } from './fault.ts';
import { notServed } from './creations/agent-faults.ts';

export const getPublishedAgentFaults = {
  'get-published-agent-not-there': notServed('get-published-agent', 405),
  'get-published-agent-answers-another': onResource(
    'get-published-agent',
    'publicAgent',
    (publicAgent, call, store) => ({
      ...publicAgent,
      agentId: store.agentId(store.universe.agentIndex(call.agentId) === 0 ? 1 : 0),
    }),
  ),
};
