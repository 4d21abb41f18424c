import type { ConversationResult, SchemaError, SchemaName } from '../../spec/index.ts';
import type { Mode } from '../caller.ts';
import type { JsonObject } from '../json.ts';
import { wrongWith } from '../session/edits.ts';
import type { Session } from '../session/session.ts';
import {
  json,
  member,
  noneOf,
  object,
  wholeNumber,
  type AdminAnswer,
  type AdminCall,
  type AdminRoute,
} from './admin-route.ts';

const MOST_LISTED = 100;

const paging = {
  offset: 'How many to skip (default: 0).',
  limit: 'How many to show, up to 100 (default: 50).',
};

/** What an agent, or a workspace, can be made to be that the API has no operation for. */
interface Switch {
  readonly verb: string;
  readonly summary: string;
  readonly flip: (session: Session, id: string) => boolean;
  readonly becomes: Readonly<Record<string, boolean>>;
}

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

const workspaceSwitches: readonly Switch[] = [
  {
    verb: 'suspend',
    summary: 'Suspend a workspace, so that nothing can be added to it',
    flip: (session, id) => session.setSuspended(id, true),
    becomes: { isSuspended: true },
  },
  {
    verb: 'unsuspend',
    summary: 'End the suspension of a workspace',
    flip: (session, id) => session.setSuspended(id, false),
    becomes: { isSuspended: false },
  },
];

const switchRoute = (of: 'agent' | 'workspace', { verb, summary, flip, becomes }: Switch): AdminRoute => ({
  id: `${verb}${of === 'agent' ? 'Agent' : 'Workspace'}`,
  tag: of === 'agent' ? 'Agents' : 'Workspaces',
  method: 'POST',
  path: `/${of}s/{${of}Id}/${verb}`,
  summary,
  run: ({ session, parameters }) => {
    const id = parameters[`${of}Id`] ?? '';
    return flip(session, id) ? json({ [`${of}Id`]: id, ...becomes }) : none(of, id, session);
  },
});

/** Of the generated ones, among which an id is looked for that was probably meant. */
const MOST_LOOKED_AT = 1000;

function none(of: 'agent' | 'workspace', id: string, { store }: Session): AdminAnswer {
  const { universe, created, seeded } = store;
  const [count, idAt] =
    of === 'agent'
      ? [universe.agentCount, (i: number) => store.agentId(i)]
      : [universe.workspaceCount, (i: number) => universe.workspace(i).id ?? ''];
  const places = left(count, store.removed[`${of}s`]);
  const generated = Array.from({ length: Math.min(places.count, MOST_LOOKED_AT) }, (_, i) => idAt(places.place(i)));
  return noneOf(of, id, [...created[`${of}s`], ...seeded[`${of}s`], ...generated]);
}

const CHECK = { check: 'true changes nothing, and answers with what is wrong.' };

/** An agent or a workspace as it was edited; 400 with the place of each error where its schema does not take it. */
function replaced(
  { session, parameters, query, body }: AdminCall,
  of: 'agent' | 'workspace',
  schema: SchemaName,
): AdminAnswer {
  const id = parameters[`${of}Id`] ?? '';
  const value = member<JsonObject>(body, of);
  const isKnown = of === 'agent' ? session.store.agent(id) : session.store.workspace(id);
  if (!isKnown) return none(of, id, session);
  if (query.get('check') === 'true') return json({ errors: wrongWith(schema, id, value).map(told) });
  const errors = of === 'agent' ? session.replaceAgent(id, value) : session.replaceWorkspace(id, value);
  if (errors === undefined || errors.length === 0) return json({ [`${of}Id`]: id, errors: [] });
  const said = errors.slice(0, 3).map((error) => `${error.at} must be ${error.expected}; it is ${error.actual}.`);
  return json({ error: `The ${of} does not fit its schema. ${said.join(' ')}`, errors: errors.map(told) }, 400);
}

const told = ({ at, expected, actual }: SchemaError): object => ({ at, expected, actual });

/** Data as it is stored, and changes that the API has no operation for. */
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
      const written = [...store.created.agents.toReversed(), ...store.learned.agents, ...store.seeded.agents];
      const { total, ids } = pageOfIds(query, written, left(store.universe.agentCount, store.removed.agents), (i) =>
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
  {
    id: 'replaceAgent',
    tag: 'Agents',
    method: 'PUT',
    path: '/agents/{agentId}',
    summary: 'Put an agent in the place of one; with check=true only say what is wrong with it',
    query: CHECK,
    body: object({ agent: { type: 'object' } }, ['agent']),
    run: (call) => replaced(call, 'agent', 'agent-in-response'),
  },
  {
    id: 'deleteAgent',
    tag: 'Agents',
    method: 'DELETE',
    path: '/agents/{agentId}',
    summary: 'Remove an agent with its published form and its results',
    run: ({ session, parameters }) => {
      const agentId = parameters['agentId'] ?? '';
      return session.removeAgent(agentId) ? json({ agentId, removed: true }) : none('agent', agentId, session);
    },
  },
  {
    id: 'duplicateAgent',
    tag: 'Agents',
    method: 'POST',
    path: '/agents/{agentId}/duplicate',
    summary: 'Make the same agent once more, unpublished',
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
  {
    id: 'listAgentResults',
    tag: 'Agents',
    method: 'GET',
    path: '/agents/{agentId}/results',
    summary: 'List the results of an agent, newest first, including those ahead of the clock',
    query: paging,
    run: listResults,
  },
  {
    id: 'addResults',
    tag: 'Agents',
    method: 'POST',
    path: '/agents/{agentId}/results',
    summary: 'Add results to an agent: a number of generated ones, or those given',
    body: object({
      count: { type: 'integer', minimum: 1, maximum: 10_000 },
      results: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 10_000 },
    }),
    run: ({ session, parameters, body }) => {
      const agentId = parameters['agentId'] ?? '';
      if (!session.store.agent(agentId)) return none('agent', agentId, session);
      const given = member<readonly Partial<ConversationResult>[] | undefined>(body, 'results');
      const ids = session.addResults(agentId, given ?? member<number | undefined>(body, 'count') ?? 1);
      return json({ ids }, 201);
    },
  },
  {
    id: 'listWorkspaces',
    tag: 'Workspaces',
    method: 'GET',
    path: '/workspaces',
    summary: 'List workspaces: new ones first, then seeded, then generated ones',
    query: paging,
    run: ({ session: { store }, query }) => {
      const { universe } = store;
      const { created, learned, seeded } = store;
      const written = [...created.workspaces.toReversed(), ...learned.workspaces, ...seeded.workspaces];
      const places = left(universe.workspaceCount, store.removed.workspaces);
      const { total, ids } = pageOfIds(query, written, places, (i) => universe.workspace(i).id ?? '');
      return json({ total, workspaces: ids.map((id) => store.workspace(id)) });
    },
  },
  {
    id: 'getWorkspace',
    tag: 'Workspaces',
    method: 'GET',
    path: '/workspaces/{workspaceId}',
    summary: 'Show a workspace as it is stored',
    run: ({ session, parameters }) => {
      const id = parameters['workspaceId'] ?? '';
      const workspace = session.store.workspace(id);
      return workspace ? json({ workspace }) : none('workspace', id, session);
    },
  },
  {
    id: 'replaceWorkspace',
    tag: 'Workspaces',
    method: 'PUT',
    path: '/workspaces/{workspaceId}',
    summary: 'Put a workspace in the place of one; with check=true only say what is wrong with it',
    query: CHECK,
    body: object({ workspace: { type: 'object' } }, ['workspace']),
    run: (call) => replaced(call, 'workspace', 'workspace'),
  },
  {
    id: 'deleteWorkspace',
    tag: 'Workspaces',
    method: 'DELETE',
    path: '/workspaces/{workspaceId}',
    summary: 'Remove a workspace; its agents stay',
    run: ({ session, parameters }) => {
      const workspaceId = parameters['workspaceId'] ?? '';
      return session.removeWorkspace(workspaceId)
        ? json({ workspaceId, removed: true })
        : none('workspace', workspaceId, session);
    },
  },
  ...workspaceSwitches.map((one) => switchRoute('workspace', one)),
];

/** The places of a universe without those that were removed. */
interface Places {
  readonly count: number;
  readonly place: (index: number) => number;
}

const left = (all: number, removed: readonly number[]): Places => ({
  count: all - removed.length,
  place: (index) => removed.reduce((place, one) => (one <= place ? place + 1 : place), index),
});

/** A page of what was written and, after it, of what is generated. */
function pageOfIds(
  query: URLSearchParams,
  written: readonly string[],
  { count, place }: Places,
  generatedId: (index: number) => string,
): { readonly total: number; readonly ids: readonly string[] } {
  const offset = wholeNumber(query, 'offset', 0, 1e9);
  const total = written.length + count;
  const length = Math.max(0, Math.min(wholeNumber(query, 'limit', 50, MOST_LISTED), total - offset));
  const ids = Array.from({ length }, (_, i) => written[offset + i] ?? generatedId(place(offset + i - written.length)));
  return { total, ids };
}

function listResults({ session, parameters, query }: AdminCall): AdminAnswer {
  const agentId = parameters['agentId'] ?? '';
  if (!session.store.agent(agentId)) return none('agent', agentId, session);
  const listing = session.store.results(agentId);
  const offset = wholeNumber(query, 'offset', 0, 1e9);
  const length = Math.max(0, Math.min(wholeNumber(query, 'limit', 50, MOST_LISTED), listing.count - offset));
  return json({ total: listing.count, results: Array.from({ length }, (_, i) => listing.at(offset + i)) });
}

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
