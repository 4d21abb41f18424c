// One agent: its facts, its actions, and views of its data.
import { path } from '../api.js';
import { add, badge, button, empty, field, h, iconOf, refill, select } from '../elements/dom.js';
import { count, dayAndTime, nameOr } from '../elements/format.js';
import { jsonView } from '../elements/json-view.js';
import { copyButton, failed, sure, tabs, told } from '../elements/pieces.js';
import { editor } from './editor.js';
import { flowGraph } from './flow/graph.js';
import { resultsTable } from './results.js';

export const flagsOf = ({ version, isPublished, isArchived, isClosed, origin }) => [
  badge(`v${version ?? '?'}`, 'plain', 'Version of the form'),
  isPublished && badge('published', 'good'),
  isArchived && badge('archived', 'warn'),
  isClosed && badge('closed', 'warn'),
  origin !== 'universe' && origin && badge(origin, 'accent', 'Where it came from'),
];

export const nameOf = ({ icon, name }) => [icon && iconOf(icon), h('span', {}, nameOr(name))];

const views = [
  { id: 'flow', title: 'Flow' },
  { id: 'results', title: 'Results' },
  { id: 'published', title: 'Published form' },
  { id: 'json', title: 'JSON' },
  { id: 'edit', title: 'Edit' },
];

export async function openAgent(root, app, id, first = 'flow') {
  const [state, { tokens }] = await Promise.all([app.api.get(path`/agents/${id}`), app.read()]);
  const content = h('div', { class: 'view', role: 'tabpanel' });
  const menu = tabs('Views of the agent', views, (view) => app.go(`agents/${encodeURIComponent(id)}/${view}`));
  const draw = drawings(app, id, state);
  const show = (view) => {
    const known = draw[view] ? view : 'flow';
    menu.mark(known);
    content.setAttribute('aria-label', views.find((one) => one.id === known).title);
    refill(content, draw[known]());
  };
  add(
    root,
    crumbs(id),
    h(
      'div',
      { class: 'head' },
      h('h1', {}, nameOf(state), ' ', h('span', { class: 'remarks' }, flagsOf(state))),
      actions(app, id, state),
    ),
    facts(state),
    h(
      'details',
      { class: 'more' },
      h('summary', {}, 'Add results, set modes'),
      h('div', { class: 'forms' }, resultsForm(app, id), modeForm(app, id, tokens)),
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
      app.go('agents');
      return true;
    },
  };
}

/** The content of each view. */
const drawings = (app, id, { agent, publishedAgent }) => ({
  flow: () => flowGraph(agent),
  results: () => resultsTable(app, id),
  published: () =>
    publishedAgent === null
      ? empty(
          'Not published',
          h('p', {}, 'Requests for the published form are answered as the profile says.'),
          flip(app, id, 'publish'),
        )
      : whole(publishedAgent),
  json: () => whole(agent),
  edit: () =>
    editor('The agent as JSON', agent, {
      check: async (edited) => (await app.api.put(path`/agents/${id}?check=true`, { agent: edited })).errors,
      save: (edited) => app.act(() => app.api.put(path`/agents/${id}`, { agent: edited }), 'The agent is changed.'),
    }),
});

const crumbs = (id) =>
  h(
    'p',
    { class: 'crumbs' },
    h('a', { href: '#agents' }, 'Agents'),
    ' / ',
    h('code', {}, id),
    ' ',
    copyButton('Copy', () => id, { class: 'link' }),
  );

const facts = ({ resultCount, updatedAt, workspaceId }) =>
  h(
    'p',
    { class: 'facts' },
    h('span', {}, count(resultCount, 'result')),
    h('span', {}, `changed ${dayAndTime(updatedAt)}`),
    workspaceId && h('a', { href: `#workspaces/${encodeURIComponent(workspaceId)}` }, 'Workspace'),
  );

/** The actions on an agent: each with its title, and the message when it is done. */
const flips = {
  publish: ['Publish it as it is now', 'The agent is published.'],
  unpublish: ['Unpublish it', 'The agent is no longer published.'],
  archive: ['Archive it', 'The agent is archived.'],
  unarchive: ['Take it out of the archive', 'The agent is out of the archive.'],
  close: ['Close it to new conversations', 'The agent is closed.'],
  open: ['Open it to conversations again', 'The agent is open again.'],
};

const flip = ({ api, act }, id, verb) =>
  button(
    verb[0].toUpperCase() + verb.slice(1),
    () => act(() => api.post(path`/agents/${id}/${verb}`), flips[verb][1]),
    {
      title: flips[verb][0],
    },
  );

function actions(app, id, { isPublished, isArchived, isClosed, resultCount }) {
  const { api, act, go } = app;
  const duplicate = async () => {
    const copy = await act(() => api.post(path`/agents/${id}/duplicate`), 'This is the copy.');
    if (copy) go(`agents/${encodeURIComponent(copy.id)}`);
  };
  const remove = async () => {
    const results = resultCount > 0 ? ` and its ${count(resultCount, 'result')}` : '';
    if (!(await sure(`The agent${results} will be gone.`, 'Delete'))) return;
    try {
      await api.remove(path`/agents/${id}`);
      told('The agent is gone.');
      go('agents');
    } catch (error) {
      failed(error);
    }
  };
  return h(
    'div',
    { class: 'actions' },
    flip(app, id, isPublished ? 'unpublish' : 'publish'),
    flip(app, id, isArchived ? 'unarchive' : 'archive'),
    button('Duplicate', duplicate),
    flip(app, id, isClosed ? 'open' : 'close'),
    button('Delete', remove, { class: 'danger' }),
  );
}

const form = (does, ...content) => h('form', { onsubmit: (event) => (event.preventDefault(), void does()) }, content);

function resultsForm({ api, act }, id) {
  const amount = h('input', { type: 'number', name: 'count', min: 1, max: 10_000, value: 10, required: true });
  return form(
    () =>
      act(
        () => api.post(path`/agents/${id}/results`, { count: Number(amount.value) }),
        ({ ids }) => `${count(ids.length, 'result')} added, the newest created now.`,
      ),
    field('Made-up results', amount),
    h('button', {}, 'Add'),
  );
}

function modeForm({ api, act, target }, id, tokens) {
  const token = select(
    Object.entries(tokens).map(([one, mode]) => [one, `${one} (${mode})`]),
    target.token,
    { name: 'token' },
  );
  const mode = select(
    ['write', 'read', 'guest'].map((one) => [one, one]),
    'read',
    { name: 'mode' },
  );
  return form(
    () =>
      act(
        () => api.put(path`/agents/${id}/mode`, { token: token.value, mode: mode.value }),
        `${token.value} may now ${mode.value} here.`,
      ),
    field('Token', token),
    field('Mode towards this agent', mode),
    h('button', {}, 'Set'),
  );
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
