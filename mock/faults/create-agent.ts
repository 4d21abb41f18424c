import { dated } from './fault.ts';
import { newAgentFaults, overwritten, repeatsIdOf, takesAnotherTheme } from './creations/agent-faults.ts';
import {
  createAgentValueFaults,
  newAgentFaultsOfBoth,
  refusesItemsOfEdges,
  refusesTheWordNull,
} from './creations/value-faults.ts';

export const createAgentFaults = {
  ...newAgentFaults('create-agent', 'created'),
  ...createAgentValueFaults,
  'create-agent-refuses-the-word-null': refusesTheWordNull,
  'create-agent-refuses-items-of-edges': refusesItemsOfEdges,
  ...newAgentFaultsOfBoth,
  'create-agent-repeats-imported-id': repeatsIdOf('create-agent', 'import-agent'),
  'create-agent-dated-ahead': dated('create-agent', 9),
  'create-agent-takes-another-theme': takesAnotherTheme,
  'agents-overwrite-each-other': overwritten,
};
