import { add, button, empty, field, h } from '../elements/dom.js';
import { count, dayAndTime } from '../elements/format.js';
import { arrows, command } from '../elements/pieces.js';
import { flagsOf, nameOf, openAgent } from './agent.js';
import { newAgent } from './new-data.js';

const PAGE = 25;
let offset = 0;

export const agents = {
  id: 'agents',
  title: 'Agents',
  open: (root, app, [id, view]) => (id ? openAgent(root, app, id, view) : openList(root, app)),
};

async function openList(root, app) {
  const { total, agents: page } = await app.api.get(`/agents?offset=${offset}&limit=${PAGE}`);
  if (page.length === 0 && offset > 0) {
    offset = 0;
    return app.redraw();
  }
  add(root, h('div', { class: 'head' }, h('h1', {}, 'Agents'), openById(app)), newAgent(app));
  if (total === 0) return void add(root, noAgent(app));
  add(
    root,
    h('p', { class: 'hint' }, `${offset + 1} to ${offset + page.length} of ${count(total, 'agent')}, new ones first`),
    rows(page, app.go),
    total > PAGE && pager(total, app.redraw),
  );
}

const openById = ({ go, target }) =>
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
  );

const noAgent = (app) =>
  empty(
    'No agent yet',
    h('p', {}, 'The world of this mock is empty. Create an agent with the service itself:'),
    command(app, {
      path: '/api/v1/agents',
      body: { workspaceId: app.target.workspaceId, agent: { name: 'First agent' } },
    }),
    button('Look again', app.redraw),
  );

function rows(page, go) {
  const list = h(
    'ol',
    { class: 'rows cards', onkeydown: (event) => arrows(event, [...list.querySelectorAll('.row')]) },
    page.map((agent) => h('li', {}, row(agent, go))),
  );
  return list;
}

const row = (agent, go) =>
  h(
    'button',
    { type: 'button', class: 'row', onclick: () => go(`agents/${encodeURIComponent(agent.id)}`) },
    h('span', { class: 'name' }, nameOf({ ...agent, icon: agent.icon ?? '·' })),
    h('span', { class: 'remarks' }, flagsOf(agent)),
    h('span', { class: 'number' }, count(agent.resultCount, 'result')),
    h('span', { class: 'quiet' }, `changed ${dayAndTime(agent.updatedAt)}`),
  );

function pager(total, redraw) {
  const turnTo = (place) => () => {
    offset = place;
    void redraw();
  };
  return h(
    'nav',
    { class: 'actions', 'aria-label': 'Pages' },
    button('Previous', turnTo(Math.max(0, offset - PAGE)), { disabled: offset === 0 }),
    button('Next', turnTo(offset + PAGE), { disabled: offset + PAGE >= total }),
  );
}
