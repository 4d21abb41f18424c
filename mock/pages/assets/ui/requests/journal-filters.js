// The filters of the journal, which are part of the URL, so that they can be kept and shared.
import { field, h, select } from '../elements/dom.js';
import { endpoints, UNMATCHED } from './entries.js';

const NAMES = ['text', 'endpoint', 'status'];

export const wanted = Object.fromEntries(
  NAMES.map((name) => [name, new URLSearchParams(location.search).get(name) ?? '']),
);

export function want(change) {
  Object.assign(wanted, change);
  const query = new URLSearchParams(location.search);
  for (const name of NAMES) {
    if (wanted[name] === '') query.delete(name);
    else query.set(name, wanted[name]);
  }
  history.replaceState(null, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}${location.hash}`);
}

/** The filter fields, and the actions on the list; `filter(change)` is called for each change. */
export const filters = (filter, actions) =>
  h(
    'form',
    { class: 'filters', onsubmit: (event) => event.preventDefault() },
    field(
      'Search',
      h('input', {
        type: 'search',
        placeholder: 'path, header, body …',
        value: wanted.text,
        oninput: ({ target }) => filter({ text: target.value }),
      }),
    ),
    field(
      'Endpoint',
      select([['', 'All'], ...Object.entries(endpoints), [UNMATCHED, 'No endpoint']], wanted.endpoint, {
        onchange: ({ target }) => filter({ endpoint: target.value }),
      }),
    ),
    field(
      'Status',
      select([['', 'All'], ...['2', '3', '4', '5'].map((digit) => [digit, `${digit}xx`])], wanted.status, {
        onchange: ({ target }) => filter({ status: target.value }),
      }),
    ),
    h('div', { class: 'actions' }, ...actions),
  );
