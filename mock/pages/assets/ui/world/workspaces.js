import { path } from '../api.js';
import { add, badge, button, empty, h, iconOf } from '../elements/dom.js';
import { editor } from './editor.js';
import { count, nameOr, short } from '../elements/format.js';
import { jsonView } from '../elements/json-view.js';
import { newWorkspace } from './new-data.js';
import { command, sure } from '../elements/pieces.js';

export const workspaces = {
  id: 'workspaces',
  title: 'Workspaces',
  async open(root, app, [opened]) {
    const { api, redraw, go } = app;
    const [{ workspaces: listed }, wanted] = await Promise.all([
      api.get('/workspaces?limit=100'),
      opened ? api.get(path`/workspaces/${opened}`) : undefined,
    ]);
    const all = wanted && !listed.some(({ id }) => id === opened) ? [wanted.workspace, ...listed] : listed;
    add(root, h('div', { class: 'head' }, h('h1', {}, 'Workspaces'), newWorkspace(app)));
    if (all.length === 0) {
      const body = { name: 'First workspace' };
      const first = h('p', {}, 'Create one with the service itself:');
      const make = command(app, { path: '/api/v1/workspaces', body });
      return void add(root, empty('No workspace yet', first, make, button('Look again', redraw)));
    }
    add(
      root,
      h('p', { class: 'hint' }, count(all.length, 'workspace'), ', new ones first'),
      h(
        'ul',
        { class: 'tiles' },
        all.map((workspace) => tile(app, workspace, workspace.id === opened)),
      ),
    );
    return {
      escape() {
        if (!opened) return false;
        go('workspaces');
        return true;
      },
    };
  },
};

function tile(app, workspace, isOpened) {
  const { name, icon, slug, plan, isSuspended, isPastDue, isVerified, chatUsage } = workspace;
  return h(
    'li',
    { class: 'card' },
    h('h2', {}, icon && iconOf(icon), h('span', {}, nameOr(name))),
    h(
      'p',
      { class: 'remarks' },
      plan && badge(short(plan, 40), 'accent'),
      isSuspended === true && badge('suspended', 'bad'),
      isPastDue === true && badge('past due', 'warn'),
      isVerified === true && badge('verified', 'good'),
    ),
    h(
      'p',
      { class: 'quiet' },
      [slug && short(slug, 80), typeof chatUsage === 'number' && count(chatUsage, 'chat')].filter(Boolean).join(' · '),
    ),
    actions(app, workspace),
    h('details', { open: isOpened }, h('summary', {}, 'As it is stored'), jsonView(workspace)),
    edit(app, workspace),
  );
}

function actions({ api, act }, { id, name, isSuspended }) {
  const [verb, title, done] =
    isSuspended === true
      ? ['unsuspend', 'Unsuspend', 'The suspension is lifted.']
      : ['suspend', 'Suspend', 'Nothing can be added to the workspace now.'];
  const remove = async () => {
    if (await sure(`${nameOr(name)} will be gone; its agents stay.`, 'Delete'))
      await act(() => api.remove(path`/workspaces/${id}`), 'The workspace is gone.');
  };
  return h(
    'div',
    { class: 'actions' },
    button(title, () => act(() => api.post(path`/workspaces/${id}/${verb}`), done)),
    button('Delete', remove, { class: 'danger' }),
  );
}

/** The editor is created when it is opened: there may be a hundred workspaces. */
function edit({ api, act }, workspace) {
  const { id } = workspace;
  const more = h(
    'details',
    {
      ontoggle: () => {
        if (!more.open || more.childElementCount > 1) return;
        more.append(
          editor('The workspace as JSON', workspace, {
            check: async (edited) => (await api.put(path`/workspaces/${id}?check=true`, { workspace: edited })).errors,
            save: (edited) =>
              act(() => api.put(path`/workspaces/${id}`, { workspace: edited }), 'The workspace is changed.'),
          }),
        );
      },
    },
    h('summary', {}, 'Edit'),
  );
  return more;
}
