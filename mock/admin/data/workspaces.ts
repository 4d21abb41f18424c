import { json, routesOf } from '../admin-route.ts';
import { editingRoutes, noneWith, switchRoutes } from './editing.ts';
import { left, pageOfIds, paging } from './paging.ts';

/** Stored workspaces, and changes for which the service has no operation. */
export const workspaceRoutes = routesOf('Workspaces', {
  listWorkspaces: {
    on: 'GET /workspaces',
    summary: 'List workspaces: new ones first, then seeded, then generated ones',
    query: paging,
    run: ({ session: { store }, query }) => {
      const { universe } = store;
      const [created, learned, seeded] = [store.created(), store.learned(), store.seeded()];
      const written = [...created.workspaces.toReversed(), ...learned.workspaces, ...seeded.workspaces];
      const places = left(universe.workspaceCount, store.removed().workspaces);
      const { total, ids } = pageOfIds(query, written, places, (i) => universe.workspace(i).id ?? '');
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
