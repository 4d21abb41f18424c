import { path } from '../api.js';
import { add, badge, button, empty, field, h, nameInput, refill, select } from '../elements/dom.js';
import { count } from '../elements/format.js';
import { jsonView } from '../elements/json-view.js';
import { failed, sure } from '../elements/pieces.js';

const NOW = '*';
const MOST_STEPS = 200;
const kinds = { add: 'good', remove: 'bad', replace: 'accent' };

export const snapshots = {
  id: 'snapshots',
  title: 'Snapshots',
  async open(root, { api, act }) {
    const { snapshots: names } = await api.get('/snapshots');
    const difference = h('section', { class: 'card', 'aria-live': 'polite', hidden: true });
    const compare = (from, to) => showDifference(api, difference, from, to);
    const first = 'Take one before a test. Afterwards, restore it, or see what the test changed.';
    add(
      root,
      h('div', { class: 'head' }, h('h1', {}, 'Snapshots')),
      newSnapshot(api, act),
      names.length === 0
        ? empty('No snapshot yet', h('p', {}, first))
        : h(
            'ul',
            { class: 'tiles' },
            names.map((one) => card({ api, act, compare }, one, names)),
          ),
      difference,
    );
  },
};

function newSnapshot(api, act) {
  const name = nameInput('name', '[\\w.\\-]{1,100}', 'before-import');
  const submit = (event) => {
    event.preventDefault();
    void act(() => api.put(path`/snapshots/${name.value}`), `Kept as ${name.value}.`);
  };
  return h(
    'form',
    { class: 'card', onsubmit: submit },
    h('h2', {}, 'Take a snapshot'),
    h('p', { class: 'hint' }, 'Saves data and clock under a name, and replaces an older snapshot of that name.'),
    h('div', { class: 'fields' }, field('Name', name, 'Letters, digits, dots, hyphens and underscores')),
    h('div', { class: 'actions' }, h('button', { class: 'strong' }, 'Take it')),
  );
}

function card({ api, act, compare }, one, names) {
  const to = select([[NOW, 'now'], ...names.filter((other) => other !== one).map((other) => [other, other])], NOW, {
    'aria-label': `Compare ${one} with`,
  });
  const restore = async () => {
    if (await sure(`Restore data and clock from ${one}? Later changes are lost.`, 'Restore'))
      await act(() => api.post(path`/snapshots/${one}/restore`), `Data and clock are restored from ${one}.`);
  };
  const forget = () => act(() => api.remove(path`/snapshots/${one}`), `${one} is forgotten.`);
  return h(
    'li',
    { class: 'card' },
    h('h2', {}, one),
    h('div', { class: 'actions' }, button('Restore', restore), button('Delete', forget, { class: 'danger' })),
    h(
      'div',
      { class: 'compare' },
      h('span', { class: 'label' }, 'Compare with'),
      to,
      button('Show', () => compare(one, to.value)),
    ),
  );
}

async function showDifference(api, place, from, to) {
  try {
    const steps = await api.get(`${path`/snapshots/${from}/diff`}${to === NOW ? '' : path`?to=${to}`}`);
    place.hidden = false;
    refill(
      place,
      h('h2', {}, `From ${from} to ${to === NOW ? 'now' : to}`),
      steps.length === 0
        ? h('p', { class: 'hint' }, 'Nothing is different.')
        : [
            h('p', { class: 'hint' }, `${count(steps.length, 'step')} of JSON Patch`),
            h('ol', { class: 'steps' }, steps.slice(0, MOST_STEPS).map(stepRow)),
          ],
      steps.length > MOST_STEPS && h('p', { class: 'hint' }, `and ${steps.length - MOST_STEPS} more`),
    );
    place.scrollIntoView({ block: 'nearest' });
  } catch (error) {
    failed(error);
  }
}

const stepRow = ({ op, path: at, value }) =>
  h('li', {}, badge(op, kinds[op]), ' ', h('code', {}, at), value !== undefined && jsonView(value, 0));
