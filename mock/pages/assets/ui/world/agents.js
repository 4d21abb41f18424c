import { path } from '../api.js';
import { add, badge, button, empty, field, h, iconOf, refill, select } from '../elements/dom.js';
import { editor } from './editor.js';
import { flowGraph } from './flow-graph.js';
import { count, dayAndTime, nameOr } from '../elements/format.js';
import { jsonView } from '../elements/json-view.js';
import { newAgent } from './new-data.js';
import { arrows, command, copyButton, failed, sure, tabs, told } from '../elements/pieces.js';
import { resultsTable } from './results.js';

const PAGE = 25;
let offset = 0;

export const agents = {
  id: 'agents',
  title: 'Agents',
  open: (root, app, [id, view]) => (id ? openAgent(root, app, id, view) : openList(root, app)),
};

const flagsOf = ({ version, isPublished, isArchived, isClosed, origin }) => [
  badge(`v${version ?? '?'}`, 'plain', 'Version of the form'),
  isPublished && badge('published', 'good'),
  isArchived && badge('archived', 'warn'),
  isClosed && badge('closed', 'warn'),
  origin !== 'universe' && origin && badge(origin, 'accent', 'Where it came from'),
];

const nameOf = ({ icon, name }) => [icon && iconOf(icon), h('span', {}, nameOr(name))];

async function openList(root, app) {
  const { api, target, go, redraw } = app;
  const { total, agents: page } = await api.get(`/agents?offset=${offset}&limit=${PAGE}`);
  if (page.length === 0 && offset > 0) {
    offset = 0;
    return redraw();
  }
  const turnTo = (place) => () => {
    offset = place;
    void redraw();
  };
  const list = h(
    'ol',
    { class: 'rows cards', onkeydown: (event) => arrows(event, [...list.querySelectorAll('.row')]) },
    page.map((agent) =>
      h(
        'li',
        {},
        h(
          'button',
          { type: 'button', class: 'row', onclick: () => go(`agents/${encodeURIComponent(agent.id)}`) },
          h('span', { class: 'name' }, nameOf({ ...agent, icon: agent.icon ?? '·' })),
          h('span', { class: 'remarks' }, flagsOf(agent)),
          h('span', { class: 'number' }, count(agent.resultCount, 'result')),
          h('span', { class: 'quiet' }, `changed ${dayAndTime(agent.updatedAt)}`),
        ),
      ),
    ),
  );
  add(
    root,
    h(
      'div',
      { class: 'head' },
      h('h1', {}, 'Agents'),
      h(
        'form',
        {
          class: 'filters',
          onsubmit: (event) => {
            event.preventDefault();
            const id = event.target.elements.id.value.trim();
            if (id) go(`agents/${encodeURIComponent(id)}`);
          },
        },
        field(
          'Open by id',
          h('input', { name: 'id', autocomplete: 'off', spellcheck: 'false', placeholder: target.agentId }),
        ),
        h('div', { class: 'actions' }, h('button', {}, 'Open')),
      ),
    ),
  );
  add(root, newAgent(app));
  if (total === 0)
    return void add(
      root,
      empty(
        'No agent yet',
        h('p', {}, 'The world of this mock is empty. Create an agent with the service itself:'),
        command(app, {
          path: '/api/v1/agents',
          body: { workspaceId: target.workspaceId, agent: { name: 'First agent' } },
        }),
        button('Look again', redraw),
      ),
    );
  add(
    root,
    h('p', { class: 'hint' }, `${offset + 1} to ${offset + page.length} of ${count(total, 'agent')}, new ones first`),
    list,
    total > PAGE &&
      h(
        'nav',
        { class: 'actions', 'aria-label': 'Pages' },
        button('Previous', turnTo(Math.max(0, offset - PAGE)), { disabled: offset === 0 }),
        button('Next', turnTo(offset + PAGE), { disabled: offset + PAGE >= total }),
      ),
  );
}

const about = {
  publish: 'Publish it as it is now',
  unpublish: 'Take it off the public',
  archive: 'Archive it',
  unarchive: 'Take it out of the archive',
  close: 'Close it to new conversations',
  open: 'Open it to conversations again',
};

const views = [
  { id: 'flow', title: 'Flow' },
  { id: 'results', title: 'Results' },
  { id: 'published', title: 'Published form' },
  { id: 'json', title: 'JSON' },
  { id: 'edit', title: 'Edit' },
];

async function openAgent(root, app, id, first = 'flow') {
  const { api, act, go, target } = app;
  const [state, { tokens }] = await Promise.all([api.get(path`/agents/${id}`), app.read()]);
  const { isPublished, isArchived, isClosed, resultCount, agent, publishedAgent, workspaceId } = state;
  const flip = (verb, done) =>
    button(verb[0].toUpperCase() + verb.slice(1), () => act(() => api.post(path`/agents/${id}/${verb}`), done), {
      title: about[verb],
    });
  const address = (view) => `agents/${encodeURIComponent(id)}/${view}`;
  const content = h('div', { class: 'view', role: 'tabpanel' });
  const menu = tabs('Views of the agent', views, (view) => go(address(view)));

  const draw = {
    flow: () => flowGraph(agent),
    results: () => resultsTable(app, id),
    published: () =>
      publishedAgent === null
        ? empty(
            'Not published',
            h('p', {}, 'Requests for the published form are answered as the profile says.'),
            flip('publish', 'The agent is published.'),
          )
        : whole(publishedAgent),
    json: () => whole(agent),
    edit: () =>
      editor('The agent as JSON', agent, {
        check: async (edited) => (await api.put(path`/agents/${id}?check=true`, { agent: edited })).errors,
        save: (edited) => act(() => api.put(path`/agents/${id}`, { agent: edited }), 'The agent is changed.'),
      }),
  };
  const show = (view) => {
    const known = draw[view] ? view : 'flow';
    menu.mark(known);
    content.setAttribute('aria-label', views.find((one) => one.id === known).title);
    refill(content, draw[known]());
  };

  const amount = h('input', { type: 'number', name: 'count', min: 1, max: 10_000, value: 10, required: true });
  const token = select(
    Object.entries(tokens).map(([one, mode]) => [one, `${one} (${mode})`]),
    target.token,
    { name: 'token' },
  );
  const mode = select(
    [
      ['write', 'write'],
      ['read', 'read'],
      ['guest', 'guest'],
    ],
    'read',
    { name: 'mode' },
  );
  const submit = (does) => (event) => {
    event.preventDefault();
    void does();
  };

  add(
    root,
    h(
      'p',
      { class: 'crumbs' },
      h('a', { href: '#agents' }, 'Agents'),
      ' / ',
      h('code', {}, id),
      ' ',
      copyButton('Copy', () => id, { class: 'link' }),
    ),
    h(
      'div',
      { class: 'head' },
      h('h1', {}, nameOf(state), ' ', h('span', { class: 'remarks' }, flagsOf(state))),
      h(
        'div',
        { class: 'actions' },
        isPublished ? flip('unpublish', 'The agent is off the public.') : flip('publish', 'The agent is published.'),
        isArchived ? flip('unarchive', 'The agent is out of the archive.') : flip('archive', 'The agent is archived.'),
        button('Duplicate', async () => {
          const copy = await act(() => api.post(path`/agents/${id}/duplicate`), 'This is the copy.');
          if (copy) go(`agents/${encodeURIComponent(copy.id)}`);
        }),
        isClosed ? flip('open', 'The agent is open again.') : flip('close', 'The agent is closed.'),
        button(
          'Delete',
          async () => {
            const results = resultCount > 0 ? ` and its ${count(resultCount, 'result')}` : '';
            if (!(await sure(`The agent${results} will be gone.`, 'Delete'))) return;
            try {
              await api.remove(path`/agents/${id}`);
              told('The agent is gone.');
              go('agents');
            } catch (error) {
              failed(error);
            }
          },
          { class: 'danger' },
        ),
      ),
    ),
    h(
      'p',
      { class: 'facts' },
      h('span', {}, count(resultCount, 'result')),
      h('span', {}, `changed ${dayAndTime(state.updatedAt)}`),
      workspaceId && h('a', { href: `#workspaces/${encodeURIComponent(workspaceId)}` }, 'Workspace'),
    ),
    h(
      'details',
      { class: 'more' },
      h('summary', {}, 'Add results, set modes'),
      h(
        'div',
        { class: 'forms' },
        h(
          'form',
          {
            onsubmit: submit(() =>
              act(
                () => api.post(path`/agents/${id}/results`, { count: Number(amount.value) }),
                ({ ids }) => `${count(ids.length, 'result')} added, the newest created now.`,
              ),
            ),
          },
          field('Made-up results', amount),
          h('button', {}, 'Add'),
        ),
        h(
          'form',
          {
            onsubmit: submit(() =>
              act(
                () => api.put(path`/agents/${id}/mode`, { token: token.value, mode: mode.value }),
                `${token.value} may now ${mode.value} here.`,
              ),
            ),
          },
          field('Token', token),
          field('Mode towards this agent', mode),
          h('button', {}, 'Set'),
        ),
      ),
    ),
    menu.element,
    content,
  );
  show(first);
  let current = first;
  return {
    update([otherId, view = 'flow']) {
      if (otherId !== id) return false;
      if (view !== current) show(view);
      current = view;
      return true;
    },
    escape() {
      go('agents');
      return true;
    },
  };
}

const whole = (value) =>
  h(
    'div',
    { class: 'sheet' },
    h(
      'div',
      { class: 'actions' },
      copyButton('Copy', () => JSON.stringify(value, undefined, 2)),
    ),
    jsonView(value, 1),
  );
