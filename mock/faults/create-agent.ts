import {
  exchangeContent,
  forgotten,
  newAgentFaults,
  notStored,
  overwritten,
  readsInAnotherWorkspace,
  readsOtherwise,
  readsWithoutVariables,
  repeatsIdOf,
} from './creations/agent-faults.ts';

export const createAgentFaults = {
  ...newAgentFaults('create-agent'),
  'create-agent-repeats-imported-id': repeatsIdOf('create-agent', 'import-agent'),
  'created-agent-not-stored': notStored('create-agent'),
  'created-agent-forgotten': forgotten('create-agent'),
  'created-agent-reads-otherwise': readsOtherwise('create-agent'),
  'created-agent-reads-in-another-workspace': readsInAnotherWorkspace('create-agent'),
  'created-agent-reads-without-variables': readsWithoutVariables('create-agent'),
  'created-agents-exchange-content': exchangeContent('create-agent'),
  'agents-overwrite-each-other': overwritten,
};
