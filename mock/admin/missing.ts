import { noneOf, type AdminAnswer, type AdminCall } from './admin-route.ts';
import { listedIds, type Listed } from './data/paging.ts';
import { newestOf } from './data/results.ts';

/** How many things are searched for an id that was probably meant. */
const MOST_SEARCHED = 1000;

/** 404 for what the path of a request names and does not exist, with the id that was probably meant. */
export function missing({ mock, session, parameters }: Omit<AdminCall, 'body' | 'query'>): AdminAnswer | undefined {
  const { store, plans, snapshots } = session;
  const { agentId = '', workspaceId = '', resultId = '', sessionId = '', planId = '', name = '' } = parameters;
  const ids = (of: Listed): readonly string[] =>
    listedIds(of, store, (total) => ({ offset: 0, length: Math.min(total, MOST_SEARCHED) })).ids;
  const has = (parameter: string): boolean => parameter in parameters;
  if (has('agentId') && !store.agent(agentId)) return noneOf('agent', agentId, ids('agent'));
  if (has('workspaceId') && !store.workspace(workspaceId)) return noneOf('workspace', workspaceId, ids('workspace'));
  if (has('resultId') && !store.result(agentId, resultId))
    return noneOf('result', resultId, newestOf(store.results(agentId), MOST_SEARCHED));
  if (has('sessionId') && !mock.sessions.has(sessionId)) return noneOf('session', sessionId, mock.sessions.list());
  if (has('planId') && plans.list().every(({ id }) => id !== planId)) return noneOf('plan', planId, plans.list());
  if (has('name') && !snapshots.list().includes(name)) return noneOf('snapshot', name, snapshots.list());
  return undefined;
}
