import { endpoints, isCreating } from '../../spec/index.ts';
import { isObject, type JsonObject } from '../../text/json.ts';
import { bodyOf, type Call, type Refusal, type RequestError } from '../call.ts';
import { chosen } from '../choices/index.ts';
import { correctedBody, smallestBody } from './corrected-body.ts';
import { isRefusal, parameters, readResultsQuery } from '../service/results-query.ts';
import { placeholder, quote, slipOf } from '../wording/slips.ts';
import { blankFlow, formOf } from '../store/agent-forms.ts';
import type { Store } from '../store/store.ts';
import { firstWorkspaceId } from '../store/target.ts';

/**
 * A refusal with hints on how to correct the request: the section, the form that the agent was validated against, and a
 * valid request with ids of the mock. None of it contains the caller's token.
 */
export function withHints(refusal: Refusal, call: Call, store: Store): Refusal {
  const form = judgedForm(refusal, call);
  return {
    ...refusal,
    errors: refusal.errors.map((error) => (error.location === 'path/agentId' ? aboutId(error, call, store) : error)),
    section: endpoints[call.endpoint].section,
    form,
    example: exampleFor(refusal, call, store),
  };
}

/** The form, version 5 or 6, that an agent was validated against, and why; only if something in the agent is wrong. */
function judgedForm({ errors }: Refusal, call: Call): string | undefined {
  const body = bodyOf(call);
  const agent = isObject(body) && body['agent'];
  if (!isObject(agent) || !errors.some(({ location }) => location.startsWith('body/agent/'))) return undefined;
  if (endpoints[call.endpoint].does === 'creates') return 'version 6, the only form of a created agent';
  const { version } = agent;
  if (version === '6') return 'version 6, since version is "6"';
  const form = formOf(version) === 'neither' ? 'neither version 6 nor 5' : 'version 5';
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

/** What is known about an id that no agent has. */
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

/** A body with what the profile requires beyond the documented shape: the parts of an import, and a unique name. */
function asChosen(body: JsonObject, { endpoint, profile }: Call, store: Store): JsonObject {
  const { agent, name } = body;
  const { does, holds } = endpoints[endpoint];
  if (does === 'imports' && isObject(agent)) {
    const missing = chosen(profile, 'import-parts').filter((part) => agent[part] === undefined);
    const empty = missing.map((part) => [part, blankFlow('')[part] ?? []] as const);
    return { ...body, agent: { ...agent, ...Object.fromEntries(empty) } };
  }
  if (holds !== 'workspace' || typeof name !== 'string' || chosen(profile, 'equal-workspace-names')) return body;
  let free = name;
  for (let suffix = 2; store.isTaken('name', free); suffix++) free = `${name} ${suffix}`;
  return { ...body, name: free };
}

/** A valid request: its body, or its request line if it has none. */
function exampleFor(refusal: Refusal, call: Call, store: Store): JsonObject | string {
  const { endpoint } = call;
  const token = /\S+$/.exec(call.authorization ?? '')?.[0] ?? '';
  const isSafe = (text: string): boolean => token === '' || !text.includes(token);
  if (isCreating(endpoint)) {
    const workspaceId = firstWorkspaceId(store) || '<workspaceId>';
    const smallest = asChosen(smallestBody(endpoint, workspaceId), call, store);
    if (refusal.errors.some(({ location }) => /\/(?:slug|publicId)$/.test(location))) return smallest;
    const isOpen = (id: string): boolean => (store.workspace(id) ?? { isSuspended: true })['isSuspended'] !== true;
    const body = asChosen(correctedBody(endpoint, bodyOf(call), workspaceId, isOpen), call, store);
    if (isSafe(JSON.stringify(body))) return body;
    return smallest;
  }
  const { method, path, query, mayBeAbsent } = endpoints[endpoint];
  const line = (id: string): string => `${method} ${path.replace('{agentId}', () => id)}`;
  const own = line(ownAgentId(call, store));
  const isKnown = call.agentId.length <= 100 && store.agent(call.agentId) !== undefined;
  const isUnpublished = mayBeAbsent === true && !store.publishedAgent(call.agentId);
  const search = query === null ? '' : correctedQuery(refusal, call);
  const corrected = (isKnown && !isUnpublished ? line(encodeURIComponent(call.agentId)) : own) + search;
  if (corrected.length <= 400 && isSafe(corrected)) return corrected;
  return own;
}

/** An agent of the mock that the endpoint can show; the path template if there is none. */
function ownAgentId({ endpoint }: Call, store: Store): string {
  const { main, published } = store.universe.persona.roles;
  const mustBePublished = endpoints[endpoint].mayBeAbsent === true;
  const index = mustBePublished ? published : main;
  if (index !== undefined) return store.agentId(index);
  return (!mustBePublished && store.created().agents[0]) || '{agentId}';
}

/** The corrected query, with its question mark; empty if that takes too many steps. A correction of one parameter may be wrong too. */
function correctedQuery(refusal: Refusal, call: Call): string {
  let query = rewritten(refusal, call.query);
  for (let step = 0; step < 3; step++) {
    const read = readResultsQuery({ ...call, query });
    if (!isRefusal(read)) {
      if (query.length === 0) return '';
      return `?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()}`;
    }
    query = rewritten(read, query);
  }
  return '';
}

/** The meant values in place of wrong ones; without parameters that make no sense, and from the first page. */
function rewritten({ errors }: Refusal, query: Call['query']): Call['query'] {
  const right = new Map<string, string>();
  for (const [name, value] of query) {
    const error = errors.find(({ location }) => location === `query/${name}`);
    const known = parameters.find((one) => one === name || one === error?.meant);
    if (known === undefined || known === 'cursor' || right.has(known)) continue;
    if (error === undefined || known !== name) right.set(known, value);
    else if (error.meant !== undefined) right.set(known, error.meant);
  }
  return [...right];
}
