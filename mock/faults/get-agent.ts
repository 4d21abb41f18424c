import { onAnswer, onlyFor, onResource, type Fault } from './fault.ts';
import type { Mode } from '../call.ts';
import { notServed } from './creations/agent-faults.ts';
import { misshapen } from './shape.ts';

/** Shows one mode to callers with others. */
const showsMode = (shown: Mode, others: readonly unknown[]): Fault => ({
  ...onAnswer('get-agent', (body) => ({ ...body, currentUserMode: shown })),
  about: (_call, _store, { mode }) => others.includes(mode),
});

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
  'get-agent-mode-always-guest': showsMode('guest', ['read']),
  'get-agent-mode-always-write': showsMode('write', ['read', 'guest']),
};
