import { path } from '../api.js';
import { badge, button, h } from '../elements/dom.js';
import { endpoints } from './entries.js';
import { bytes, dayAndTime, span, statusKind, timeOf } from '../elements/format.js';
import { jsonView } from '../elements/json-view.js';
import { copyButton } from '../elements/pieces.js';
import { resend } from './resend.js';

/** One request beside its answer, and everything known about them. */
export async function requestDetail(app, id, close) {
  const { api } = app;
  const entry = await api.get(path`/requests/${id}`);
  const misses = entry.wasMatched ? [] : await nearMisses(api, id);
  const { buttons, form } = resend(app, entry);
  return h(
    'article',
    {},
    heading(entry, close),
    h(
      'div',
      { class: 'actions' },
      buttons,
      entry.curl !== null && copyButton('Copy as curl', () => entry.curl),
      entry.test !== null && copyButton('Copy as test', () => entry.test),
    ),
    form,
    misses.length > 0 && nearest(misses),
    entry.violations.length > 0 && warnings(entry.violations),
    influences(entry),
    h(
      'div',
      { class: 'sides' },
      side('Request', entry, 'No body was sent.'),
      side('Answer', entry.response, 'The body is empty.'),
    ),
  );
}

const heading = ({ id, at, method, url, endpoint, agentId, response, duration }, close) => [
  h(
    'header',
    {},
    h(
      'h2',
      { tabindex: -1 },
      h('span', { class: `method ${method.toLowerCase()}` }, method),
      ' ',
      h('span', { class: 'url' }, url),
    ),
    button('Close', close, { class: 'close', title: 'Escape closes it too' }),
  ),
  h(
    'p',
    { class: 'facts' },
    badge(response.status ?? 'broken', statusKind(response.status)),
    h('span', {}, endpoints[endpoint] ?? 'No endpoint'),
    h('span', {}, `#${id}`),
    h('span', { title: 'From the request to the end of its answer' }, span(duration)),
    h(
      'time',
      { datetime: at, title: 'By the clock of the session (UTC)' },
      `${dayAndTime(at).slice(0, 10)} ${timeOf(at)}`,
    ),
    agentId && h('a', { href: `#agents/${encodeURIComponent(agentId)}` }, 'Show the agent'),
  ),
];

const warnings = (violations) =>
  h(
    'section',
    { class: 'note bad' },
    h('h3', {}, 'Warnings'),
    h(
      'ul',
      {},
      violations.map(({ location, severity, message }) =>
        h(
          'li',
          {},
          badge(severity, severity === 'Error' ? 'bad' : 'warn'),
          ' ',
          h('code', {}, location.join('/')),
          ' ',
          message,
        ),
      ),
    ),
  );

/** What shaped the answer besides the data. */
function influences({ plan, applied, response: { delivery } }) {
  if (plan === null && applied.length === 0 && delivery === null) return undefined;
  const { delay, rate, connection } = delivery ?? {};
  return h(
    'section',
    { class: 'note' },
    h('h3', {}, 'What shaped the answer'),
    h(
      'ul',
      {},
      plan !== null && h('li', {}, 'Plan ', h('a', { href: '#plans' }, plan)),
      applied.map((one) => h('li', {}, 'Preference ', h('code', {}, one))),
      delay > 0 && h('li', {}, `Delayed by ${span(delay)}`),
      rate !== undefined && h('li', {}, `Sent at ${rate} bytes a second`),
      connection !== undefined && h('li', {}, 'Connection fault ', h('code', {}, connection)),
    ),
  );
}

async function nearMisses(api, id) {
  const { nearMisses: all } = await api.get('/requests/unmatched/near-misses');
  return all.find(({ request }) => request.id === id)?.endpoints ?? [];
}

const nearest = (misses) =>
  h(
    'section',
    { class: 'note warn' },
    h('h3', {}, 'It belongs to no endpoint; these are the nearest'),
    h(
      'ol',
      {},
      misses.map(({ endpoint, method, path: wanted, differences }) =>
        h(
          'li',
          {},
          h('code', {}, `${method} ${wanted}`),
          ` ${endpoints[endpoint] ?? endpoint}`,
          h(
            'ul',
            {},
            differences.map((one) => h('li', {}, one)),
          ),
        ),
      ),
    ),
  );

const side = (title, { headers, body, size }, none) =>
  h(
    'section',
    { class: 'side' },
    h('h3', {}, title),
    h(
      'details',
      { open: true },
      h('summary', {}, 'Body ', size > 0 && h('span', { class: 'quiet' }, bytes(size))),
      body === null
        ? h('p', { class: 'hint' }, none)
        : [
            typeof body === 'string' ? h('pre', { tabindex: 0 }, body) : jsonView(body),
            h(
              'div',
              { class: 'actions' },
              copyButton('Copy body', () => (typeof body === 'string' ? body : JSON.stringify(body, undefined, 2))),
            ),
          ],
    ),
    h(
      'details',
      {},
      h('summary', {}, `Headers (${Object.keys(headers).length})`),
      h(
        'dl',
        { class: 'headers' },
        Object.entries(headers).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
      ),
    ),
  );
