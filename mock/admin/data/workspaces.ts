import { json, type AdminRoute } from '../admin-route.ts';
import { none, removeRoute, replaceRoute, switchRoute, type Switch } from './editing.ts';
import { left, pageOfIds, paging } from './paging.ts';

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

/** Stored workspaces, and changes for which the service has no operation. */
export const workspaceRoutes: readonly AdminRoute[] = [
  {
    id: 'listWorkspaces',
    tag: 'Workspaces',
    method: 'GET',
    path: '/workspaces',
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
  replaceRoute('workspace', 'workspace'),
  removeRoute('workspace', 'Remove a workspace; its agents stay', (session, id) => session.removeWorkspace(id)),
  ...workspaceSwitches.map((one) => switchRoute('workspace', one)),
];
