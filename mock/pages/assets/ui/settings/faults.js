import { badge, button, empty, field, h, refill, select } from '../elements/dom.js';
import { grouped } from './fault-groups.js';
import { count } from '../elements/format.js';
import { failed } from '../elements/pieces.js';

let search = '';
/** The groups that a person has opened. */
const opened = new Set();

const ALWAYS = '';

/** The fault and the trigger that an id consists of. */
function apart(id) {
  const at = id.lastIndexOf('@');
  return at < 0 ? [id, ALWAYS] : [id.slice(0, at), id.slice(at + 1)];
}

const together = (fault, trigger) => (trigger === ALWAYS ? fault : `${fault}@${trigger}`);

/** A switch for every fault, with what it does, and the trigger under which it is committed. */
export function faultsSection({ api }, { faults, triggers }, active) {
  // What is no fault of the list, or one that is on already, is kept as it is.
  const read = (ids) =>
    ids.reduce((map, id) => {
      const [fault, trigger] = apart(id);
      const isListed = faults.some((one) => one.id === fault) && !map.has(fault);
      return isListed ? map.set(fault, trigger) : map.set(id, ALWAYS);
    }, new Map());
  let on = read(active);
  const whenOf = new Map(triggers.map(({ id, when }) => [id, when]));
  const list = h('div', { class: 'groups' });
  const status = h('p', { class: 'hint', role: 'status' });
  const clear = button('Switch all off', () => commit(new Map()));

  async function commit(next) {
    try {
      ({ faults: active } = await api.put('/faults', {
        faults: [...next].map(([id, trigger]) => together(id, trigger)),
      }));
      on = read(active);
    } catch (error) {
      failed(error);
    }
    draw();
  }
  function toggle(id, isOn, trigger = ALWAYS) {
    const next = new Map(on);
    if (isOn) next.set(id, trigger);
    else next.delete(id);
    return commit(next);
  }
  function draw() {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const isListed = ({ id, does }) => words.every((word) => `${id} ${does}`.toLowerCase().includes(word));
    const found = faults.filter(isListed);
    // What is on and is no violation is a broken shape: it was switched on elsewhere.
    const others = [...on.keys()]
      .filter((id) => !faults.some((one) => one.id === id))
      .map((id) => ({ id, does: 'Switched on elsewhere.', triggers: [] }));
    status.textContent = `${on.size} of ${count(faults.length, 'fault')} on${words.length > 0 ? `; ${found.length} listed` : ''}`;
    clear.disabled = on.size === 0;
    const focused = document.activeElement?.dataset?.fault;
    const isOn = ({ id }) => on.has(id);
    refill(
      list,
      [...others, ...faults.filter(isOn)].length > 0 &&
        h('ul', { class: 'switches' }, [...others, ...faults.filter(isOn)].map(row)),
      grouped(found.filter((fault) => !isOn(fault))).map((group) => groupOf(group, words.length > 0)),
      found.length === 0 && empty('No fault is like that'),
    );
    if (focused) list.querySelector(`[data-fault="${CSS.escape(focused)}"]`)?.focus();
  }
  /** Faults that a screen would notice in the same way; those that are on stand above the groups. */
  const groupOf = ({ id, title, faults: all }, isSearched) =>
    h(
      'details',
      {
        class: 'group',
        open: isSearched || opened.has(id),
        ontoggle: ({ target }) => void (isSearched || opened[target.open ? 'add' : 'delete'](id)),
      },
      h('summary', {}, title, ' ', badge(String(all.length))),
      h('ul', { class: 'switches' }, all.map(row)),
    );
  /** When a fault is committed: there is a choice once it is switched on. */
  const when = ({ id, triggers: fitting }) => {
    const trigger = on.get(id);
    return h(
      'label',
      { class: 'when' },
      h('span', { class: 'label' }, 'When'),
      select([[ALWAYS, 'always'], ...fitting.map((one) => [one, `${one}: ${whenOf.get(one) ?? ''}`])], trigger, {
        'data-fault': `${id} when`,
        onchange: ({ target }) => toggle(id, true, target.value),
      }),
    );
  };
  const row = ({ id, does, section, triggers: fitting }) =>
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
      on.has(id) && fitting.length > 0 && when({ id, triggers: fitting }),
    );
  draw();
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Faults'),
    h(
      'p',
      { class: 'hint' },
      'Ways to break the specification on purpose; a client can be tried against each, always or under a condition.',
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
    status,
    list,
  );
}
