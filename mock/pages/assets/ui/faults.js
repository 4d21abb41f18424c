import { button, empty, field, h } from './dom.js';
import { count } from './format.js';
import { failed } from './pieces.js';

let search = '';

/** A switch for every fault, with what it does. */
export function faultsSection({ api }, faults, active) {
  let on = new Set(active);
  const list = h('ul', { class: 'switches' });
  const status = h('p', { class: 'hint', role: 'status' });
  const clear = button('Switch all off', () => commit(new Set()));

  async function commit(next) {
    try {
      ({ faults: active } = await api.put('/faults', { faults: [...next] }));
      on = new Set(active);
    } catch (error) {
      failed(error);
    }
    draw();
  }
  function toggle(id, isOn) {
    const next = new Set(on);
    if (isOn) next.add(id);
    else next.delete(id);
    return commit(next);
  }
  function draw() {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const isListed = ({ id, does }) => words.every((word) => `${id} ${does}`.toLowerCase().includes(word));
    const found = faults.filter(isListed);
    // What is on and is no violation is a broken shape: it was switched on elsewhere.
    const others = [...on]
      .filter((id) => !faults.some((one) => one.id === id))
      .map((id) => ({ id, does: 'Switched on elsewhere.' }));
    status.textContent = `${on.size} of ${count(faults.length, 'fault')} on${words.length > 0 ? `; ${found.length} listed` : ''}`;
    clear.disabled = on.size === 0;
    const focused = document.activeElement?.dataset?.fault;
    list.replaceChildren(...[...others, ...found.toSorted((one, other) => on.has(other.id) - on.has(one.id))].map(row));
    if (found.length === 0) list.append(h('li', {}, empty('No fault is like that')));
    if (focused) list.querySelector(`[data-fault="${CSS.escape(focused)}"]`)?.focus();
  }
  const row = ({ id, does, section }) =>
    h(
      'li',
      {},
      h(
        'label',
        { class: 'switch' },
        h('input', {
          type: 'checkbox',
          role: 'switch',
          'data-fault': id,
          checked: on.has(id),
          onchange: ({ target }) => toggle(id, target.checked),
        }),
        h(
          'span',
          { class: 'what' },
          does,
          h('span', { class: 'quiet' }, h('code', {}, id), section && ` · section ${section}`),
        ),
      ),
    );
  draw();
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Faults'),
    h('p', { class: 'hint' }, 'Ways to break the specification on purpose; a client can be tried against each.'),
    h(
      'div',
      { class: 'filters' },
      field(
        'Search',
        h('input', {
          type: 'search',
          placeholder: 'cursor, limit, token …',
          value: search,
          oninput: ({ target }) => ((search = target.value), draw()),
        }),
      ),
      h('div', { class: 'actions' }, clear),
    ),
    status,
    list,
  );
}
