import { json, type Handlers } from '../admin-route.ts';
import { editing, switches } from './editing.ts';
import { listedIds, rangeOf } from './paging.ts';

export const workspaceHandlers = {
  listWorkspaces({ session: { store }, query }) {
    const { total, ids } = listedIds('workspace', store, (all) => rangeOf(query, all));
    return json({ total, workspaces: ids.map((id) => store.workspace(id)) });
  },
  getWorkspace: ({ session: { store }, parameters: { workspaceId = '' } }) =>
    json({ workspace: store.workspace(workspaceId) }),
  ...editing('workspace', 'workspace'),
  ...switches('workspace', { suspend: ['isSuspended', true], unsuspend: ['isSuspended', false] }),
} satisfies Partial<Handlers>;
