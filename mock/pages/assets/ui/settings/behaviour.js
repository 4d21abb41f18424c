import { Badge, html, Select, useApp } from '../elements.js';
import { OperationButton, OperationForm } from '../form.js';
import { counted } from '../format.js';
import { Faults } from './faults.js';

const read = ({ api }) => api.get('/profile');
export const behaviourPanel = { id: 'behaviour', title: 'Behaviour', read, View: Behaviour };

const WARNING = 'The data of the session begins anew: what was created, edited or removed is lost. Snapshots stay.';

function Behaviour({ data: profile }) {
  const { catalog, health, settings, faults } = useApp();
  const { fixedDelay, delayDistribution, rateLimit } = settings;
  const fixed = typeof fixedDelay === 'number' ? { type: 'fixed', milliseconds: fixedDelay } : null;
  const value = { delayDistribution: delayDistribution ?? fixed, rateLimit };
  const form = { id: 'updateSettings', value, verb: 'Apply' };
  const { persona, seed } = health;
  const personas = catalog.personas.map(({ name, description }) => [name, `${name}: ${description}`]);
  const world = { id: 'setWorld', title: 'Data', verb: 'Change', question: WARNING, done: 'The data begins anew.' };
  return html`<div class="head"><h1>Behaviour</h1></div>
    <div class="tiles" key=${JSON.stringify([value, persona, seed])}>
      <${OperationForm} ...${form} only=${['delayDistribution']} title="Latency" done="The latency is set." />
      <${OperationForm} ...${form} only=${['rateLimit']} title="Rate limit" done="The rate limit is set." />
      <${OperationForm} ...${world} value=${{ persona, seed }} options=${{ persona: personas }} />
    </div>
    <${Faults} active=${faults} />
    <${Profile} profile=${profile} />`;
}

/** How the session answers what the specification leaves open. */
function Profile({ profile }) {
  const { gaps, profiles } = useApp().catalog;
  const others = new Set(gaps.filter(({ id, choices }) => profile[id] !== Object.keys(choices)[0]));
  const operation = { id: 'setProfile', question: WARNING, done: 'The profile is another now.' };
  return html`<section class="card">
    <h2>Profile</h2>
    <p class="hint">
      ${`The specification leaves ${counted(gaps.length, 'question')} open. A profile answers them all;`}
      ${` in this session ${counted(others.size, 'answer')} are not the default.`}
    </p>
    <div class="actions">
      ${profiles.map((name) => html`<${OperationButton} ...${operation} body=${{ profile: name }} verb=${name} />`)}
    </div>
    <details>
      <summary>All ${gaps.length} answers</summary>
      <ul class="tiles">
        ${gaps.map((gap) => html`<${Gap} gap=${gap} current=${profile[gap.id]} isUsual=${!others.has(gap)} />`)}
      </ul>
    </details>
  </section>`;
}

function Gap({ gap: { id, question, section, choices }, current, isUsual }) {
  const { api, act, reload } = useApp();
  const choose = (choice) => {
    if (!confirm(`Answer "${id}" with "${choice}"? ${WARNING}`)) return reload();
    return act(() => api.put('/profile', { choices: { [id]: choice } }), 'The profile is changed.');
  };
  return html`<li>
    <label class="field">
      <span>${question} ${!isUsual && html`<${Badge} kind="accent">not the default<//>`}</span>
      <span class="quiet"><code>${id}</code> · section ${section}</span>
      <${Select} options=${Object.entries(choices)} value=${current} choose=${choose} />
    </label>
  </li>`;
}
