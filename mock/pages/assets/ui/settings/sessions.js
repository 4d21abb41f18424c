import { path } from '../api.js';
import { add, badge, button, field, h, select } from '../elements/dom.js';
import { count, dayAndTime } from '../elements/format.js';
import { agentPath, command, sure } from '../elements/pieces.js';

export const sessions = {
  id: 'sessions',
  title: 'Sessions',
  async open(root, app) {
    const { api, act, look, target, refresh } = app;
    const { sessions: all } = await api.get('/sessions');
    const titleOf = (id) => (id === '' ? 'Shared session' : id);
    const id = h('input', {
      name: 'id',
      required: true,
      pattern: '[\\w.~:@\\-]{1,128}',
      placeholder: 'my-test',
      autocomplete: 'off',
      spellcheck: 'false',
    });
    const from = select(
      [['*', 'As a session begins'], ...all.map((one) => [one.id, `A copy of: ${titleOf(one.id)}`])],
      '*',
      { name: 'from' },
    );
    const end = async (one) => {
      if (!(await sure(`End the session ${one}? Everything in it is forgotten.`, 'End it'))) return;
      await act(async () => {
        await api.remove(path`/sessions/${one}`);
        if (one === app.session) await look('');
        await refresh();
      }, 'The session is over.');
    };
    const fork = (one) => {
      from.value = one;
      id.focus();
    };
    add(
      root,
      h('div', { class: 'head' }, h('h1', {}, 'Sessions')),
      h(
        'p',
        { class: 'hint' },
        'Worlds side by side, each with its own data, clock, faults and journal. This page shows one of them at a time.',
      ),
      h(
        'ul',
        { class: 'tiles' },
        all.map((one) =>
          h(
            'li',
            { class: `card ${one.id === app.session ? 'current' : ''}` },
            h('h2', {}, titleOf(one.id)),
            h(
              'p',
              { class: 'remarks' },
              one.id === app.session && badge('shown', 'accent'),
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
              one.id !== app.session && button('Look at it', () => look(one.id)),
              button('Fork', () => fork(one.id)),
              one.id !== '' && button('End', () => end(one.id), { class: 'danger' }),
            ),
          ),
        ),
      ),
      h(
        'form',
        {
          class: 'card',
          onsubmit: (event) => {
            event.preventDefault();
            void act(async () => {
              await api.post('/sessions', { id: id.value, ...(from.value === '*' ? {} : { from: from.value }) });
              if (id.value === app.session) app.feed.restart();
              await refresh();
            }, 'The session is there.');
          },
        },
        h('h2', {}, 'Make a session'),
        h('div', { class: 'fields' }, field('Name', id, 'A copy replaces one of that name'), field('From', from)),
        h('div', { class: 'actions' }, h('button', { class: 'strong' }, 'Make it')),
      ),
      h(
        'p',
        { class: 'hint' },
        'A request names its session by a header or by a prefix of its path; one that is not there yet is made.',
      ),
      command(app, {
        baseUrl: location.origin,
        path: agentPath(target),
        headers: { 'X-Mock-Session': 'my-test' },
      }),
      command(app, { baseUrl: `${location.origin}/_s/my-test`, path: agentPath(target) }),
    );
  },
};
