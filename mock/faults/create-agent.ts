import { newAgentFaults, overwritten, repeatsIdOf } from './creations/agent-faults.ts';

export const createAgentFaults = {
  ...newAgentFaults('create-agent', 'created'),
  'create-agent-repeats-imported-id': repeatsIdOf('create-agent', 'import-agent'),
  'agents-overwrite-each-other': overwritten,
};
