import { add, button, h } from '../elements/dom.js';
import { endpoints } from '../generated/endpoints.js';
import { inline } from '../elements/format.js';
import { EVERY, OTHER, stateOf, states, statesOf, ways } from './state-choices.js';

/** A row for each endpoint, with the states that a screen must handle. A choice stays until it is switched off. */
export const statesPanel = {
  id: 'states',
  title: 'States',
  async open(root, app) {
    const [{ standing }, upstream] = await Promise.all([app.api.get('/standing'), upstreamOf(app)]);
    const answers = new Map(standing.map(({ on, answer }) => [on, answer]));
    add(
      root,
      h(
        'div',
        { class: 'head' },
        h('h1', {}, 'States'),
        answers.size > 0 &&
          button('All normal', () => app.act(() => app.api.remove('/standing'), 'Every endpoint answers as usual.')),
      ),
      h(
        'p',
        { class: 'hint' },
        'How each endpoint answers from now on, until you switch it off or reset the session. What a request asks for with ',
        h('code', {}, 'Prefer'),
        ', or what a plan says, comes first.',
      ),
      upstream &&
        h(
          'p',
          { class: 'hint' },
          'Behind the mock is ',
          h('code', {}, upstream.url),
          '. Each row says who answers, and in which state; a state comes first.',
        ),
      h(
        'div',
        { class: 'states' },
        Object.entries(endpoints).map(([id, title]) => row(app, id, title, answers.get(id), upstream?.ways[id])),
        row(app, EVERY, 'All others', answers.get(EVERY)),
      ),
    );
  },
};

/** The upstream; `undefined` if there is none. */
const upstreamOf = async ({ api, read }) => ((await read()).hasUpstream ? api.get('/upstream') : undefined);

function row(app, id, title, answer, way) {
  const now = stateOf(answer);
  const choose = (state) =>
    app.act(
      () =>
        state === 'normal' ? app.api.remove(`/standing/${id}`) : app.api.put(`/standing/${id}`, states[state].answer),
      `${title}: ${states[state].what.toLowerCase()}.`,
    );
  return h(
    'fieldset',
    { class: `state-row${now === 'normal' ? '' : ' on'}` },
    h('legend', {}, title),
    way && wayChoices(app, id, title, way),
    h(
      'div',
      { class: 'state-choices' },
      statesOf(id).map((state) => choice(id, state, now === state, () => choose(state))),
      now === OTHER && h('span', { class: 'state-other', title: inline(answer) }, `Set elsewhere: ${inline(answer)}`),
    ),
  );
}

const wayChoices = (app, id, title, now) =>
  h(
    'div',
    { class: 'state-choices', role: 'group', 'aria-label': `Who answers ${title}` },
    h('span', { class: 'way-label' }, 'Answered by'),
    Object.entries(ways).map(([way, { title: name, what }]) =>
      radio(
        { name: `way-${id}`, value: way, checked: way === now, title: what, class: 'state-choice normal' },
        name,
        () =>
          app.act(
            () => app.api.put(`/upstream/${id}`, { way }),
            `${title}: ${what.charAt(0).toLowerCase()}${what.slice(1)}.`,
          ),
      ),
    ),
  );

const choice = (id, state, checked, onchange) => {
  const { title, what } = states[state];
  const look = `state-choice ${state === 'normal' ? 'normal' : ''}`;
  return radio({ name: `state-${id}`, value: state, checked, title: what, class: look }, title, onchange);
};

const radio = ({ name, value, checked, title, class: look }, label, onchange) =>
  h(
    'label',
    { class: look, title },
    h('input', { type: 'radio', name, value, checked, onchange }),
    h('span', {}, label),
  );
