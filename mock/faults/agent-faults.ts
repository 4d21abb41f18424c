import type { EndpointId } from '../../spec/index.ts';
import { isAccepted, isObject, withFields } from '../call.ts';
import { noSuchAgent } from '../endpoints/get-agent.ts';
import type { Origin } from '../store/overlay.ts';
import type { Store } from '../store/store.ts';
import { notJson, onBody, onResource, refuseValid, withoutAgentField, type Fault } from './fault.ts';
import { misshapen } from './shape.ts';

const fieldsOfBoth = ['name', 'groups', 'events', 'edges', 'variables', 'theme', 'settings'] as const;
type FieldOfBoth = (typeof fieldsOfBoth)[number];

type NewAgentEndpoint = Extract<EndpointId, 'create-agent' | 'import-agent'>;
type CommonViolation<E extends NewAgentEndpoint> =
  | `${E}-answer-misshapen`
  | `${E}-answer-not-json`
  | `${E}-refused`
  | `${E}-repeats-id`
  | `${E}-loses-${FieldOfBoth}`
  | `${E}-ignores-workspace`;

/** The faults that creation and import have in common. */
export function newAgentFaults<E extends NewAgentEndpoint>(endpoint: E): Record<CommonViolation<E>, Fault> {
  return {
    [`${endpoint}-answer-misshapen`]: misshapen(endpoint, '/agent/isArchived', 'wrong-type'),
    [`${endpoint}-answer-not-json`]: notJson(endpoint),
    [`${endpoint}-refused`]: refuseValid(endpoint),
    [`${endpoint}-repeats-id`]: onResource(endpoint, 'agent', (agent, _, store) => {
      const first = store.created.agents.find((id) => store.agent(id)?.origin === originOf[endpoint]);
      return { ...agent, id: first ?? agent['id'] ?? '' };
    }),
    [`${endpoint}-ignores-workspace`]: onBody(endpoint, (body, store) => {
      const ids = Array.from({ length: store.universe.workspaceCount }, (_, i) => store.universe.workspace(i).id);
      const other = ids.find((id) => id !== undefined && id !== body['workspaceId']);
      return withFields(body, { workspaceId: other });
    }),
    ...Object.fromEntries(fieldsOfBoth.map((name) => [`${endpoint}-loses-${name}`, withoutAgentField(endpoint, name)])),
    // A name may be demanded, and a start event is given to whoever sends none: these are replaced, not left out.
    [`${endpoint}-loses-events`]: onBody(endpoint, (body) =>
      isObject(body['agent']) ? { ...body, agent: { ...body['agent'], events: [] } } : body,
    ),
    [`${endpoint}-loses-name`]: onBody(endpoint, (body) =>
      isObject(body['agent']) ? { ...body, agent: { ...body['agent'], name: 'Untitled' } } : body,
    ),
  } as Record<CommonViolation<E>, Fault>;
}

const originOf: Readonly<Record<NewAgentEndpoint, Origin>> = { 'create-agent': 'create', 'import-agent': 'import' };

/** Reading an agent that came from `endpoint` answers that there is none. */
export const notStored = (endpoint: NewAgentEndpoint): Fault => ({
  on: ['get-agent'],
  reply: (reply, call, store) =>
    isAccepted(reply) && store.agent(call.agentId)?.origin === originOf[endpoint] ? noSuchAgent(call.agentId) : reply,
});

/** Reading an agent that came from `endpoint` answers another name. */
export const readsOtherwise = (endpoint: NewAgentEndpoint): Fault =>
  onResource('get-agent', 'agent', (agent, call, store) =>
    store.agent(call.agentId)?.origin === originOf[endpoint] && isObject(agent)
      ? { ...agent, name: `${typeof agent['name'] === 'string' ? agent['name'] : ''} (changed)` }
      : agent,
  );

/** Agents that requests made after the one with this id. */
const madeAfter = (store: Store, id: string): readonly string[] => {
  const { agents } = store.created;
  const place = agents.indexOf(id);
  return place < 0 ? [] : agents.slice(place + 1);
};

/** Reading an agent that was created answers the content of one that was imported after it. */
export const overwritten: Fault = onResource('get-agent', 'agent', (agent, { agentId }, store) => {
  if (store.agent(agentId)?.origin !== 'create') return agent;
  const later = madeAfter(store, agentId).find((id) => store.agent(id)?.origin === 'import');
  const other = later === undefined ? undefined : store.agent(later)?.agent;
  return other ? { ...other, id: agentId } : agent;
});

/** Reading an agent that was imported answers that there is none, once two more were made. */
export const forgotten: Fault = {
  on: ['get-agent'],
  reply: (reply, { agentId }, store) =>
    isAccepted(reply) && store.agent(agentId)?.origin === 'import' && madeAfter(store, agentId).length >= 2
      ? noSuchAgent(agentId)
      : reply,
};
