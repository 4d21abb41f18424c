import { useState } from 'preact/hooks';
import { Badge, Placeholder, html, Search, Select, useApp } from '../elements.js';
import { OperationButton } from '../form.js';
import { counted } from '../format.js';
import { endpoints } from '../generated/endpoints.js';

const ALWAYS = '';
const SEVERAL = 'Several endpoints';

/** A switch for every fault, with its description and its trigger; `active` are the ids of those that are on. */
export function Faults({ active }) {
  const { api, act, catalog } = useApp();
  const { faults } = catalog;
  const [search, setSearch] = useState('');
  const on = activeFaults(faults, active);
  const toggle = (id, isOn, trigger = ALWAYS) => {
    const next = new Map(on);
    if (isOn) next.set(id, trigger);
    else next.delete(id);
    const ids = Array.from(next, ([fault, when]) => [fault, when].filter(Boolean).join('@'));
    return act(() => api.put('/faults', { faults: ids }));
  };
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = faults.filter(({ id, does }) => words.every((word) => `${id} ${does}`.toLowerCase().includes(word)));
  // An active fault that is not listed is a broken shape: it was switched on elsewhere.
  const others = [...on.keys()].filter((id) => faults.every((fault) => fault.id !== id));
  const first = [
    ...others.map((id) => ({ id, does: 'Switched on elsewhere.', triggers: [] })),
    ...faults.filter(({ id }) => on.has(id)),
  ];
  const groups = Map.groupBy(
    found.filter(({ id }) => !on.has(id)),
    ({ at }) => (at.length === 1 ? endpoints[at[0]] : SEVERAL),
  );
  const rows = (some) =>
    html`<ul class="rows switches">
      ${some.map((fault) => html`<${Row} key=${fault.id} fault=${fault} on=${on} toggle=${toggle} />`)}
    </ul>`;
  return html`<section class="card">
    <h2>Faults</h2>
    <p class="hint">
      Ways to break the specification on purpose, to test a client against: always, or under a condition.
    </p>
    <div class="filters">
      <${Search} placeholder="cursor, limit, token …" value=${search} search=${setSearch} />
      <${OperationButton} id="clearFaults" verb="Switch all off" />
    </div>
    <p class="hint" role="status">
      ${on.size} of ${counted(faults.length, 'fault')} on${words.length > 0 && `; ${found.length} listed`}
    </p>
    ${first.length > 0 && rows(first)}
    ${[...groups].map(
      ([title, some]) =>
        html`<details key=${`${title} ${words.length > 0}`} open=${words.length > 0}>
          <summary>${title} <${Badge}>${some.length}<//></summary>
          ${rows(some)}
        </details>`,
    )}
    ${found.length === 0 && html`<${Placeholder} title="No fault matches" />`}
  </section>`;
}

/** The active faults with their triggers. Unlisted ones, and further ones of a violation, keep their full ids. */
function activeFaults(faults, ids) {
  const on = new Map();
  for (const id of ids) {
    const [fault, trigger = ALWAYS] = id.split(/@(?=[^@]*$)/);
    if (faults.some((one) => one.id === fault) && !on.has(fault)) on.set(fault, trigger);
    else on.set(id, ALWAYS);
  }
  return on;
}

function Row({ fault: { id, does, section, triggers }, on, toggle }) {
  const { catalog } = useApp();
  const whens = catalog.triggers.filter((trigger) => triggers.includes(trigger.id));
  const options = [[ALWAYS, 'always'], ...whens.map((trigger) => [trigger.id, `${trigger.id}: ${trigger.when}`])];
  const isOn = on.has(id);
  const when = html`<label class="when">
    <span class="label">When</span>
    <${Select} options=${options} value=${on.get(id)} choose=${(trigger) => toggle(id, true, trigger)} />
  </label>`;
  return html`<li>
    <label class="switch">
      <input type="checkbox" role="switch" checked=${isOn} onChange=${({ target }) => toggle(id, target.checked)} />
      <span
        >${does} <span class="quiet"><code>${id}</code> ${section && `· section ${section}`}</span></span
      >
    </label>
    ${isOn && triggers.length > 0 && when}
  </li>`;
}
