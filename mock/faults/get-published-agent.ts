import { notJson, onResource, refuseValid } from './fault.ts';
import { notServed } from './creations/agent-faults.ts';
import { misshapen } from './shape.ts';

export const getPublishedAgentFaults = {
  'get-published-agent-answer-misshapen': misshapen('get-published-agent', '/publicAgent', 'missing'),
  'get-published-agent-answer-not-json': notJson('get-published-agent'),
  'get-published-agent-refused': refuseValid('get-published-agent'),
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
