import { aboutThose, onAnswer, onlyFor, onResource } from './fault.ts';
import { notServed } from './creations/agent-faults.ts';
import { misshapen } from './shape.ts';

export const getAgentFaults = {
  'get-agent-answer-misshapen': misshapen('get-agent', '/currentUserMode', 'outside-closed-set'),
  'get-agent-answers-another': onlyFor(
    ({ agentId }, store) => store.agent(agentId)?.origin === 'universe',
    onResource('get-agent', 'agent', (agent, call, store) => {
      const other = store.universe.agentIndex(call.agentId) === 0 ? 1 : 0;
      return store.agent(store.agentId(other))?.agent ?? agent;
    }),
  ),
  'get-agent-not-there': notServed('get-agent', 404),
  'get-agent-mode-always-guest': aboutThose(
    (_call, _store, { mode }) => mode === 'read',
    onAnswer('get-agent', (body) => ({ ...body, currentUserMode: 'guest' })),
  ),
  'get-agent-mode-always-write': aboutThose(
    (_call, _store, { mode }) => mode === 'read' || mode === 'guest',
    onAnswer('get-agent', (body) => ({ ...body, currentUserMode: 'write' })),
  ),
};
