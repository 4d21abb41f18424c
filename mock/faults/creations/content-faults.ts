import type { NewAgentEndpoint } from '../../../spec/index.ts';
import { isObject, withFields, type Json, type JsonObject } from '../../../text/json.ts';
import { originOf } from '../../store/overlay.ts';
import type { Store } from '../../store/store.ts';
import { blankFlow } from '../../store/agent-forms.ts';
import { onBody, onlyFor, onResource, type Fault } from '../fault.ts';

const blanked = (on: NewAgentEndpoint, name: string): Fault =>
  onSent(on, (agent) => (name in agent ? { ...agent, [name]: blankFlow('')[name] ?? null } : agent));

export const onSent = (on: NewAgentEndpoint, change: (agent: JsonObject, store: Store) => JsonObject): Fault =>
  onBody(on, (body, store) => (isObject(body['agent']) ? { ...body, agent: change(body['agent'], store) } : body));

/** `value` with every scalar in it changed, from the inside out. */
function mapped(value: Json, change: (value: Json, name: string) => Json, name = ''): Json {
  if (Array.isArray(value)) {
    const within = value.map((item: Json) => mapped(item, change, name));
    return change(within, name);
  }
  if (!isObject(value)) return change(value, name);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, change, key)]));
}

export const mappedFields = (agent: JsonObject, change: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(agent).map(([name, value]) => [name, mapped(value, change, name)]));

export const onTexts = (on: NewAgentEndpoint, change: (text: string) => string): Fault =>
  onSent(on, (agent) => mappedFields(agent, (value) => (typeof value === 'string' ? change(value) : value)));

export const items = (agent: JsonObject, name: string): readonly JsonObject[] => {
  const found = agent[name];
  if (Array.isArray(found)) return found.filter(isObject);
  return [];
};

export const eachItem = (agent: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject => {
  if (name in agent) return { ...agent, [name]: items(agent, name).map(change) };
  return agent;
};

/** Shows null for a sent value, in the answer to the creation and whenever the agent is read. */
function asNull(on: NewAgentEndpoint, isNothing: (value: Json) => boolean): Fault {
  const change = (agent: JsonObject): JsonObject => {
    const { theme, settings, variables, description, tags } = agent;
    const sent = withFields({}, { theme, settings, variables, description, tags });
    return { ...agent, ...mappedFields(sent, (value) => (isNothing(value) ? null : value)) };
  };
  const [answers, reads] = [
    onResource(on, 'agent', change),
    onResource('get-agent', 'agent', (agent, call, store) =>
      store.agent(call.agentId)?.origin === originOf(on) ? change(agent) : agent,
    ),
  ];
  return {
    on: [on, 'get-agent'],
    reply: (reply, call, store) => (call.endpoint === on ? answers : reads).reply?.(reply, call, store) ?? reply,
  };
}

const written = ['name', 'groups', 'events', 'edges', 'variables', 'theme', 'settings'];

/** What a client sent for an agent. */
export function contentOf(store: Store, id: string | undefined): JsonObject {
  const { agent } = store.agent(id ?? '') ?? {};
  return Object.fromEntries(
    written.map((name) => [name, agent?.[name] ?? null] as const).filter(([name]) => agent?.[name] !== undefined),
  );
}

/** The first agent that an endpoint made. */
export const firstMade = (on: NewAgentEndpoint, store: Store): string | undefined =>
  store.created().agents.find((id) => store.agent(id)?.origin === originOf(on));

export function contentFaults<E extends NewAgentEndpoint>(endpoint: E) {
  const losses = {
    // These are replaced, not left out: a server may require them, or add a start event when there is none.
    groups: blanked(endpoint, 'groups'),
    edges: blanked(endpoint, 'edges'),
    variables: blanked(endpoint, 'variables'),
    theme: blanked(endpoint, 'theme'),
    settings: blanked(endpoint, 'settings'),
    events: onSent(endpoint, (agent) => ({ ...agent, events: [] })),
    name: onSent(endpoint, (agent) => ({ ...agent, name: 'Untitled' })),
    blocks: onSent(endpoint, (agent) => eachItem(agent, 'groups', (group) => ({ ...group, blocks: [] }))),
    positions: onSent(endpoint, (agent) =>
      eachItem(agent, 'groups', (group) => ({ ...group, graphCoordinates: { x: 0, y: 0 } })),
    ),
    'variable-values': onSent(endpoint, (agent) =>
      eachItem(agent, 'variables', (variable) => ({ ...variable, value: '' })),
    ),
    'long-values': onTexts(endpoint, (text) => text.slice(0, 255)),
    'leading-zeros': onTexts(endpoint, (text) => (/^0\d+$/.test(text) ? String(Number(text)) : text)),
  } satisfies Record<string, Fault>;
  const manglings = {
    'repeats-content': onlyFor((_, store) => firstMade(endpoint, store) !== undefined)(
      onSent(endpoint, (agent, store) => ({ ...agent, ...contentOf(store, firstMade(endpoint, store)) })),
    ),
    'rejoins-edges': onSent(endpoint, (agent) => {
      const [first] = items(agent, 'groups');
      return eachItem(agent, 'edges', (edge) => ({ ...edge, to: withFields({}, { groupId: first?.['id'] }) }));
    }),
    'breaks-references': onSent(endpoint, (agent) =>
      eachItem(agent, 'groups', (group) => ({
        ...group,
        id: typeof group['id'] === 'string' ? `${group['id']}x` : '',
      })),
    ),
    'escapes-non-ascii': onTexts(endpoint, (text) =>
      text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ),
    'escapes-markup': onTexts(endpoint, (text) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ),
    'replaces-four-byte-characters': onTexts(endpoint, (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
    'turns-false-to-true': onSent(endpoint, (agent) =>
      mappedFields(agent, (value) => (value === false ? true : value)),
    ),
    'turns-zero-to-null': asNull(endpoint, (value) => value === 0),
    'turns-empty-to-null': asNull(endpoint, (value) => value === '' || (Array.isArray(value) && value.length === 0)),
  } satisfies Record<string, Fault>;
  return Object.fromEntries([
    ...Object.entries(losses).map(([name, fault]) => [`${endpoint}-loses-${name}`, fault]),
    ...Object.entries(manglings).map(([name, fault]) => [`${endpoint}-${name}`, fault]),
  ]) as Record<`${E}-loses-${keyof typeof losses}` | `${E}-${keyof typeof manglings}`, Fault>;
}
