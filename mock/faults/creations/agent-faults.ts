import type { NewAgentEndpoint } from '../../../spec/index.ts';
import { bodyOf, isAccepted, refuse, type Call } from '../../call.ts';
import { textOf, withFields, type JsonObject } from '../../../text/json.ts';
import { noSuchAgent } from '../../endpoints/get-agent.ts';
import { originOf } from '../../store/overlay.ts';
import type { Store } from '../../store/store.ts';
import { itemsIn } from '../../store/agent-forms.ts';
import { blanked, contentFaults, contentOf, each, onSent, sends } from './content-faults.ts';
import { madeAfter, idsBy, ofOrigin, onAccepted, onBody, onlyFor, onResource, refuseValid } from '../fault.ts';
import type { Fault } from '../fault.ts';
import { misshapen } from '../shape.ts';

type Past = 'created' | 'imported';
type AgentViolation<E extends NewAgentEndpoint, P extends Past> =
  | `${E}-${'answer-misshapen' | 'not-there' | 'repeats-id' | 'finds-by-name' | 'ignores-workspace'}`
  | `${P}-agent-${'not-stored' | 'forgotten' | 'reads-otherwise' | 'reads-in-another-workspace' | 'reads-without-variables'}`
  | `${P}-agents-exchange-content`;

/** The faults that creation and import share; `past` begins the names of those that show when an agent is read. */
export function newAgentFaults<E extends NewAgentEndpoint, P extends Past>(endpoint: E, past: P) {
  const isMade = ofOrigin(originOf(endpoint));
  const onReading = (change: Parameters<typeof onResource>[1]): Fault =>
    onlyFor(isMade)(onResource('get-agent', change));
  const ofAgents = {
    [`${endpoint}-answer-misshapen`]: misshapen(endpoint, '/agent/isArchived', 'wrong-type'),
    [`${endpoint}-not-there`]: notServed(endpoint, 404),
    [`${endpoint}-repeats-id`]: repeatsIdOf(endpoint, endpoint),
    [`${endpoint}-finds-by-name`]: findsByName(endpoint),
    [`${endpoint}-ignores-workspace`]: onBody([endpoint], (body, store) =>
      withFields(body, { workspaceId: otherWorkspace(store, body['workspaceId']) }),
    ),
    [`${past}-agent-not-stored`]: onlyFor(isMade)(missing),
    // Once two more were made.
    [`${past}-agent-forgotten`]: onlyFor(
      (call, store) => isMade(call, store) && madeAfter(store, call.agentId).length >= 2,
    )(missing),
    [`${past}-agent-reads-otherwise`]: onReading((agent) => ({ ...agent, name: `${textOf(agent['name'])} (changed)` })),
    [`${past}-agent-reads-in-another-workspace`]: onReading((agent, _, store) =>
      withFields(agent, { workspaceId: otherWorkspace(store, agent['workspaceId']) }),
    ),
    [`${past}-agent-reads-without-variables`]: onReading(blanked('variables')),
    // Of two consecutive agents, each reads as the other.
    [`${past}-agents-exchange-content`]: onReading((agent, { agentId }, store) => {
      const made = idsBy(endpoint, store);
      return { ...agent, ...contentOf(store, made[made.indexOf(agentId) ^ 1]) };
    }),
  } as Record<AgentViolation<E, P>, Fault>;
  return { ...contentFaults(endpoint), ...ofAgents };
}

/** Denies the path, or the method: nothing is accepted there. */
export const notServed = (on: NewAgentEndpoint | 'get-agent' | 'get-published-agent', status: number): Fault =>
  onAccepted([on], () => ({ ...refuse('unknown-route', 'There is no such path.'), status }));

/** Answers with the identifier of the first agent that was made by `other`. */
export const repeatsIdOf = (endpoint: NewAgentEndpoint, other: NewAgentEndpoint): Fault =>
  onlyFor((_, store) => idsBy(other, store).length > 0)(
    onResource(endpoint, (agent, _, store) => ({ ...agent, id: idsBy(other, store)[0] ?? '' })),
  );

/** Answers with the identifier of the first agent of the same name that it made. */
const findsByName = (endpoint: NewAgentEndpoint): Fault => {
  const named = (call: Call, store: Store): string | undefined =>
    idsBy(endpoint, store).find((id) => sends(({ name }) => store.agent(id)?.agent['name'] === name)(call));
  return onlyFor((call, store) => named(call, store) !== undefined)(
    onResource(endpoint, (agent, call, store) => ({ ...agent, id: named(call, store) ?? agent['id'] ?? '' })),
  );
};

function otherWorkspace(store: Store, id: unknown): string | undefined {
  const ids = Array.from({ length: store.universe.workspaceCount }, (_, i) => store.universe.workspace(i).id);
  return ids.find((other) => other !== undefined && other !== id);
}

const missing = onAccepted(['get-agent'], (_, { agentId }) => noSuchAgent(agentId));

/** A created agent reads as one that was imported after it. */
export const overwritten: Fault = onlyFor((call, store) => importedAfter(call, store) !== undefined)(
  onResource('get-agent', (agent, call, store) => ({ ...agent, ...contentOf(store, importedAfter(call, store)) })),
);

/** An agent has another name once one with its name was imported. */
export const renamesNamesakes: Fault = onResource('get-agent', (agent, { agentId }, store) => {
  const isNamesake = (id: string) =>
    store.agent(id)?.origin === 'import' && contentOf(store, id)['name'] === agent['name'];
  return madeAfter(store, agentId).some(isNamesake) ? { ...agent, name: `${textOf(agent['name'])} (old)` } : agent;
});

/** The blocks of agents that were made later, by their identifiers. */
const laterBlocks = (store: Store, agentId: string): ReadonlyMap<unknown, JsonObject> => {
  const groups = madeAfter(store, agentId).flatMap((id) => itemsIn(contentOf(store, id), 'groups'));
  return new Map(groups.flatMap((group) => itemsIn(group, 'blocks')).map((block) => [block['id'], block]));
};

/** An imported agent has the blocks of later agents instead of its own that have the same identifiers. */
export const overwritesEqualIds: Fault = onlyFor((call, store) => {
  const groups = itemsIn(contentOf(store, call.agentId), 'groups');
  const later = laterBlocks(store, call.agentId);
  return (
    ofOrigin('import')(call, store) &&
    groups.some((group) => itemsIn(group, 'blocks').some((block) => later.has(block['id'])))
  );
})(
  onResource('get-agent', (agent, { agentId }, store) => {
    const later = laterBlocks(store, agentId);
    return each(
      'groups',
      each('blocks', (block) => later.get(block['id']) ?? block),
    )(agent);
  }),
);

/** Answers with the identifier from the request, if an agent has it. */
export const overwritesById: Fault = onlyFor((call, store) =>
  sends(({ id = null }) => store.agent(textOf(id)) !== undefined)(call),
)(
  onResource('import-agent', (agent, call) => {
    const { agent: sent } = Object(bodyOf(call)) as JsonObject;
    return { ...agent, id: (sent as JsonObject)['id'] ?? null };
  }),
);

/** Fails inside for some agents, whether their creation is valid or not. */
export const crashesOn = (endpoint: NewAgentEndpoint, isMeant: (agent: JsonObject) => boolean): Fault =>
  onlyFor(sends(isMeant))({
    on: [endpoint],
    reply: (reply) =>
      isAccepted(reply) || reply.kind === 'invalid' ? { ...refuse('invalid', 'Internal error.'), status: 500 } : reply,
  });

/** An agent without a theme takes that of the first one. */
export const takesAnotherTheme: Fault = onlyFor(
  (call, store) => sends((agent) => !('theme' in agent))(call) && idsBy('create-agent', store).length > 0,
)(
  onSent(['create-agent'], (agent, store) => {
    const { theme = null } = contentOf(store, idsBy('create-agent', store)[0]);
    return { ...agent, theme };
  }),
);

/** A new agent also has the first variable of the one that was made before it. */
export const takesVariable: Fault = onSent(['create-agent', 'import-agent'], (agent, store) => {
  const { variables } = contentOf(store, store.created().agents.at(-1));
  if (!Array.isArray(variables)) return agent;
  const own = Array.isArray(agent['variables']) ? agent['variables'] : [];
  return { ...agent, variables: [...own, ...variables.slice(0, 1)] };
});

const importedAfter = (call: Call, store: Store): string | undefined => {
  if (ofOrigin('create')(call, store))
    return madeAfter(store, call.agentId).find((id) => store.agent(id)?.origin === 'import');
  return undefined;
};

/** Both endpoints that make agents refuse a workspace that a request created. */
export const takesNoAgents: Fault = onlyFor((call, store) => {
  const { workspaceId } = Object(bodyOf(call)) as JsonObject;
  return store.created().workspaces.some((id) => id === workspaceId);
})(refuseValid('create-agent', 'import-agent'));
