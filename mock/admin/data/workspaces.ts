import { json, routesOf } from '../admin-route.ts';
import { editingRoutes, noneWith, switchRoutes } from './editing.ts';
import { listedIds, paging, rangeOf } from './paging.ts';

/** Stored workspaces, and changes for which the service has no operation. */
export const workspaceRoutes = routesOf('Workspaces', {
  listWorkspaces: {
    on: 'GET /workspaces',
    summary: 'List workspaces: new ones first, then seeded, then generated ones',
    query: paging,
    run: ({ session: { store }, query }) => {
      const { total, ids } = listedIds('workspace', store, (all) => rangeOf(query, all));
      return json({ total, workspaces: ids.map((id) => store.workspace(id)) });
    },
  },
  getWorkspace: {
    on: 'GET /workspaces/{workspaceId}',
    summary: 'Show a workspace as it is stored',
    run: ({ session, parameters }) => {
      const { workspaceId = '' } = parameters;
      const workspace = session.store.workspace(workspaceId);
      if (workspace) return json({ workspace });
      return noneWith('workspace', workspaceId, session);
    },
  },
  ...editingRoutes('workspace', { schema: 'workspace', removal: 'Remove a workspace; its agents stay' }),
  ...switchRoutes('workspace', {
    suspend: ['isSuspended', true, 'Suspend a workspace, so that nothing can be added to it'],
    unsuspend: ['isSuspended', false, 'End the suspension of a workspace'],
  }),
});
