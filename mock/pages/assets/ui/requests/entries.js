// How the journal's entries are searched and marked. No DOM: this is tested in Node.js.
import { span } from '../elements/format.js';

export { endpoints } from '../generated/endpoints.js';

/** Stands for requests that belong to no endpoint. */
export const UNMATCHED = 'none';

/**
 * Whether an entry matches. Every word of `text` must occur in it, in any case; `endpoint` is an id or {@link
 * UNMATCHED}; `status` is the first digit. Empty strings match everything.
 */
export function isWanted(entry, { text = '', endpoint = '', status = '' }) {
  if (endpoint === UNMATCHED ? entry.wasMatched : endpoint !== '' && entry.endpoint !== endpoint) return false;
  if (status !== '' && String(entry.response.status)[0] !== status) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => searchable(entry).includes(word));
}

const texts = new WeakMap();

function searchable(entry) {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const { id, method, url, endpoint, headers, body, response, plan, applied } = entry;
  const text = [
    `#${id} ${method} ${decoded(url)} ${url} ${endpoint ?? ''} ${response.status ?? 'broken'} ${plan ?? ''}`,
    ...[applied, headers, body, response.headers, response.body].map((part) => JSON.stringify(part)),
  ]
    .join('\n')
    .toLowerCase();
  texts.set(entry, text);
  return text;
}

function decoded(url) {
  try {
    return decodeURIComponent(url);
  } catch {
    return '';
  }
}

/** What was unusual about an exchange, as short remarks. */
export function remarksOf({ wasMatched, response: { delivery }, violations, applied, plan }) {
  const { delay = 0, rate, connection } = delivery ?? {};
  return [
    ...(wasMatched ? [] : [{ text: 'no endpoint', kind: 'warn', title: 'The request belongs to no endpoint' }]),
    ...(connection === undefined
      ? []
      : [{ text: connection.toLowerCase().replaceAll('_', ' '), kind: 'bad', title: 'The connection was broken' }]),
    ...(delay > 0 ? [{ text: `+${span(delay)}`, kind: 'plain', title: 'The answer was delayed' }] : []),
    ...(rate === undefined ? [] : [{ text: `${rate} B/s`, kind: 'plain', title: 'The answer was sent slowly' }]),
    ...(plan === null
      ? []
      : plan === 'standing'
        ? [{ text: 'state', kind: 'accent', title: 'The endpoint was in a state that is not the usual one' }]
        : [{ text: plan, kind: 'accent', title: 'A plan shaped the answer' }]),
    ...(applied.length === 0 ? [] : [{ text: 'preferred', kind: 'accent', title: applied.join(', ') }]),
    ...(violations.length === 0
      ? []
      : [
          {
            text: `${violations.length} ${violations.length === 1 ? 'warning' : 'warnings'}`,
            kind: 'bad',
            title: violations[0].message,
          },
        ]),
  ];
}
