import { badge, button, empty, field, h, refill, select } from '../elements/dom.js';
import { grouped } from './fault-groups.js';
import { count } from '../elements/format.js';
import { failed } from '../elements/pieces.js';

let search = '';
/** The groups that a person has expanded. */
const opened = new Set();

const ALWAYS = '';

/** The fault and the trigger in an id. */
function apart(id) {
  const at = id.lastIndexOf('@');
  return at < 0 ? [id, ALWAYS] : [id.slice(0, at), id.slice(at + 1)];
}

const together = (fault, trigger) => (trigger === ALWAYS ? fault : `${fault}@${trigger}`);

/** A switch for every fault, with its description and its trigger. */
export function faultsSection({ api }, { faults, triggers }, active) {
  const list = h('div', { class: 'groups' });
  const status = h('p', { class: 'hint', role: 'status' });
  const clear = button('Switch all off', () => commit(new Map()));
  const panel = {
    faults,
    whenOf: new Map(triggers.map(({ id, when }) => [id, when])),
    on: read(faults, active),
    toggle,
  };

  async function commit(next) {
    try {
      const ids = [...next].map(([id, trigger]) => together(id, trigger));
      panel.on = read(faults, (await api.put('/faults', { faults: ids })).faults);
    } catch (error) {
      failed(error);
    }
    draw();
  }
  function toggle(id, isOn, trigger = ALWAYS) {
    const next = new Map(panel.on);
    if (isOn) next.set(id, trigger);
    else next.delete(id);
    return commit(next);
  }
  function draw() {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const found = faults.filter(({ id, does }) => words.every((word) => `${id} ${does}`.toLowerCase().includes(word)));
    const listed = words.length > 0 ? `; ${found.length} listed` : '';
    status.textContent = `${panel.on.size} of ${count(faults.length, 'fault')} on${listed}`;
    clear.disabled = panel.on.size === 0;
    const focused = document.activeElement?.dataset?.fault;
    refill(list, switches(panel, found, words.length > 0));
    if (focused) list.querySelector(`[data-fault="${CSS.escape(focused)}"]`)?.focus();
  }
  draw();
  return h('section', { class: 'card' }, heading(draw, clear), status, list);
}

/** The active faults, by violation. Unlisted ones, and further ones of the same violation, keep their full ids. */
const read = (faults, ids) =>
  ids.reduce((map, id) => {
    const [fault, trigger] = apart(id);
    const isListed = faults.some((one) => one.id === fault) && !map.has(fault);
    return isListed ? map.set(fault, trigger) : map.set(id, ALWAYS);
  }, new Map());

const heading = (draw, clear) => [
  h('h2', {}, 'Faults'),
  h(
    'p',
    { class: 'hint' },
    'Ways to break the specification on purpose, to test a client against: always, or under a condition.',
  ),
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
];

/** The active faults, followed by the matching ones in groups. */
function switches(panel, found, isSearched) {
  const { faults, on } = panel;
  // An active fault that is not a violation is a broken shape: it was switched on elsewhere.
  const others = [...on.keys()]
    .filter((id) => !faults.some((one) => one.id === id))
    .map((id) => ({ id, does: 'Switched on elsewhere.', triggers: [] }));
  const active = [...others, ...faults.filter(({ id }) => on.has(id))];
  return [
    active.length > 0 && rows(panel, active),
    grouped(found.filter(({ id }) => !on.has(id))).map((group) => groupOf(panel, group, isSearched)),
    found.length === 0 && empty('No fault matches'),
  ];
}

const rows = (panel, faults) =>
  h(
    'ul',
    { class: 'switches' },
    faults.map((fault) => row(panel, fault)),
  );

/** Faults that a screen would notice in the same way; active ones are above the groups. */
const groupOf = (panel, { id, title, faults }, isSearched) =>
  h(
    'details',
    {
      class: 'group',
      open: isSearched || opened.has(id),
      ontoggle: ({ target }) => void (isSearched || opened[target.open ? 'add' : 'delete'](id)),
    },
    h('summary', {}, title, ' ', badge(String(faults.length))),
    rows(panel, faults),
  );

function row(panel, fault) {
  const { on, toggle } = panel;
  const { id, does, section, triggers } = fault;
  return h(
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
    on.has(id) && triggers.length > 0 && when(panel, fault),
  );
}

/** When a fault applies: selectable once the fault is on. */
const when = ({ on, whenOf, toggle }, { id, triggers }) =>
  h(
    'label',
    { class: 'when' },
    h('span', { class: 'label' }, 'When'),
    select([[ALWAYS, 'always'], ...triggers.map((one) => [one, `${one}: ${whenOf.get(one) ?? ''}`])], on.get(id), {
      'data-fault': `${id} when`,
      onchange: ({ target }) => toggle(id, true, target.value),
    }),
  );
