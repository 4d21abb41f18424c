import { isObject, type Json, type JsonObject } from '../../text/json.ts';
import { bodyOf, refuse, type EndpointLogic, type Refusal } from '../call.ts';
import { chosen } from '../choices/index.ts';
import { bodyRules } from '../service/documented-body.ts';
import { orMeant, quote } from '../wording/slips.ts';
import { agentForm, upgradeToV6 } from '../store/agent-forms.ts';
import { storeNewAgent } from './new-agent.ts';
import { pointerTokens } from '../../spec/json-pointer.ts';

const rules = bodyRules('import-agent-request', 'import-agent-response');

/** Section 4.2: accepts an agent in either form. One of version 5 is stored in the version 6 form. */
export const importAgent: EndpointLogic = (call, store) => {
  const { agent } = Object(bodyOf(call)) as JsonObject;
  const version = isObject(agent) ? agent['version'] : '6';
  const form = agentForm(version);
  if (form === 'neither') return neitherForm(version ?? null);
  if (form === 'v5' && !chosen(call.profile, 'import-v5'))
    return refuse('invalid', 'This server does not accept agents in the version 5 form.', {
      location: 'body/agent/version',
      message: 'Must be "6".',
      meant: '"6"',
    });
  return storeNewAgent(call, store, {
    origin: 'import',
    rules,
    ownFields: ['publicId'],
    parts: chosen(call.profile, 'import-parts'),
    sentPlace,
    upgrade: form === 'v5' ? upgradeToV6 : undefined,
    publishes: isObject(agent) && agent['isPublished'] === true && chosen(call.profile, 'import-published'),
  });
};

/** The place in the sent body of a place in the version 6 form; of a part that the conversion has changed, the part. */
function sentPlace(sent: JsonObject, changed: JsonObject, at: string): string {
  const [, part = ''] = pointerTokens(at);
  const [before, after] = [sent['agent'], changed['agent']];
  if (!isObject(before) || !isObject(after) || before[part] === after[part]) return at;
  return `/agent/${before[part] === undefined ? 'groups' : part}`;
}

/** Storing it as version 6 would silently change its version. */
function neitherForm(version: Json): Refusal {
  const written = typeof version === 'string' ? version : JSON.stringify(version);
  const [, digit] = /^\s*"?v?0*([1-6])(?:\.0*)*"?\s*$/i.exec(written.slice(0, 40)) ?? [];
  const meant = digit && JSON.stringify(digit);
  const is = typeof version === 'object' ? 'it is not a string' : `it is ${quote(version)}`;
  const message = `Must be the string "6", or for the version 5 form a string from "1" to "5" or absent; ${is}.${orMeant(meant)}`;
  const error = { location: 'body/agent/version', message, meant };
  return refuse('invalid', 'The version of the agent belongs to neither form.', error);
}
