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
    const face = clockFace(app);
    document.addEventListener('tick', face.tick);
    add(
      root,
      h('div', { class: 'head' }, h('h1', {}, 'Clock')),
      face.element,
      h('section', { class: 'card' }, h('h2', {}, 'Move it'), chips(app, '', 'Forward'), chips(app, '-', 'Back')),
      setting(app),
      h(
        'p',
        { class: 'hint' },
        'The mock takes every timestamp and every time window from this clock. A result with a later time appears when the clock gets there. A single request can have its own time: ',
        h('code', {}, 'X-Mock-Now: 2026-05-20T15:30:00Z'),
        '.',
      ),
    );
    return { close: () => document.removeEventListener('tick', face.tick) };
  },
};

/** The time, and whether the clock runs; `tick()` updates it. */
function clockFace({ api, act, clock: { frozen }, now }) {
  const time = h('time', { class: 'face' });
  const day = h('p', { class: 'day' });
  const tick = () => {
    const at = new Date(now());
    time.dateTime = at.toISOString();
    time.textContent = at.toISOString().slice(11, 19);
    day.textContent = `${at.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })}, UTC`;
  };
  tick();
  const [verb, title, done] = frozen
    ? ['resume', 'Let it run', 'The clock runs.']
    : ['freeze', 'Freeze', 'The clock stands still.'];
  const element = h(
    'section',
    { class: 'card clock-face' },
    time,
    day,
    h('p', {}, badge(frozen ? 'standing still' : 'running', frozen ? 'accent' : 'good')),
    h(
      'div',
      { class: 'actions' },
      button(title, () => act(() => api.post(`/clock/${verb}`), done), { class: 'strong' }),
    ),
  );
  return { element, tick };
}

const chips = ({ api, act }, sign, verb) =>
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

function setting({ api, act, now }) {
  const at = h('input', {
    name: 'at',
    required: true,
    value: new Date(now()).toISOString().replace(/\.\d+/, ''),
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const submit = (event) => {
    event.preventDefault();
    const verb = event.submitter?.value ?? 'set';
    const done = verb === 'set' ? 'The clock is set.' : 'The clock stands still there.';
    void act(() => api.post(`/clock/${verb}`, { at: at.value.trim() }), done);
  };
  return h(
    'form',
    { class: 'card', onsubmit: submit },
    h('h2', {}, 'Set it'),
    field('Instant', at, 'RFC 3339, such as 2026-05-20T15:30:00Z'),
    h(
      'div',
      { class: 'actions' },
      h('button', { value: 'set' }, 'Set'),
      h('button', { value: 'freeze' }, 'Freeze there'),
    ),
  );
}
