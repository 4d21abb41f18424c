import type { Mode } from '../../call.ts';
import type { Session } from '../../session/session.ts';
import { json, member, object, routesOf, type AdminAnswer } from '../admin-route.ts';
import { editingRoutes, noneWith, switchRoutes } from './editing.ts';
import { listedIds, paging, rangeOf, SEARCH, searched } from './paging.ts';

/** Stored agents, and changes for which the service has no operation. */
export const agentRoutes = routesOf('Agents', {
  listAgents: {
    on: 'GET /agents',
    summary:
      'List agents, or those whose name and id have some words: new ones first, then seeded, then generated ones',
    query: { ...paging, ...SEARCH },
    run: ({ session, query }) => {
      const { store } = session;
      const isFound = searched(query);
      const shown = (total: number, ids: readonly string[]): AdminAnswer =>
        json({ total, agents: ids.map((id) => summaryOf(session, id)) });
      if (!isFound) {
        const { total, ids } = listedIds('agent', store, (all) => rangeOf(query, all));
        return shown(total, ids);
      }
      const found = namesOf(store).filter(({ id, name }) => isFound(`${id} ${JSON.stringify(name)}`));
      const { offset, length } = rangeOf(query, found.length);
      const ids = found.slice(offset, offset + length).map(({ id }) => id);
      return shown(found.length, ids);
    },
  },
  getAgentState: {
    on: 'GET /agents/{agentId}',
    summary: 'Show an agent as it is stored, its published form, and where it came from',
    run: ({ session, parameters }) => {
      const { agentId = '' } = parameters;
      const stored = session.store.agent(agentId);
      if (!stored) return noneWith('agent', agentId, session);
      const publishedAgent = session.store.publishedAgent(agentId) ?? null;
      return json({ ...summaryOf(session, agentId), agent: stored.agent, publishedAgent });
    },
  },
  ...editingRoutes('agent', {
    schema: 'agent-in-response',
    removal: 'Remove an agent with its published form and its results',
  }),
  duplicateAgent: {
    on: 'POST /agents/{agentId}/duplicate',
    summary: 'Copy an agent, unpublished',
    run: ({ session, parameters }) => {
      const { agentId = '' } = parameters;
      const id = session.duplicateAgent(agentId);
      if (id === undefined) return noneWith('agent', agentId, session);
      return json(summaryOf(session, id), 201);
    },
  },
  ...switchRoutes('agent', {
    publish: ['isPublished', true, 'Publish the current state of an agent'],
    unpublish: ['isPublished', false, 'Unpublish an agent'],
    archive: ['isArchived', true, 'Archive an agent'],
    unarchive: ['isArchived', false, 'Unarchive an agent'],
    close: ['isClosed', true, 'Close an agent to new conversations'],
    open: ['isClosed', false, 'Reopen a closed agent'],
  }),
  setMode: {
    on: 'PUT /agents/{agentId}/mode',
    summary: 'Set the access of a token to one agent',
    body: object({ token: { type: 'string' }, mode: { enum: ['guest', 'read', 'write'] } }, ['token', 'mode']),
    run: ({ session, parameters, body }) => {
      const { agentId = '' } = parameters;
      const mode = member<Mode>(body, 'mode');
      const isSet = session.setMode(agentId, mode, member<string>(body, 'token'));
      if (isSet) return json({ agentId, mode });
      return noneWith('agent', agentId, session);
    },
  },
});

/** Members of an agent that a list shows; null where it lacks one, and flags that are true or false. */
const SHOWN = ['name', 'version', 'icon', 'workspaceId', 'createdAt', 'updatedAt'] as const;
const FLAGS = ['isPublished', 'isArchived', 'isClosed'] as const;

/** Ids and names: written agents first, and then generated ones by their first name, without making their flows. */
function namesOf({ universe, removed, created, learned, seeded, agent }: Session['store']) {
  const gone = new Set(removed().agents);
  const written = [...created().agents.toReversed(), ...learned().agents, ...seeded().agents];
  const generated = Array.from({ length: universe.agentCount }, (_, i) => i).filter((i) => !gone.has(i));
  return [...written.map((id) => ({ id, name: agent(id)?.agent['name'] })), ...generated.map(universe.agentSummary)];
}

function summaryOf({ store }: Session, id: string): object {
  const { agent, origin = null } = store.agent(id) ?? {};
  return {
    id,
    ...Object.fromEntries(SHOWN.map((name) => [name, agent?.[name] ?? null])),
    ...Object.fromEntries(FLAGS.map((name) => [name, agent?.[name] === true])),
    origin,
    resultCount: store.results(id).count,
  };
}
