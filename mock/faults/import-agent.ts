import { withFields } from '../../text/json.ts';
import {
  crashesOn,
  newAgentFaults,
  overwritesById,
  overwritesEqualIds,
  renamesNamesakes,
  repeatsIdOf,
} from './creations/agent-faults.ts';
import { onSent } from './creations/content-faults.ts';
import { importAgentValueFaults, refusesFourByteTexts, refusesTags } from './creations/value-faults.ts';

export const importAgentFaults = {
  ...newAgentFaults('import-agent', 'imported'),
  ...importAgentValueFaults,
  'import-agent-crashes-without-events': crashesOn(
    'import-agent',
    ({ version, events }) => version === '6' && events === undefined,
  ),
  'imported-agent-renamed-by-namesake': renamesNamesakes,
  'imported-agent-overwritten-by-equal-ids': overwritesEqualIds,
  'import-agent-overwrites-by-id': overwritesById,
  'import-agent-refuses-tags': refusesTags,
  'import-agent-refuses-four-byte-texts': refusesFourByteTexts,
  'import-agent-repeats-created-id': repeatsIdOf('import-agent', 'create-agent'),
  'import-agent-loses-description': onSent(['import-agent'], (agent) => withFields(agent, { description: undefined })),
  'import-agent-loses-tags': onSent(['import-agent'], (agent) => withFields(agent, { tags: undefined })),
};
