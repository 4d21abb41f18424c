import type { Mode } from '../../call.ts';
import type { Session } from '../../session/session.ts';
import { json, member, type AdminAnswer, type Handlers } from '../admin-route.ts';
import { editing, switches } from './editing.ts';
import { listedIds, rangeOf, searched } from './paging.ts';

/** Stored agents, and changes for which the service has no operation. */
export const agentHandlers = {
  listAgents({ session, query }) {
    const { store } = session;
    const isFound = searched(query);
    const shown = ({ total, ids }: ReturnType<typeof listedIds>): AdminAnswer =>
      json({ total, agents: ids.map((id) => summaryOf(session, id)) });
    if (!isFound) return shown(listedIds('agent', store, (all) => rangeOf(query, all)));
    const found = namesOf(store).filter(({ id, name }) => isFound(`${id} ${JSON.stringify(name)}`));
    const { offset, length } = rangeOf(query, found.length);
    const ids = found.slice(offset, offset + length).map(({ id }) => id);
    return shown({ total: found.length, ids });
  },
  getAgentState({ session, parameters: { agentId = '' } }) {
    const { agent } = session.store.agent(agentId) ?? {};
    const publishedAgent = session.store.publishedAgent(agentId) ?? null;
    return json({ ...summaryOf(session, agentId), agent, publishedAgent });
  },
  ...editing('agent', 'agent-in-response'),
  duplicateAgent: ({ session, parameters: { agentId = '' } }) =>
    json(summaryOf(session, session.edits.duplicateAgent(agentId) ?? ''), 201),
  ...switches('agent', {
    publish: ['isPublished', true],
    unpublish: ['isPublished', false],
    archive: ['isArchived', true],
    unarchive: ['isArchived', false],
    close: ['isClosed', true],
    open: ['isClosed', false],
  }),
  setMode({ session, parameters: { agentId = '' }, body }) {
    const mode = member<Mode>(body, 'mode');
    session.edits.setMode(agentId, mode, member<string>(body, 'token'));
    return json({ agentId, mode });
  },
} satisfies Partial<Handlers>;

/** Members of an agent that a list shows; null where it lacks one, and flags that are true or false. */
const SHOWN = ['name', 'version', 'icon', 'workspaceId', 'createdAt', 'updatedAt'] as const;
const FLAGS = ['isPublished', 'isArchived', 'isClosed'] as const;

/** Ids and names: written agents first, and then generated ones by their first name, without making their flows. */
function namesOf(store: Session['store']) {
  const { written, generated } = store.shown('agents');
  const named = written.map((id) => ({ id, name: store.agent(id)?.agent['name'] }));
  return [...named, ...generated.map(store.universe.agentSummary)];
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
