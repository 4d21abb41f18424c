import { add, badge, button, field, h } from './dom.js';

const spans = [
  ['1 hour', 'PT1H'],
  ['1 day', 'P1D'],
  ['7 days', 'P7D'],
  ['1 month', 'P1M'],
];

export const clock = {
  id: 'clock',
  title: 'Clock',
  open(root, app) {
    const { api, act } = app;
    const { frozen } = app.clock;
    const time = h('time', { class: 'face' });
    const day = h('p', { class: 'day' });
    const tick = () => {
      const at = new Date(app.now());
      time.dateTime = at.toISOString();
      time.textContent = at.toISOString().slice(11, 19);
      day.textContent = `${at.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })}, UTC`;
    };
    tick();
    document.addEventListener('tick', tick);

    const at = h('input', {
      name: 'at',
      required: true,
      value: new Date(app.now()).toISOString().replace(/\.\d+/, ''),
      autocomplete: 'off',
      spellcheck: 'false',
    });
    const chips = (sign, verb) =>
      h(
        'div',
        { class: 'chips', role: 'group', 'aria-label': verb },
        h('span', { class: 'label' }, verb),
        spans.map(([label, span]) =>
          button(label, () => act(() => api.post('/clock/advance', { by: `${sign}${span}` })), {
            'aria-label': `${verb} ${label}`,
          }),
        ),
      );
    add(
      root,
      h('div', { class: 'head' }, h('h1', {}, 'Clock')),
      h(
        'section',
        { class: 'card clock-face' },
        time,
        day,
        h('p', {}, badge(frozen ? 'standing still' : 'running', frozen ? 'accent' : 'good')),
        h(
          'div',
          { class: 'actions' },
          frozen
            ? button('Let it run', () => act(() => api.post('/clock/resume'), 'The clock runs.'), { class: 'strong' })
            : button('Freeze', () => act(() => api.post('/clock/freeze'), 'The clock stands still.'), {
                class: 'strong',
              }),
        ),
      ),
      h('section', { class: 'card' }, h('h2', {}, 'Move it'), chips('', 'Forward'), chips('-', 'Back')),
      h(
        'form',
        {
          class: 'card',
          onsubmit: (event) => {
            event.preventDefault();
            const verb = event.submitter?.value ?? 'set';
            void act(
              () => api.post(`/clock/${verb}`, { at: at.value.trim() }),
              verb === 'set' ? 'The clock is set.' : 'The clock stands still there.',
            );
          },
        },
        h('h2', {}, 'Set it'),
        field('Instant', at, 'RFC 3339, such as 2026-05-20T15:30:00Z'),
        h(
          'div',
          { class: 'actions' },
          h('button', { value: 'set' }, 'Set'),
          h('button', { value: 'freeze' }, 'Freeze there'),
        ),
      ),
      h(
        'p',
        { class: 'hint' },
        'Every timestamp that the mock writes and every window of time that it reads obey this clock; results that lie ahead of it appear when it gets there. One request alone can have another time: ',
        h('code', {}, 'X-Mock-Now: 2026-05-20T15:30:00Z'),
        '.',
      ),
    );
    return { close: () => document.removeEventListener('tick', tick) };
  },
};
