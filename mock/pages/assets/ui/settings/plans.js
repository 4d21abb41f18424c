import { path } from '../api.js';
import { add, badge, button, empty, field, h } from '../elements/dom.js';
import { endpoints } from '../requests/entries.js';
import { count, inline } from '../elements/format.js';
import { failed } from '../elements/pieces.js';

const examples = [
  ['Unavailable twice, then well', { on: 'list-results', steps: [{ code: 503, retryAfter: 1, times: 2 }, {}] }],
  ['Slow, then cut off', { on: 'every', steps: [{ delay: 1500 }, { fault: 'EMPTY_RESPONSE' }] }],
  ['One refusal', { on: 'get-agent', steps: [{ code: 404 }] }],
];
const written = (plan) => JSON.stringify(plan, undefined, 2);

export const plans = {
  id: 'plans',
  title: 'Plans',
  async open(root, { api, act }) {
    const { plans: all } = await api.get('/plans');
    const forget = () => act(() => api.remove('/plans'), 'All plans are forgotten.');
    add(
      root,
      h(
        'div',
        { class: 'head' },
        h('h1', {}, 'Plans'),
        h('div', { class: 'actions' }, all.length > 0 && button('Forget all', forget, { class: 'danger' })),
      ),
      all.length === 0
        ? noPlan()
        : h(
            'ul',
            { class: 'tiles' },
            all.map((plan) => card(plan, api, act)),
          ),
      newPlan(api, act),
    );
  },
};

const noPlan = () =>
  empty(
    'No plan yet',
    h(
      'p',
      {},
      'A plan answers the next requests step by step: it can refuse, delay or break them. It then shows which request met which step. Add one below, send requests, and come back.',
    ),
  );

function newPlan(api, act) {
  const text = h('textarea', {
    name: 'plan',
    rows: 10,
    spellcheck: 'false',
    required: true,
    value: written(examples[0][1]),
  });
  const submit = (event) => {
    event.preventDefault();
    let plan;
    try {
      plan = JSON.parse(text.value);
    } catch (error) {
      return failed(`The plan is not JSON: ${error.message}`);
    }
    void act(
      () => api.post('/plans', plan),
      ({ id }) => `${id} waits for requests.`,
    );
  };
  return h(
    'form',
    { class: 'card', onsubmit: submit },
    h('h2', {}, 'Add a plan'),
    h(
      'div',
      { class: 'chips', role: 'group', 'aria-label': 'Examples' },
      h('span', { class: 'label' }, 'Examples'),
      examples.map(([title, plan]) => button(title, () => (text.value = written(plan)))),
    ),
    field('Plan as JSON', text, [
      h('code', {}, 'on'),
      ` is ${Object.keys(endpoints).join(', ')} or every; a step has code, retryAfter, delay, fault, rate, example, dynamic, seed and times. `,
      h('code', {}, '{}'),
      ' lets a request through.',
    ]),
    h('div', { class: 'actions' }, h('button', { class: 'strong' }, 'Add')),
  );
}

const card = ({ id, on, steps, met, remaining, isComplete }, api, act) =>
  h(
    'li',
    { class: 'card' },
    h('h2', {}, id),
    h(
      'p',
      { class: 'remarks' },
      badge(endpoints[on] ?? 'Every endpoint', 'accent'),
      isComplete ? badge('met', 'good') : badge(`${count(remaining, 'answer')} to come`),
    ),
    h(
      'ol',
      { class: 'steps' },
      steps.map((step, i) => {
        const { times = 1, ...wanted } = step;
        return h(
          'li',
          {},
          h('code', {}, Object.keys(wanted).length === 0 ? 'let through' : inline(wanted, 90)),
          ` ${met[i].length} of ${times} `,
          met[i].slice(0, 20).map((entry) => [h('a', { href: `#journal/${entry}` }, `#${entry}`), ' ']),
        );
      }),
    ),
    h(
      'div',
      { class: 'actions' },
      button('Forget', () => act(() => api.remove(path`/plans/${id}`), `${id} is forgotten.`), { class: 'danger' }),
    ),
  );
