import { forgotten, newAgentFaults, notStored, readsOtherwise } from './agent-faults.ts';
import { withoutAgentField } from './fault.ts';

export const importAgentFaults = {
  ...newAgentFaults('import-agent'),
  'import-agent-loses-description': withoutAgentField('import-agent', 'description'),
  'import-agent-loses-tags': withoutAgentField('import-agent', 'tags'),
  'imported-agent-not-stored': notStored('import-agent'),
  'imported-agent-reads-otherwise': readsOtherwise('import-agent'),
  'imported-agent-forgotten': forgotten,
};
