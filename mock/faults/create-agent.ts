import { newAgentFaults, notStored, overwritten, readsOtherwise } from './agent-faults.ts';

export const createAgentFaults = {
  ...newAgentFaults('create-agent'),
  'created-agent-not-stored': notStored('create-agent'),
  'created-agent-reads-otherwise': readsOtherwise('create-agent'),
  'agents-overwrite-each-other': overwritten,
};
