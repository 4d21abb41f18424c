// JSON that is edited by hand, with what its schema says of it beside it.
import { button, empty, h, refill } from '../elements/dom.js';
import { count } from '../elements/format.js';

const ASKED_AFTER = 300;

/**
 * A field with the JSON of `value`. `check(edited)` gives what is wrong with it, as `{ at, expected, actual }`; `save(edited)`
 * takes it over.
 */
export function editor(label, value, { check, save }) {
  const text = JSON.stringify(value, undefined, 2);
  const troubles = h('div', { class: 'troubles', role: 'status' });
  const keep = h('button', { disabled: true }, 'Save');
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
    const edited = parsed();
    const errors = edited && (await check(edited).catch((error) => [{ at: '', message: error.message }]));
    if (turn !== asked) return;
    if (errors) show(errors);
    keep.disabled = errors === undefined || errors.length > 0 || area.value === text;
  }
  /** The edited value; `undefined`, and said so, where it is no JSON. */
  function parsed() {
    try {
      const edited = JSON.parse(area.value);
      if (typeof edited === 'object' && edited !== null && !Array.isArray(edited)) return edited;
      show([{ at: '', message: 'This is JSON, and no object.' }]);
    } catch (error) {
      show([{ at: '', message: error.message }]);
    }
    return undefined;
  }
  function show(errors) {
    refill(
      troubles,
      errors.length === 0
        ? empty('Nothing is wrong with it', h('p', {}, 'Its schema takes it as it stands here.'))
        : [
            h('h3', {}, count(errors.length, 'error')),
            h(
              'ul',
              {},
              errors.map(({ at, expected, actual, message }) =>
                h('li', {}, at && h('code', {}, at), ' ', message ?? `must be ${expected}; it is ${actual}`),
              ),
            ),
          ],
    );
  }
  show([]);
  return h(
    'form',
    {
      class: 'editor',
      onsubmit: (event) => {
        event.preventDefault();
        const edited = parsed();
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
