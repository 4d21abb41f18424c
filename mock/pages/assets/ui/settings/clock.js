import { Badge, html, useApp, useNow } from '../elements.js';
import { OperationButton, OperationForm } from '../form.js';

const spans = { '1 hour': 'PT1H', '1 day': 'P1D', '7 days': 'P7D', '1 month': 'P1M' };

export const clockPanel = { id: 'clock', title: 'Clock', View: Clock };

function Clock() {
  const { now } = useApp();
  const at = `${new Date(now()).toISOString().slice(0, 19)}Z`;
  const freezing = { id: 'freezeClock', verb: 'Freeze there', done: 'The clock stands still there.' };
  return html`<div class="head"><h1>Clock</h1></div>
    <${Face} />
    <section class="card">
      <h2>Move it</h2>
      <${Chips} verb="Forward" sign="" />
      <${Chips} verb="Back" sign="-" />
    </section>
    <div class="tiles">
      <${OperationForm} id="setClock" value=${{ at }} title="Set it" verb="Set" done="The clock is set." />
      <${OperationForm} ...${freezing} value=${{ at }} title="Stop it at an instant" />
    </div>
    <p class="hint">
      The mock takes every timestamp and every time window from this clock. A result with a later time appears when the
      clock gets there. A single request can have its own time: <code>X-Mock-Now: 2026-05-20T15:30:00Z</code>.
    </p>`;
}

function Face() {
  const { clock: state } = useApp();
  const at = new Date(useNow()).toISOString();
  const [words, button] = state.frozen
    ? [html`<${Badge} kind="accent">standing still<//>`, { id: 'resumeClock', verb: 'Let it run' }]
    : [html`<${Badge} kind="good">running<//>`, { id: 'freezeClock', verb: 'Freeze' }];
  return html`<section class="card">
    <time class="face" datetime=${at}>${at.slice(11, 19)}</time>
    <p class="quiet">${at.slice(0, 10)}, UTC ${words}</p>
    <div class="actions"><${OperationButton} ...${button} kind="strong" body=${{}} /></div>
  </section>`;
}

const Chips = ({ verb, sign }) =>
  html`<div class="chips" role="group" aria-label=${verb}>
    <span class="label">${verb}</span>
    ${Object.entries(spans).map(([label, span]) => {
      const operation = { id: 'advanceClock', body: { by: `${sign}${span}` } };
      return html`<${OperationButton} ...${operation} verb=${label} label=${`${verb} ${label}`} />`;
    })}
  </div>`;
