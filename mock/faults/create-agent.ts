import { dated } from './fault.ts';
import {
  crashesOn,
  newAgentFaults,
  overwritten,
  repeatsIdOf,
  takesAnotherTheme,
  takesVariable,
} from './creations/agent-faults.ts';
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
  'create-agent-crashes-without-groups': crashesOn(
    'create-agent',
    ({ groups = [] }) => Array.isArray(groups) && groups.length === 0,
  ),
  'create-agent-repeats-imported-id': repeatsIdOf('create-agent', 'import-agent'),
  'create-agent-dated-ahead': dated('create-agent', 9),
  'create-agent-takes-another-theme': takesAnotherTheme,
  'new-agents-take-a-variable': takesVariable,
  'agents-overwrite-each-other': overwritten,
};
