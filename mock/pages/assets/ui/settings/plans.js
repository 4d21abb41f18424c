import { Badge, Placeholder, html, useApp } from '../elements.js';
import { OperationButton, OperationForm } from '../form.js';
import { counted, inline } from '../format.js';
import { endpoints } from '../generated/endpoints.js';

const examples = {
  'A later page fails': { on: 'list-results', match: { page: 'later' }, steps: [{ code: 500 }] },
  'Unavailable twice, then well': { on: 'list-results', steps: [{ code: 503, retryAfter: 1, times: 2 }, {}] },
  'Slow, then cut off': { on: 'every', steps: [{ delay: 1500 }, { fault: 'EMPTY_RESPONSE' }] },
  'One refusal': { on: 'get-agent', steps: [{ code: 404 }] },
};
const first = examples['Unavailable twice, then well'];

export const plansPanel = { id: 'plans', title: 'Plans', View: Plans };

function Plans() {
  const { plans: all } = useApp();
  const options = { on: [...Object.entries(endpoints), ['every', 'Every endpoint']] };
  const adding = { id: 'addPlan', title: 'Add a plan', verb: 'Add', value: first, options, examples };
  const nothing = html`<${Placeholder} title="No plan yet">
    <p>
      A plan answers the next requests step by step: it can refuse, delay or break them. It then shows which request met
      which step. Add one below, and send requests.
    </p>
  <//>`;
  return html`<div class="head">
      <h1>Plans</h1>
      ${all.length > 0 && html`<${OperationButton} id="clearPlans" verb="Forget all" kind="danger" />`}
    </div>
    ${all.length === 0 && nothing}
    <ul class="tiles">
      ${all.map((plan) => html`<${Tile} key=${plan.id} plan=${plan} />`)}
    </ul>
    <${OperationForm} ...${adding} done=${({ id }) => `${id} waits for requests.`} />`;
}

function Tile({ plan: { id, on, match = {}, steps, met, remaining, isComplete } }) {
  const forget = { id: 'deletePlan', params: { planId: id }, verb: 'Forget' };
  return html`<li class="card">
    <h2>${id}</h2>
    <p class="remarks">
      <${Badge} kind="accent">${endpoints[on] ?? 'Every endpoint'}<//>
      ${Object.entries(match).map(([name, value]) => html`<${Badge}>${name} ${value}<//>`)}
      ${isComplete ? html`<${Badge} kind="good">met<//>` : html`<${Badge}>${counted(remaining, 'answer')} to come<//>`}
    </p>
    <ol class="steps">
      ${steps.map(
        ({ times = 1, ...wanted }, i) =>
          html`<li>
            <code>${Object.keys(wanted).length === 0 ? 'let through' : inline(wanted, 90)}</code>
            ${` ${met[i].length} of ${times} `}
            ${met[i].slice(0, 20).map((entry) => html`<a href=${`#journal/${entry}`}>#${entry}</a> `)}
          </li>`,
      )}
    </ol>
    <div class="actions"><${OperationButton} ...${forget} kind="danger" /></div>
  </li>`;
}
