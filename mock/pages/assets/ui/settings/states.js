import { Field, Fold, html, Select, useApp } from '../elements.js';
import { OperationButton, OperationForm } from '../form.js';
import { inline } from '../format.js';
import { endpoints } from '../generated/endpoints.js';
import { choiceOf, choicesFor, EVERY, OTHER } from './state-choices.js';

/** A row for each endpoint, with the states that a screen must handle. A choice stays until it is switched off. */
export const statesPanel = { id: 'states', title: 'States', View: States };

function States() {
  const { operations, standing, upstream } = useApp();
  const { way } = operations.setWay.schema.properties;
  const rows = Object.entries({ ...endpoints, [EVERY]: 'All others' });
  const all = Object.entries({ ...endpoints, [EVERY]: 'Every endpoint' });
  const setting = { id: 'setStanding', title: 'Set a state', verb: 'Set', done: 'The state is set.' };
  const behind = html`<p class="hint">
    Behind the mock is <code>${upstream?.url}</code>. Each row says who answers, and in which state; a state comes
    first. ${way.description}
  </p>`;
  return html`<div class="head">
      <h1>States</h1>
      ${standing.length > 0 && html`<${OperationButton} id="clearStanding" verb="All normal" />`}
    </div>
    <p class="hint">
      How each endpoint answers from now on, until you switch it off or reset the session. What a request asks for with
      <code> Prefer</code>, or what a plan says, comes first.
    </p>
    ${upstream && behind}
    ${rows.map(
      ([id, title]) => html`<${Row} key=${id} id=${id} title=${title} way=${upstream?.ways[id]} ways=${way.enum} />`,
    )}
    <${Fold} title="Another state, or for some requests only">
      <${OperationForm} ...${setting} value=${{ code: 503, match: {} }} choices=${{ endpoint: all }} />
    <//>`;
}

function Row({ id, title, way, ways }) {
  const { api, act, standing } = useApp();
  const { answer, match } = standing.find(({ on }) => on === id) ?? {};
  const current = match ? OTHER : choiceOf(answer);
  const choose = ({ answer: next, what }) =>
    act(() => api.call(next ? 'PUT' : 'DELETE', `/standing/${id}`, next), `${title}: ${what}.`);
  const answeredBy = html`<${Field} label="Answered by">
    <${Select}
      options=${ways.map((each) => [each, each])}
      value=${way}
      choose=${(next) => act(() => api.put(`/upstream/${id}`, { way: next }), `${title}: ${next}.`)}
    />
  <//>`;
  return html`<fieldset class="card state">
    <legend>${title}</legend>
    ${way && answeredBy}
    <div class="radios">
      ${choicesFor(id).map(
        (choice) =>
          html`<label key=${choice.id} class="radio" title=${choice.what}>
            <input type="radio" name=${id} checked=${choice.id === current} onChange=${() => choose(choice)} />
            <span>${choice.title}</span>
          </label>`,
      )}
      ${current === OTHER && html`<span class="quiet">Set otherwise: ${inline({ ...answer, match })}</span>`}
    </div>
  </fieldset>`;
}
