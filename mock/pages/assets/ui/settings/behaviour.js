import { faultsSection } from './faults.js';
import { add, field, h, refill, select } from '../elements/dom.js';
import { profileSection } from './profile.js';
import { agentPath, command } from '../elements/pieces.js';

const kinds = {
  none: ['None', []],
  fixed: ['Fixed', [['milliseconds', 'Milliseconds', 200]]],
  uniform: [
    'Uniform',
    [
      ['lower', 'From, in ms', 50],
      ['upper', 'To, in ms', 500],
    ],
  ],
  lognormal: [
    'Lognormal',
    [
      ['median', 'Median, in ms', 80],
      ['sigma', 'Sigma', 0.4],
    ],
  ],
};

export const behaviour = {
  id: 'behaviour',
  title: 'Behaviour',
  async open(root, app) {
    const { api } = app;
    const [settings, { faults: active }, profile, catalog] = await Promise.all([
      api.get('/settings'),
      api.get('/faults'),
      api.get('/profile'),
      app.read(),
    ]);
    add(
      root,
      h('div', { class: 'head' }, h('h1', {}, 'Behaviour')),
      h('div', { class: 'pair' }, latencyForm(app, settings), rateForm(app, settings)),
      faultsSection(app, catalog, active),
      connectionNote(app, catalog.connectionFaults),
      profileSection(app, catalog, profile),
    );
  },
};

function latencyForm({ api, act }, { fixedDelay, delayDistribution }) {
  const now =
    typeof fixedDelay === 'number'
      ? { type: 'fixed', milliseconds: fixedDelay }
      : (delayDistribution ?? { type: 'none' });
  const fields = h('div', { class: 'fields' });
  const kind = select(
    Object.entries(kinds).map(([id, [title]]) => [id, title]),
    now.type,
    { name: 'kind', onchange: draw },
  );
  function draw() {
    refill(
      fields,
      ...kinds[kind.value][1].map(([name, label, usual]) =>
        field(
          label,
          h('input', {
            type: 'number',
            name,
            min: 0,
            max: name === 'sigma' ? 5 : 600_000,
            step: 'any',
            required: true,
            value: now[name] ?? usual,
          }),
        ),
      ),
    );
  }
  draw();
  return h(
    'form',
    {
      class: 'card',
      onsubmit: (event) => {
        event.preventDefault();
        const numbers = Object.fromEntries(
          [...fields.querySelectorAll('input')].map(({ name, value }) => [name, Number(value)]),
        );
        const delay = kind.value === 'none' ? null : { type: kind.value, ...numbers };
        void act(
          () => api.post('/settings', { delayDistribution: delay }),
          delay ? 'Every answer is delayed now.' : 'Answers are not delayed.',
        );
      },
    },
    h('h2', {}, 'Latency'),
    h('p', { class: 'hint' }, 'How long the mock waits before every answer.'),
    field('Kind', kind),
    fields,
    h('div', { class: 'actions' }, h('button', {}, 'Apply')),
  );
}

function rateForm({ api, act }, { rateLimit }) {
  const input = (name, value) =>
    h('input', {
      type: 'number',
      name,
      min: name === 'requests' ? 1 : 0.001,
      step: name === 'requests' ? 1 : 'any',
      required: true,
      value,
    });
  const requests = input('requests', rateLimit?.requests ?? 10);
  const seconds = input('seconds', rateLimit?.seconds ?? 60);
  return h(
    'form',
    {
      class: 'card',
      onsubmit: (event) => {
        event.preventDefault();
        const off = event.submitter?.value === 'off';
        const limit = off ? null : { requests: Number(requests.value), seconds: Number(seconds.value) };
        void act(
          () => api.post('/settings', { rateLimit: limit }),
          off ? 'There is no rate limit.' : 'The rate limit is on.',
        );
      },
    },
    h('h2', {}, 'Rate limit'),
    h(
      'p',
      { class: 'hint' },
      rateLimit
        ? `On: ${rateLimit.requests} requests in ${rateLimit.seconds} seconds; more get 429 with retry-after.`
        : 'Off. When it is on, further requests get 429 with retry-after.',
    ),
    h('div', { class: 'fields' }, field('Requests', requests), field('in seconds', seconds)),
    h(
      'div',
      { class: 'actions' },
      h('button', { value: 'on' }, 'Apply'),
      rateLimit && h('button', { value: 'off', formnovalidate: true }, 'Switch off'),
    ),
  );
}

const connectionNote = (app, connectionFaults) =>
  h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Connection faults'),
    h(
      'p',
      { class: 'hint' },
      'One request, or a step of a plan, can ask for a broken connection: ',
      connectionFaults.map((name, i) => [i > 0 && ', ', h('code', {}, name)]),
      '.',
    ),
    command(app, { path: agentPath(app.target), headers: { Prefer: `fault=${connectionFaults[1]}` } }),
  );
