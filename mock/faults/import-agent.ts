import { isObject, withFields, type JsonObject } from '../../text/json.ts';
import { bodyOf, isAccepted, refuse } from '../call.ts';
import { onlyFor } from './fault.ts';
import { newAgentFaults, repeatsIdOf } from './creations/agent-faults.ts';
import { onSent } from './creations/content-faults.ts';
import { importAgentValueFaults, refusesFourByteTexts, refusesTags } from './creations/value-faults.ts';

export const importAgentFaults = {
  ...newAgentFaults('import-agent', 'imported'),
  ...importAgentValueFaults,
  'import-agent-crashes-without-events': onlyFor((call) => {
    const { agent } = Object(bodyOf(call)) as JsonObject;
    return isObject(agent) && agent['version'] === '6' && !('events' in agent);
  })({
    on: ['import-agent'],
    reply: (reply) =>
      isAccepted(reply) || reply.kind === 'invalid' ? { ...refuse('invalid', 'Internal error.'), status: 500 } : reply,
  }),
  'import-agent-refuses-tags': refusesTags,
  'import-agent-refuses-four-byte-texts': refusesFourByteTexts,
  'import-agent-repeats-created-id': repeatsIdOf('import-agent', 'create-agent'),
  'import-agent-loses-description': onSent(['import-agent'], (agent) => withFields(agent, { description: undefined })),
  'import-agent-loses-tags': onSent(['import-agent'], (agent) => withFields(agent, { tags: undefined })),
};
