import { html, useApp } from '../elements.js';
import { OperationButton } from '../form.js';
import { inline } from '../format.js';
import { endpoints } from '../generated/endpoints.js';
import { choiceOf, choicesFor, EVERY, OTHER, wayChoices } from './state-choices.js';

/** A row for each endpoint, with the states that a screen must handle. A choice stays until it is switched off. */
export const statesPanel = {
  id: 'states',
  title: 'States',
  read: ({ api, catalog }) => (catalog.hasUpstream ? api.get('/upstream') : undefined),
  View: States,
};

function States({ data: upstream }) {
  const { standing } = useApp();
  const rows = Object.entries({ ...endpoints, [EVERY]: 'All others' });
  return html`<div class="head">
      <h1>States</h1>
      ${standing.length > 0 && html`<${OperationButton} id="clearStanding" verb="All normal" />`}
    </div>
    <p class="hint">
      How each endpoint answers from now on, until you switch it off or reset the session. What a request asks for with
      <code> Prefer</code>, or what a plan says, comes first.
    </p>
    ${
      upstream &&
      html`<p class="hint">
        Behind the mock is <code>${upstream.url}</code>. Each row says who answers, and in which state; a state comes
        first.
      </p>`
    }
    ${rows.map(([id, title]) => html`<${Row} key=${id} id=${id} title=${title} way=${upstream?.ways[id]} />`)}`;
}

function Row({ id, title, way }) {
  const { api, act, standing } = useApp();
  const answer = standing.find(({ on }) => on === id)?.answer;
  const current = choiceOf(answer);
  const say = (what) => `${title}: ${what.charAt(0).toLowerCase()}${what.slice(1)}.`;
  const choose = (choice) => {
    const set = () => (choice.answer ? api.put(`/standing/${id}`, choice.answer) : api.remove(`/standing/${id}`));
    return act(set, say(choice.what));
  };
  const chooseWay = (choice) => act(() => api.put(`/upstream/${id}`, { way: choice.id }), say(choice.what));
  return html`<fieldset class=${`card state ${current === 'normal' ? '' : 'on'}`}>
    <legend>${title}</legend>
    ${
      way &&
      html`<div class="radios" role="group" aria-label=${`Who answers ${title}`}>
        <span class="label">Answered by</span>
        <${Radios} name=${`way-${id}`} choices=${wayChoices} current=${way} usual=${way} choose=${chooseWay} />
      </div>`
    }
    <div class="radios">
      <${Radios} name=${`state-${id}`} choices=${choicesFor(id)} current=${current} usual="normal" choose=${choose} />
      ${current === OTHER && html`<span class="quiet" title=${inline(answer)}>Set elsewhere: ${inline(answer)}</span>`}
    </div>
  </fieldset>`;
}

const Radios = ({ name, choices, current, usual, choose }) =>
  choices.map(
    (choice) =>
      html`<label key=${choice.id} class=${`radio ${choice.id === usual ? 'usual' : ''}`} title=${choice.what}>
        <input type="radio" name=${name} checked=${choice.id === current} onChange=${() => choose(choice)} />
        <span>${choice.title}</span>
      </label>`,
  );
