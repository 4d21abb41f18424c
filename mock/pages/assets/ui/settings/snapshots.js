import { useState } from 'preact/hooks';
import { path } from '../api.js';
import { Placeholder, html, Select, useApp } from '../elements.js';
import { OperationButton, OperationForm } from '../form.js';
import { counted } from '../format.js';
import { JsonView } from '../json.js';

const NOW = '';

export const snapshotsPanel = {
  id: 'snapshots',
  title: 'Snapshots',
  read: async ({ api }) => (await api.get('/snapshots')).snapshots,
  View: Snapshots,
};

function Snapshots({ data: names }) {
  const { api, fail } = useApp();
  const [difference, setDifference] = useState();
  const compare = (from, to) => {
    const query = to === NOW ? '' : path`?to=${to}`;
    api.get(path`/snapshots/${from}/diff` + query).then((steps) => setDifference({ from, to, steps }), fail);
  };
  const nothing = html`<${Placeholder} title="No snapshot yet">
    <p>Take one before a test. Afterwards, restore it, or see what the test changed.</p>
  <//>`;
  return html`<div class="head"><h1>Snapshots</h1></div>
    <${OperationForm} id="takeSnapshot" verb="Take it" done="The snapshot is taken." />
    ${names.length === 0 && nothing}
    <ul class="tiles">
      ${names.map((name) => html`<${Tile} key=${name} name=${name} names=${names} compare=${compare} />`)}
    </ul>
    <section aria-live="polite">${difference && html`<${Difference} ...${difference} />`}</section>`;
}

const Difference = ({ from, to, steps }) =>
  html`<div class="card">
    <h2>From ${from} to ${to || 'now'}</h2>
    <p class="hint">${counted(steps.length, 'change')}, as JSON Patch</p>
    <${JsonView} value=${steps} />
  </div>`;

function Tile({ name, names, compare }) {
  const [to, setTo] = useState(NOW);
  const question = `Restore data and clock from ${name}? Later changes are lost.`;
  const restore = { id: 'restoreSnapshot', verb: 'Restore', question };
  const options = [NOW, ...names.filter((other) => other !== name)].map((one) => [one, one || 'now']);
  return html`<li class="card">
    <h2>${name}</h2>
    <div class="actions">
      <${OperationButton} ...${restore} params=${{ name }} done=${`Data and clock are restored from ${name}.`} />
      <${OperationButton} id="deleteSnapshot" params=${{ name }} verb="Delete" kind="danger" />
    </div>
    <div class="actions">
      <span class="label">Compare with</span>
      <${Select} aria-label=${`Compare ${name} with`} options=${options} value=${to} choose=${setTo} />
      <button type="button" onClick=${() => compare(name, to)}>Show</button>
    </div>
  </li>`;
}
