import { badge, h } from '../elements/dom.js';
import { bytes, span, statusKind, timeOf } from '../elements/format.js';
import { endpoints, remarksOf } from './entries.js';

/** A key for what a row shows: rows with the same key look the same. */
export const rowKey = ({ id, at, method, url, response }) => [id, at, method, response.status, url].join(' ');

/** One request of the journal, as a button that opens it. */
export function journalRow(entry, isSelected, open) {
  const { id, at, method, url, endpoint, response, duration } = entry;
  return h(
    'button',
    {
      type: 'button',
      class: 'row',
      'data-id': id,
      'aria-current': isSelected ? 'true' : undefined,
      onclick: () => open(id),
    },
    h('time', { datetime: at, title: at }, timeOf(at)),
    h('span', { class: `method ${method.toLowerCase()}` }, method),
    badge(response.status ?? 'broken', statusKind(response.status)),
    h('span', { class: 'endpoint' }, endpoints[endpoint] ?? 'No endpoint'),
    h('span', { class: 'path', title: url }, url),
    h(
      'span',
      { class: 'remarks' },
      remarksOf(entry).map(({ text, kind, title }) => badge(text, kind, title)),
    ),
    h('span', { class: 'measure', title: 'From the request to the end of its answer' }, span(duration)),
    h('span', { class: 'measure', title: 'The body of the answer' }, bytes(response.size)),
  );
}
