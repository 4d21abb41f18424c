// What several panels need. Texts in templates stay texts: nothing from a request is ever markup.
import { createContext, h } from 'preact';
import { useContext, useEffect, useReducer, useRef, useState } from 'preact/hooks';
import htm from 'htm';

export const html = htm.bind(h);

/** The session that is shown, and what panels may do with it; app.js describes its members. */
export const AppContext = createContext();
export const useApp = () => useContext(AppContext);

/** The time of the session's clock in milliseconds, each second anew. */
export function useNow() {
  const { now } = useApp();
  const [, redraw] = useReducer((n) => n + 1, 0);
  useEffect(() => {
    const timer = setInterval(redraw, 1000);
    return () => clearInterval(timer);
  }, []);
  return now();
}

export function useListener(target, type, listener) {
  useEffect(() => {
    target.addEventListener(type, listener);
    return () => target.removeEventListener(type, listener);
  });
}

/** What `read` resolved with as `{ value }`, or its `{ error }`, read anew for other `keys`; the latest reading counts. */
export function useRead(read, keys) {
  const [found, setFound] = useState();
  useEffect(() => {
    let isCurrent = true;
    read()
      .then((value) => isCurrent && setFound({ value }))
      .catch((error) => isCurrent && setFound({ error }));
    return () => (isCurrent = false);
  }, keys);
  return found;
}

/** Changes parameters in the address of the page; empty ones go. */
export function setQuery(change) {
  const query = Object.entries({ ...Object.fromEntries(new URLSearchParams(location.search)), ...change });
  const search = String(new URLSearchParams(query.filter(([, value]) => value !== '')));
  history.replaceState(null, '', `${location.pathname}${search && `?${search}`}${location.hash}`);
}

/** Handles the submission of a form; `does(fields, verb)` gets its values by name, and the value of the button. */
export const submit = (does) => (event) => {
  event.preventDefault();
  void does(Object.fromEntries(new FormData(event.target)), event.submitter?.value);
};

export const Badge = ({ kind = 'plain', title, children }) =>
  html`<span class=${`badge ${kind}`} title=${title}>${children}</span>`;

/** The badge of a status; no status stands for a broken connection. */
export function StatusBadge({ status }) {
  const kinds = { 2: 'good', 3: 'plain', 4: 'warn' };
  return html`<${Badge} kind=${kinds[String(status)[0]] ?? 'bad'}>${status ?? 'broken'}<//>`;
}

export const Placeholder = ({ title, children }) =>
  html`<div class="empty">
    <h3>${title}</h3>
    ${children}
  </div>`;

export const Field = ({ label, hint, children }) =>
  html`<label class="field">
    <span class="label">${label}</span>
    ${children} ${hint && html`<span class="hint">${hint}</span>`}
  </label>`;

/** `options` are pairs of a value and its title; `choose(value)` is called for each change. */
export const Select = ({ options, value, choose, ...attributes }) =>
  html`<select ...${attributes} value=${value} onChange=${({ target }) => choose?.(target.value)}>
    ${options.map(([key, title]) => html`<option key=${key} value=${key} selected=${key === value}>${title}</option>`)}
  </select>`;

export const Search = ({ placeholder, value, search }) =>
  html`<${Field} label="Search">
    <input type="search" placeholder=${placeholder} value=${value} onInput=${({ target }) => search(target.value)} />
  <//>`;

/** The icon of an agent or a workspace if it is a character (a URL is not loaded), and its name. */
export const Name = ({ icon, name }) => [
  icon &&
    html`<span class="icon" aria-hidden="true">${typeof icon === 'string' && icon.length < 16 ? icon : '·'}</span>`,
  html`<span>${name}</span>`,
];

/** A part that is folded; its content is made when it is first opened. */
export function Fold({ title, open = false, children, ...attributes }) {
  const [isMade, setMade] = useState(open);
  return html`<details ...${attributes} open=${open} onToggle=${({ target }) => target.open && setMade(true)}>
    <summary>${title}</summary>
    ${isMade && children}
  </details>`;
}

/** A modal dialog; `close` is called when it was closed, also by Escape. */
export function Dialog({ title, close, children, ...attributes }) {
  const dialog = useRef();
  useEffect(() => dialog.current.showModal(), []);
  return html`<dialog ref=${dialog} aria-label=${title} onClose=${close} ...${attributes}>
    <header>
      <h2>${title}</h2>
      <button type="button" class="close" onClick=${() => dialog.current.close()}>Close</button>
    </header>
    ${children}
  </dialog>`;
}

export function CopyButton({ text, children, ...attributes }) {
  const { fail } = useApp();
  const [isCopied, setCopied] = useState(false);
  const press = async () => {
    try {
      await copy(await text());
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } catch (error) {
      fail(error);
    }
  };
  return html`<button type="button" ...${attributes} onClick=${press}>${isCopied ? 'Copied' : children}</button>`;
}

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // A page over plain HTTP from another machine has only this clipboard API.
  const area = Object.assign(document.createElement('textarea'), { value: text, className: 'unseen' });
  document.body.append(area);
  area.select();
  area.remove();
  const isDone = document.execCommand('copy');
  if (!isDone) throw new Error('The browser does not let this page copy.');
}

/** A request to the service with the session's token, as a command to copy; the mock writes it. */
export function Command({ path, headers, body, baseUrl }) {
  const { api, target, fail } = useApp();
  const [line, setLine] = useState('');
  const request = {
    method: body && 'POST',
    url: `${baseUrl ?? api.baseUrl}${path}`,
    headers: { Authorization: `Bearer ${target.token}`, ...headers },
    body: body && JSON.stringify(body),
  };
  if (body) request.headers['Content-Type'] = 'application/json';
  const text = JSON.stringify(request);
  useEffect(() => void api.post('/curl', JSON.parse(text)).then(({ curl }) => setLine(curl), fail), [text]);
  return html`<div class="command">
    <pre tabindex="0"><code>${line}</code></pre>
    <${CopyButton} text=${() => line}>Copy<//>
  </div>`;
}

/** The path of an agent; the template if the world has none. */
export const agentPath = ({ agentId }) => `/api/v1/agents/${encodeURIComponent(agentId || 'an-agent')}`;

/** Links of which one is current. `items` are `{ id, title }`; their addresses begin with `hash`. */
export function Links({ items, current, hash = '', ...attributes }) {
  const list = useRef();
  useEffect(() => {
    list.current.querySelector('[aria-current]').scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return html`<nav ref=${list} ...${attributes}>
    ${items.map(
      ({ id, title }) =>
        html`<a key=${id} href=${`#${hash}${id}`} aria-current=${id === current ? 'page' : undefined}>${title}</a>`,
    )}
  </nav>`;
}

/** Moves the focus through the rows of a list with arrows, Home and End. */
export function moveInRows(event) {
  const rows = [...event.currentTarget.querySelectorAll('.row')];
  const place = rows.indexOf(document.activeElement);
  const next = { ArrowDown: place + 1, ArrowUp: Math.max(0, place - 1), Home: 0, End: rows.length - 1 }[event.key];
  if (place < 0 || next === undefined) return;
  event.preventDefault();
  rows[Math.min(next, rows.length - 1)].focus();
}
