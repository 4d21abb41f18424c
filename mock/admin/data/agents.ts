import type { Mode } from '../../caller.ts';
import type { Session } from '../../session/session.ts';
import { json, member, object, type AdminRoute } from '../admin-route.ts';
import { none, removeRoute, replaceRoute, switchRoute, type Switch } from './editing.ts';
import { left, pageOfIds, paging } from './paging.ts';

const agentSwitches: readonly Switch[] = [
  {
    verb: 'publish',
    summary: 'Publish the current state of an agent',
    flip: (session, id) => session.setPublished(id, true),
    becomes: { isPublished: true },
  },
  {
    verb: 'unpublish',
    summary: 'Unpublish an agent',
    flip: (session, id) => session.setPublished(id, false),
    becomes: { isPublished: false },
  },
  {
    verb: 'archive',
    summary: 'Archive an agent',
    flip: (session, id) => session.setArchived(id, true),
    becomes: { isArchived: true },
  },
  {
    verb: 'unarchive',
    summary: 'Unarchive an agent',
    flip: (session, id) => session.setArchived(id, false),
    becomes: { isArchived: false },
  },
  {
    verb: 'close',
    summary: 'Close an agent to new conversations',
    flip: (session, id) => session.setClosed(id, true),
    becomes: { isClosed: true },
  },
  {
    verb: 'open',
    summary: 'Reopen a closed agent',
    flip: (session, id) => session.setClosed(id, false),
    becomes: { isClosed: false },
  },
];

/** Stored data, and changes for which the service has no operation. */
export const agentRoutes: readonly AdminRoute[] = [
  {
    id: 'listAgents',
    tag: 'Agents',
    method: 'GET',
    path: '/agents',
    summary: 'List agents: new ones first, then seeded, then generated ones',
    query: paging,
    run: ({ session, query }) => {
      const { store } = session;
      const written = [...store.created().agents.toReversed(), ...store.learned().agents, ...store.seeded().agents];
      const { total, ids } = pageOfIds(query, written, left(store.universe.agentCount, store.removed().agents), (i) =>
        store.agentId(i),
      );
      return json({ total, agents: ids.map((id) => summaryOf(session, id)) });
    },
  },
  {
    id: 'getAgentState',
    tag: 'Agents',
    method: 'GET',
    path: '/agents/{agentId}',
    summary: 'Show an agent as it is stored, its published form, and where it came from',
    run: ({ session, parameters }) => {
      const id = parameters['agentId'] ?? '';
      const stored = session.store.agent(id);
      if (!stored) return none('agent', id, session);
      return json({
        ...summaryOf(session, id),
        agent: stored.agent,
        publishedAgent: session.store.publishedAgent(id) ?? null,
      });
    },
  },
  replaceRoute('agent', 'agent-in-response'),
  removeRoute('agent', 'Remove an agent with its published form and its results', (session, id) =>
    session.removeAgent(id),
  ),
  {
    id: 'duplicateAgent',
    tag: 'Agents',
    method: 'POST',
    path: '/agents/{agentId}/duplicate',
    summary: 'Copy an agent, unpublished',
    run: ({ session, parameters }) => {
      const agentId = parameters['agentId'] ?? '';
      const id = session.duplicateAgent(agentId);
      return id === undefined ? none('agent', agentId, session) : json(summaryOf(session, id), 201);
    },
  },
  ...agentSwitches.map((one) => switchRoute('agent', one)),
  {
    id: 'setMode',
    tag: 'Agents',
    method: 'PUT',
    path: '/agents/{agentId}/mode',
    summary: 'Set the access of a token to one agent',
    body: object({ token: { type: 'string' }, mode: { enum: ['guest', 'read', 'write'] } }, ['token', 'mode']),
    run: ({ session, parameters, body }) => {
      const agentId = parameters['agentId'] ?? '';
      const mode = member<Mode>(body, 'mode');
      return session.setMode(agentId, mode, member<string>(body, 'token'))
        ? json({ agentId, mode })
        : none('agent', agentId, session);
    },
  },
];

function summaryOf({ store }: Session, id: string): object {
  const stored = store.agent(id);
  const { name, version, icon, workspaceId, isPublished, isArchived, isClosed, createdAt, updatedAt } =
    stored?.agent ?? {};
  return {
    id,
    name: name ?? null,
    version: version ?? null,
    icon: icon ?? null,
    workspaceId: workspaceId ?? null,
    isPublished: isPublished === true,
    isArchived: isArchived === true,
    isClosed: isClosed === true,
    createdAt: createdAt ?? null,
    updatedAt: updatedAt ?? null,
    origin: stored?.origin ?? null,
    resultCount: store.results(id).count,
  };
}
