// The filters of the journal, which are part of the URL, so that they can be kept and shared.
import { filterForm, h, optionField, searchField } from '../elements/dom.js';
import { endpoints, UNMATCHED } from './entries.js';

const NAMES = ['text', 'endpoint', 'status'];
const STATUSES = ['2', '3', '4', '5'].map((digit) => [digit, `${digit}xx`]);

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
  filterForm(
    searchField('path, header, body …', wanted.text, (text) => filter({ text })),
    optionField('Endpoint', [...Object.entries(endpoints), [UNMATCHED, 'No endpoint']], wanted.endpoint, (endpoint) =>
      filter({ endpoint }),
    ),
    optionField('Status', STATUSES, wanted.status, (status) => filter({ status })),
    h('div', { class: 'actions' }, ...actions),
  );
