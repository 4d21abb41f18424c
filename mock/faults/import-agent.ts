import { newAgentFaults, repeatsIdOf } from './creations/agent-faults.ts';
import { withoutAgentField } from './fault.ts';

export const importAgentFaults = {
  ...newAgentFaults('import-agent', 'imported'),
  'import-agent-repeats-created-id': repeatsIdOf('import-agent', 'create-agent'),
  'import-agent-loses-description': withoutAgentField('import-agent', 'description'),
  'import-agent-loses-tags': withoutAgentField('import-agent', 'tags'),
};
