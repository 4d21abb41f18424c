import type { Store } from '../store/store.ts';
import { aboutThose, onAnswer, onResource } from './fault.ts';
import { notServed } from './creations/agent-faults.ts';
import { misshapen } from './shape.ts';

const isGenerated = (store: Store, id: string): boolean => store.agent(id)?.origin === 'universe';

export const getAgentFaults = {
  'get-agent-answer-misshapen': misshapen('get-agent', '/currentUserMode', 'outside-closed-set'),
  'get-agent-answers-another': aboutThose(
    ({ agentId }, store) => isGenerated(store, agentId),
    onResource('get-agent', 'agent', (agent, call, store) => {
      if (!isGenerated(store, call.agentId)) return agent;
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
