// Edits JSON by hand, with the errors of its schema beside it.
import { button, empty, h, refill } from '../elements/dom.js';
import { count } from '../elements/format.js';

const ASKED_AFTER = 300;

/**
 * A field with the JSON of `value`. `check(edited)` returns its errors, as `{ at, expected, actual }`; `save(edited)`
 * applies it. For something new, `verb` is the title of the button, and it may be saved unchanged.
 */
export function editor(label, value, { check, save, verb }) {
  const text = JSON.stringify(value, undefined, 2);
  const troubles = h('div', { class: 'troubles', role: 'status' });
  const keep = h('button', { disabled: verb === undefined }, verb ?? 'Save');
  const area = h('textarea', { rows: 24, spellcheck: 'false', 'aria-label': label, value: text, oninput: later });
  let waiting;
  let asked = 0;

  function later() {
    keep.disabled = true;
    clearTimeout(waiting);
    waiting = setTimeout(() => void judge(), ASKED_AFTER);
  }
  async function judge() {
    const turn = ++asked;
    const { edited, wrong } = parsed(area.value);
    const errors = wrong ?? (await check(edited).catch((error) => [{ at: '', message: error.message }]));
    if (turn !== asked) return;
    refill(troubles, told(errors));
    keep.disabled = errors.length > 0 || (verb === undefined && area.value === text);
  }
  refill(troubles, told([]));
  return h(
    'form',
    {
      class: 'editor',
      onsubmit: (event) => {
        event.preventDefault();
        const { edited } = parsed(area.value);
        if (edited) void save(edited);
      },
    },
    area,
    troubles,
    h(
      'div',
      { class: 'actions' },
      keep,
      button('As it was', () => ((area.value = text), later())),
    ),
  );
}

/** The object in a text, or what is wrong with it. */
function parsed(text) {
  try {
    const edited = JSON.parse(text);
    if (typeof edited === 'object' && edited !== null && !Array.isArray(edited)) return { edited };
    return { wrong: [{ at: '', message: 'This is JSON, but not an object.' }] };
  } catch (error) {
    return { wrong: [{ at: '', message: error.message }] };
  }
}

const told = (errors) =>
  errors.length === 0
    ? empty('It is valid', h('p', {}, 'It matches its schema.'))
    : [
        h('h3', {}, count(errors.length, 'error')),
        h(
          'ul',
          {},
          errors.map(({ at, expected, actual, message }) =>
            h('li', {}, at && h('code', {}, at), ' ', message ?? `must be ${expected}; it is ${actual}`),
          ),
        ),
      ];
