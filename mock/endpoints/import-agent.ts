import { isObject, refuse, type JsonObject } from '../call.ts';
import { chosen } from '../choices/index.ts';
import { upgradeToV6 } from '../published.ts';
import type { Endpoint } from './endpoint.ts';
import { storeNewAgent } from './new-agent.ts';
import { sentPlace } from './sent-place.ts';

const isV6 = (agent: JsonObject): boolean => agent['version'] === '6';

/** Section 4.2: takes an agent in either form; one of version 5 is stored in the version 6 form. */
export const importAgent: Endpoint = (call, store) => {
  const body = call.body && 'value' in call.body ? call.body.value : undefined;
  const agent = isObject(body) && isObject(body['agent']) ? body['agent'] : undefined;
  if (agent && !isV6(agent)) {
    const version = agent['version'];
    if (version !== undefined && version !== null && typeof version !== 'string')
      return refuse('invalid', 'The request has an error.', [
        {
          location: 'body/agent/version',
          message: 'Must be a string: "6" for the version 6 form.',
          ...(version === 6 ? { meant: '"6"' } : {}),
        },
      ]);
    if (!chosen(call.profile, 'import-v5'))
      return refuse('invalid', 'Agents in the version 5 form are not taken.', [
        { location: 'body/agent/version', message: 'Must be "6".', meant: '"6"' },
      ]);
  }
  return storeNewAgent(call, store, {
    origin: 'import',
    schema: 'import-agent-request',
    answer: 'import-agent-response',
    ownFields: ['publicId'],
    sentPlace,
    upgrade: (sent) => (isV6(sent) ? sent : upgradeToV6(sent)),
    publishes: (sent) => sent['isPublished'] === true && chosen(call.profile, 'import-published'),
  });
};
