import {
  exchangeContent,
  forgotten,
  newAgentFaults,
  notStored,
  readsInAnotherWorkspace,
  readsOtherwise,
  readsWithoutVariables,
  repeatsIdOf,
} from './creations/agent-faults.ts';
import { withoutAgentField } from './fault.ts';

export const importAgentFaults = {
  ...newAgentFaults('import-agent'),
  'import-agent-repeats-created-id': repeatsIdOf('import-agent', 'create-agent'),
  'import-agent-loses-description': withoutAgentField('import-agent', 'description'),
  'import-agent-loses-tags': withoutAgentField('import-agent', 'tags'),
  'imported-agent-not-stored': notStored('import-agent'),
  'imported-agent-forgotten': forgotten('import-agent'),
  'imported-agent-reads-otherwise': readsOtherwise('import-agent'),
  'imported-agent-reads-in-another-workspace': readsInAnotherWorkspace('import-agent'),
  'imported-agent-reads-without-variables': readsWithoutVariables('import-agent'),
  'imported-agents-exchange-content': exchangeContent('import-agent'),
};
