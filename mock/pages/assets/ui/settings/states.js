import { add, button, h } from '../elements/dom.js';
import { endpoints } from '../generated/endpoints.js';
import { inline } from '../elements/format.js';
import { EVERY, OTHER, stateOf, states, statesOf } from './state-choices.js';

/** A row for each endpoint with the states that a screen has to bear; what is chosen stays until it is switched off. */
export const statesPanel = {
  id: 'states',
  title: 'States',
  async open(root, app) {
    const { standing } = await app.api.get('/standing');
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
        'How each endpoint answers from now on, until you switch it off or reset the session. What a request prefers by ',
        h('code', {}, 'Prefer'),
        ', and what a plan says, goes before.',
      ),
      h(
        'div',
        { class: 'states' },
        Object.entries(endpoints).map(([id, title]) => row(app, id, title, answers.get(id))),
        row(app, EVERY, 'All others', answers.get(EVERY)),
      ),
    );
  },
};

function row(app, id, title, answer) {
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
    h(
      'div',
      { class: 'state-choices' },
      statesOf(id).map((state) => choice(id, state, now === state, () => choose(state))),
      now === OTHER && h('span', { class: 'state-other', title: inline(answer) }, `Set elsewhere: ${inline(answer)}`),
    ),
  );
}

const choice = (id, state, checked, onchange) =>
  h(
    'label',
    { class: `state-choice ${state === 'normal' ? 'normal' : ''}`, title: states[state].what },
    h('input', { type: 'radio', name: `state-${id}`, value: state, checked, onchange }),
    h('span', {}, states[state].title),
  );
