import { endpoints, isCreating, type CreatingEndpoint } from '../../spec/index.ts';
import { isObject, type JsonObject } from '../../text/json.ts';
import { bodyOf, type Call, type Refusal, type RequestError } from '../call.ts';
import { chosen } from '../choices/index.ts';
import { placeholder, quote, slipOf } from '../wording/slips.ts';
import { blankFlow, agentForm } from '../store/agent-forms.ts';
import type { Store } from '../store/store.ts';
import { firstWorkspaceId } from '../store/target.ts';

/** A refusal with the section, the form of the agent, and a valid request with ids of the mock. No hint holds the token. */
export function withHints(refusal: Refusal, call: Call, store: Store): Refusal {
  const form = judgedForm(refusal, call);
  return {
    ...refusal,
    errors: refusal.errors.map((error) => (error.location === 'path/agentId' ? aboutId(error, call, store) : error)),
    section: endpoints[call.endpoint].section,
    form,
    example: isCreating(call.endpoint) ? smallestBody(call.endpoint, call, store) : requestLine(call, store),
  };
}

/** The form, version 5 or 6, that an agent was validated against, and why; only if something in the agent is wrong. */
function judgedForm({ errors }: Refusal, call: Call): string | undefined {
  const { agent } = Object(bodyOf(call)) as JsonObject;
  if (!isObject(agent) || !errors.some(({ location }) => location.startsWith('body/agent/'))) return undefined;
  if (endpoints[call.endpoint].does === 'creates') return 'version 6, the only form of a created agent';
  const { version } = agent;
  if (version === '6') return 'version 6, since version is "6"';
  const form = { neither: 'neither version 6 nor 5', v5: 'version 5', v6: 'version 6' }[agentForm(version)];
  return `${form}, since version ${aboutVersion(agent)}. Write "version": "6" to have it judged as version 6`;
}

function aboutVersion(agent: JsonObject): string {
  const { version = null } = agent;
  if (typeof version !== 'object') return `is ${quote(version)}, not "6"`;
  if (version !== null) return 'is not a string, not "6"';
  const keys = Object.keys(agent).slice(0, 50);
  const slip = keys.find((key) => key !== 'version' && slipOf(key, ['version']) !== undefined);
  if (slip === undefined) return 'is missing';
  return `is missing (there is ${quote(slip)})`;
}

function aboutId(error: RequestError, { agentId }: Call, store: Store): RequestError {
  if (store.agent(agentId)) return error;
  const slip = placeholder(agentId) ?? (store.workspace(agentId) && 'It is the id of a workspace.');
  const meant = [agentId.trim(), agentId.trim().toLowerCase(), agentId.replaceAll(/^["'{<:]+|["'}>]+$/g, '')].find(
    (id) => store.agent(id) !== undefined,
  );
  let way = 'GET /__admin/agents lists the ids of the mock.';
  if (agentId === 'import') way = 'To import an agent, send POST.';
  if (meant !== undefined) way = `Did you mean ${meant}?`;
  return { ...error, message: [error.message, slip, way].filter(Boolean).join(' '), meant };
}

/** The smallest body that an endpoint accepts under the profile of a call, in a workspace of the mock. */
function smallestBody(endpoint: CreatingEndpoint, { profile }: Call, store: Store): JsonObject {
  const { does, holds } = endpoints[endpoint];
  if (holds === 'workspace') {
    let name = 'My workspace';
    if (chosen(profile, 'equal-workspace-names')) return { name };
    for (let suffix = 2; store.taken.name.has(name); suffix++) name = `My workspace ${suffix}`;
    return { name };
  }
  const workspaceId = firstWorkspaceId(store) || '<workspaceId>';
  const name = 'My agent';
  if (does === 'creates') return { workspaceId, agent: { name } };
  const parts = chosen(profile, 'import-parts').map((part) => [part, blankFlow('')[part] ?? []]);
  return { workspaceId, agent: { version: '6', name, ...Object.fromEntries(parts) } };
}

/** A request line that is accepted: about the agent that was asked for, or one of the mock, or with the template. */
function requestLine({ endpoint, agentId }: Call, store: Store): string {
  const { method, path, mayBeAbsent } = endpoints[endpoint];
  const { main, published } = store.universe.persona.roles;
  const isPublic = mayBeAbsent === true;
  const isThere = isPublic ? store.publishedAgent(agentId) : store.agent(agentId);
  const index = isPublic ? published : main;
  const generated = index !== undefined && store.agentId(index);
  const own = generated || (!isPublic && store.created().agents[0]) || '{agentId}';
  return `${method} ${path.replace('{agentId}', () => (isThere ? encodeURIComponent(agentId) : own))}`;
}
