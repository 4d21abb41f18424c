import { path } from '../api.js';
import { add, badge, button, field, h, nameInput, select } from '../elements/dom.js';
import { count, dayAndTime } from '../elements/format.js';
import { agentPath, command, sure } from '../elements/pieces.js';

const titleOf = (id) => (id === '' ? 'Shared session' : id);

export const sessions = {
  id: 'sessions',
  title: 'Sessions',
  async open(root, app) {
    const { sessions: all } = await app.api.get('/sessions');
    const make = newSession(app, all);
    add(
      root,
      h('div', { class: 'head' }, h('h1', {}, 'Sessions')),
      h(
        'p',
        { class: 'hint' },
        'Separate worlds, each with its own data, clock, faults and journal. This page shows one at a time.',
      ),
      h(
        'ul',
        { class: 'tiles' },
        all.map((one) => tile(app, one, (id) => make.copy(id))),
      ),
      make.element,
      h(
        'p',
        { class: 'hint' },
        'A request names its session by a header or by a prefix of its path; a new name creates a new session.',
      ),
      command(app, {
        baseUrl: location.origin,
        path: agentPath(app.target),
        headers: { 'X-Mock-Session': 'my-test' },
      }),
      command(app, { baseUrl: `${location.origin}/_s/my-test`, path: agentPath(app.target) }),
    );
  },
};

function tile(app, one, copy) {
  const isShown = one.id === app.session;
  return h(
    'li',
    { class: `card ${isShown ? 'current' : ''}` },
    h('h2', {}, titleOf(one.id)),
    h(
      'p',
      { class: 'remarks' },
      isShown && badge('shown', 'accent'),
      one.frozen && badge('clock stands still'),
      one.faults.length > 0 && badge(count(one.faults.length, 'fault'), 'bad'),
    ),
    h(
      'p',
      { class: 'quiet' },
      [dayAndTime(one.now), count(one.requests, 'request'), `${one.created} created`].join(' · '),
    ),
    h(
      'div',
      { class: 'actions' },
      !isShown && button('Look at it', () => app.look(one.id)),
      button('Fork', () => copy(one.id)),
      one.id !== '' && button('End', () => end(app, one.id), { class: 'danger' }),
    ),
  );
}

async function end(app, id) {
  if (!(await sure(`End the session ${id}? Everything in it is forgotten.`, 'End it'))) return;
  await app.act(async () => {
    await app.api.remove(path`/sessions/${id}`);
    if (id === app.session) await app.look('');
    await app.refresh();
  }, 'The session has ended.');
}

/** A form that creates a session; `copy(id)` makes it create a copy. */
function newSession(app, all) {
  const id = nameInput('id', '[\\w.~:@\\-]{1,128}', 'my-test');
  const from = select(
    [['*', 'As a session begins'], ...all.map((one) => [one.id, `A copy of: ${titleOf(one.id)}`])],
    '*',
    {
      name: 'from',
    },
  );
  const submit = (event) => {
    event.preventDefault();
    void app.act(async () => {
      await app.api.post('/sessions', { id: id.value, ...(from.value === '*' ? {} : { from: from.value }) });
      if (id.value === app.session) app.feed.restart();
      await app.refresh();
    }, 'The session is there.');
  };
  return {
    element: h(
      'form',
      { class: 'card', onsubmit: submit },
      h('h2', {}, 'Make a session'),
      h('div', { class: 'fields' }, field('Name', id, 'A copy replaces one of that name'), field('From', from)),
      h('div', { class: 'actions' }, h('button', { class: 'strong' }, 'Make it')),
    ),
    copy(other) {
      from.value = other;
      id.focus();
    },
  };
}
