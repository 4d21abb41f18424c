import type { EndpointId } from '../../spec/index.ts';
import { isAccepted, isObject, withFields, type Call, type JsonObject } from '../call.ts';
import { noSuchAgent } from '../endpoints/get-agent.ts';
import type { Origin } from '../store/overlay.ts';
import type { Store } from '../store/store.ts';
import { aboutThose, notJson, onBody, onResource, refuseValid, withoutAgentField, type Fault } from './fault.ts';
import { hasMadeOne, madeAfter } from './made-before.ts';
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
    [`${endpoint}-repeats-id`]: aboutThose(
      hasMadeOne,
      onResource(endpoint, 'agent', (agent, _, store) => {
        const first = store.created.agents.find((id) => store.agent(id)?.origin === originOf[endpoint]);
        return { ...agent, id: first ?? agent['id'] ?? '' };
      }),
    ),
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

const cameFrom =
  (endpoint: NewAgentEndpoint) =>
  ({ agentId }: Call, store: Store): boolean =>
    store.agent(agentId)?.origin === originOf[endpoint];

/** Reading an agent that came from `endpoint` answers that there is none. */
export const notStored = (endpoint: NewAgentEndpoint): Fault => ({
  on: ['get-agent'],
  about: cameFrom(endpoint),
  reply: (reply, call, store) =>
    isAccepted(reply) && cameFrom(endpoint)(call, store) ? noSuchAgent(call.agentId) : reply,
});

/** Reading an agent that came from `endpoint` answers another name. */
export const readsOtherwise = (endpoint: NewAgentEndpoint): Fault =>
  aboutThose(
    cameFrom(endpoint),
    onResource('get-agent', 'agent', (agent, call, store) =>
      cameFrom(endpoint)(call, store)
        ? { ...agent, name: `${typeof agent['name'] === 'string' ? agent['name'] : ''} (changed)` }
        : agent,
    ),
  );

/** Reading an agent that was created answers the content of one that was imported after it. */
export const overwritten: Fault = aboutThose(
  (call, store) => importedAfter(call, store) !== undefined,
  onResource('get-agent', 'agent', (agent, call, store) => {
    const other = importedAfter(call, store);
    return other ? { ...other, id: call.agentId } : agent;
  }),
);

/** The first agent that was imported after the one asked for had been created. */
function importedAfter(call: Call, store: Store): JsonObject | undefined {
  if (!cameFrom('create-agent')(call, store)) return undefined;
  const later = madeAfter(store, call.agentId).find((id) => store.agent(id)?.origin === 'import');
  return later === undefined ? undefined : store.agent(later)?.agent;
}

/** Reading an agent that was imported answers that there is none, once two more were made. */
export const forgotten: Fault = {
  on: ['get-agent'],
  about: (call, store) => isForgotten(call, store),
  reply: (reply, call, store) => (isAccepted(reply) && isForgotten(call, store) ? noSuchAgent(call.agentId) : reply),
};

const isForgotten = (call: Call, store: Store): boolean =>
  cameFrom('import-agent')(call, store) && madeAfter(store, call.agentId).length >= 2;
