import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  agentPath,
  Badge,
  Command,
  Placeholder,
  Field,
  html,
  moveInRows,
  Search,
  Select,
  setQuery,
  StatusBadge,
  useApp,
} from '../elements.js';
import { OperationButton } from '../form.js';
import { bytes, counted, durationText, timeOf, jsonText } from '../format.js';
import { endpoints } from '../generated/endpoints.js';
import { isWanted, remarksOf, toHar, UNMATCHED } from './entries.js';
import { useFeed } from './feed.js';
import { RequestDetail } from './request.js';

const ANNOUNCED_EVERY = 5000;
const ALL = ['', 'All'];
/** With the text that is searched, these filters are part of the URL, so that they can be kept and shared. */
const FILTERS = {
  endpoint: { label: 'Endpoint', options: [ALL, ...Object.entries(endpoints), [UNMATCHED, 'No endpoint']] },
  status: { label: 'Status', options: [ALL, ...['2', '3', '4', '5'].map((digit) => [digit, `${digit}xx`])] },
};
const NONE = { text: '', endpoint: '', status: '' };

const clearing = { id: 'clearRequests', verb: 'Clear', done: '' };

export const journalPanel = { id: 'journal', title: 'Journal', View: Journal };

function Journal({ rest: [id = '0'] }) {
  const { feed } = useApp();
  const { entries, isRead } = useFeed(feed);
  const [wanted, filter] = useFilters();
  const isFound = useFinder(wanted);
  const found = entries.filter(isFound);
  const selected = Number(id);
  const list = useFocusAfterDetail(selected);
  const rowOf = useRows(selected);
  return html`<div class="head">
      <h1>Journal</h1>
      <form class="filters" onSubmit=${(event) => event.preventDefault()}>
        <${Search} placeholder="path, header, body …" value=${wanted.text} search=${(text) => filter({ text })} />
        ${Object.entries(FILTERS).map(
          ([name, { label, options }]) =>
            html`<${Field} label=${label}>
              <${Select} options=${options} value=${wanted[name]} choose=${(choice) => filter({ [name]: choice })} />
            <//>`,
        )}
        <div class="actions">
          <${OperationButton} ...${clearing} disabled=${entries.length === 0} after=${feed.clear} />
          <${Export} entries=${found} />
        </div>
      </form>
    </div>
    <${Announcer} count=${found.length} />
    <div class="split">
      <div class="list stack">
        <p class="hint">
          ${found.length < entries.length && `${found.length} of `}${counted(entries.length, 'request')}
        </p>
        ${found.length === 0 && html`<${Note} isRead=${isRead} isEmpty=${entries.length === 0} filter=${filter} />`}
        <ol class="rows" aria-label="Requests" ref=${list} hidden=${found.length === 0} onKeyDown=${moveInRows}>
          ${found.map(rowOf)}
        </ol>
      </div>
      ${selected > 0 && html`<${RequestDetail} id=${selected} />`}
    </div>`;
}

function useFilters() {
  const [wanted, setWanted] = useState(() => {
    const query = new URLSearchParams(location.search);
    return Object.fromEntries(Object.keys(NONE).map((name) => [name, query.get(name) ?? '']));
  });
  const filter = (change) => {
    const next = { ...wanted, ...change };
    setWanted(next);
    setQuery(next);
  };
  return [wanted, filter];
}

/** Whether an entry matches the filters. Verdicts are kept until these change. */
function useFinder(wanted) {
  return useMemo(() => {
    const verdicts = new WeakMap();
    return (entry) => {
      if (!verdicts.has(entry)) verdicts.set(entry, isWanted(entry, wanted));
      return verdicts.get(entry);
    };
  }, [wanted]);
}

/** The list, whose row gets the focus when the request that it opened is closed. */
function useFocusAfterDetail(selected) {
  const list = useRef();
  const before = useRef(selected);
  useEffect(() => {
    const row = list.current.querySelector(`[data-id="${before.current}"]`) ?? list.current.querySelector('.row');
    if (selected === 0 && before.current > 0) row?.focus();
    before.current = selected;
  }, [selected]);
  return list;
}

/** Makes the row of an entry; one that is not selected stays as it is, for there may be a thousand. */
function useRows(selected) {
  const rows = useMemo(() => new WeakMap(), []);
  return (entry) => {
    const key = `${entry.id} ${entry.at}`;
    if (entry.id === selected) return html`<${Row} key=${key} entry=${entry} isSelected />`;
    if (!rows.has(entry)) rows.set(entry, html`<${Row} key=${key} entry=${entry} />`);
    return rows.get(entry);
  };
}

function Row({ entry, isSelected }) {
  const { id, at, method, url, endpoint, response, duration } = entry;
  const { go } = useApp();
  return html`<li>
    <button type="button" class="row" data-id=${id} aria-current=${isSelected} onClick=${() => go(`journal/${id}`)}>
      <time datetime=${at} title=${at}>${timeOf(at)}</time>
      <span class="method">${method}</span>
      <${StatusBadge} status=${response.status} />
      <span class="endpoint">${endpoints[endpoint] ?? 'No endpoint'}</span>
      <span class="path" title=${url}>${url}</span>
      <span class="remarks">
        ${remarksOf(entry).map(({ kind, text, title }) => html`<${Badge} kind=${kind} title=${title}>${text}<//>`)}
      </span>
      <span class="measure" title="From the request to the end of its answer">${durationText(duration)}</span>
      <span class="measure" title="The body of the answer">${bytes(response.size)}</span>
    </button>
  </li>`;
}

/** Downloads for other tools: the shown requests, their description, and the data behind them. */
function Export({ entries }) {
  const { api, fail, reload } = useApp();
  const files = {
    'requests.har': { title: 'Requests as HAR' },
    'openapi.json': { title: 'OpenAPI document', from: '/service/openapi.json' },
    'world.json': { title: 'The world as a seed file', from: '/seed' },
  };
  const save = async (file) => {
    try {
      const { from } = files[file];
      const value = from === undefined ? toHar(entries, api.baseUrl) : await api.get(from);
      const href = URL.createObjectURL(new Blob([jsonText(value)], { type: 'application/json' }));
      Object.assign(document.createElement('a'), { href, download: file }).click();
      setTimeout(() => URL.revokeObjectURL(href), 1000);
    } catch (error) {
      fail(error);
    }
    reload();
  };
  const options = Object.entries(files).map(([file, { title }]) => [file, title]);
  return html`<${Select} aria-label="Export" options=${[['', 'Export …'], ...options]} value="" choose=${save} />`;
}

/** Tells screen readers how many requests are listed, now and then. */
function Announcer({ count }) {
  const latest = useRef();
  latest.current = count;
  const [announced, setAnnounced] = useState(count);
  useEffect(() => {
    const timer = setInterval(() => setAnnounced(latest.current), ANNOUNCED_EVERY);
    return () => clearInterval(timer);
  }, []);
  return html`<p class="unseen" aria-live="polite">${counted(announced, 'request')} listed</p>`;
}

function Note({ isRead, isEmpty, filter }) {
  const { target } = useApp();
  if (!isEmpty)
    return html`<${Placeholder} title="No request matches"
      ><button onClick=${() => filter(NONE)}>Show all requests</button><//
    >`;
  if (!isRead) return html`<div role="status"><${Placeholder} title="Reading the journal …" /></div>`;
  return html`<${Placeholder} title="No request yet">
    <p>Every request to the mock appears here as it comes. Send the first one:</p>
    <${Command} path=${agentPath(target)} />
    <p>Or create a workspace:</p>
    <${Command} path="/api/v1/workspaces" body=${{ name: 'First workspace' }} />
    <p class="hint">The <a href="../../docs/">reference</a> lets you try every operation from the browser.</p>
  <//>`;
}
