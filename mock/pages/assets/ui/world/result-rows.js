import { badge, button, empty, h } from '../elements/dom.js';
import { dayAndTime, short } from '../elements/format.js';
import { stateOf, valueOf } from './results-filter.js';

const kinds = { completed: 'good', started: 'plain', untouched: 'warn' };

/** Results as a table; `open` is called with the chosen one. */
export const resultRows = (results, columns, now, open) =>
  h(
    'table',
    {},
    h('caption', { class: 'unseen' }, 'Results'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ['Created', 'State', ...columns, 'From'].map((title) => h('th', { scope: 'col' }, title)),
      ),
    ),
    h(
      'tbody',
      {},
      results.map((result) => row(result, columns, now, open)),
    ),
  );

/** The placeholder if no result is shown. */
export const noRows = (total) =>
  total === 0
    ? empty('No results yet', h('p', {}, 'Write one, or generate some with "Add results" above.'))
    : empty('No result matches', h('p', {}, 'Use fewer words, or show more results to search further back.'));

function row(result, columns, now, open) {
  const { createdAt, metadata, isArchived } = result;
  const from = [metadata?.location?.city, metadata?.location?.country, metadata?.device?.type];
  const state = stateOf(result);
  return h(
    'tr',
    {},
    h(
      'th',
      { scope: 'row' },
      button(dayAndTime(createdAt), () => open(result), { class: 'link' }),
    ),
    h(
      'td',
      {},
      badge(state === 'untouched' ? 'not started' : state, kinds[state]),
      isArchived === true && [' ', badge('archived')],
      Date.parse(createdAt) > now && [' ', badge('ahead', 'accent', 'Created later than the time of the clock')],
    ),
    columns.map((name) => h('td', { title: String(valueOf(result, name)) }, short(valueOf(result, name), 40))),
    h('td', { class: 'quiet' }, from.filter(Boolean).join(', ')),
  );
}
