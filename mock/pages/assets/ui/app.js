// The frame around the panels: which panel and session are shown, messages and questions, and the state of the session.
import { render } from 'preact';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { createApi } from './api.js';
import { agentsPanel } from './data/agents.js';
import { workspacesPanel } from './data/workspaces.js';
import {
  AppContext,
  Badge,
  Dialog,
  html,
  Links,
  Placeholder,
  Select,
  setQuery,
  useApp,
  useListener,
  useRead,
} from './elements.js';
import { OperationButton, operationsOf } from './form.js';
import { decoded } from './format.js';
import { createFeed, useFeed } from './journal/feed.js';
import { journalPanel } from './journal/journal.js';
import { behaviourPanel } from './settings/behaviour.js';
import { clockPanel } from './settings/clock.js';
import { plansPanel } from './settings/plans.js';
import { sessionsPanel } from './settings/sessions.js';
import { snapshotsPanel } from './settings/snapshots.js';
import { statesPanel } from './settings/states.js';
import { readSession, Strip, Time } from './strip.js';

/** A `View` gets what `read(app, rest)` resolved with as `data`, and the `rest` of the place. */
const panels = [
  journalPanel,
  statesPanel,
  agentsPanel,
  workspacesPanel,
  clockPanel,
  behaviourPanel,
  plansPanel,
  snapshotsPanel,
  sessionsPanel,
];
const CHECKED_EVERY = 10_000;
/** Milliseconds after a request, until what it may have changed is read. */
const CHECKED_AFTER = 200;
const SHOWN_FOR = 4000;
const RESET =
  'The session goes back to its beginning: data, clock, faults, settings, plans and journal. Snapshots stay.';

/** What the URL fragment names: `#agents/<id>/flow` is the panel of agents with the rest as its path. */
function currentPlace() {
  const [name, ...rest] = location.hash.slice(1).split('/').map(decoded);
  return { panel: panels.find(({ id }) => id === name) ?? journalPanel, rest };
}

/** Every fault, gap, profile and token, and the operations of the admin API: the same for every session. */
const shared = createApi('');
const [catalog, openapi] = await Promise.all([shared.get('/catalog'), shared.get('/openapi.json')]);
const operations = operationsOf(openapi);

const go = (hash) => void (location.hash = hash);

function App() {
  const [session, setSession] = useState(new URLSearchParams(location.search).get('session') ?? '');
  const [place, setPlace] = useState(currentPlace);
  const [state, setState] = useState();
  const [version, reload] = useReducer((n) => n + 1, 0);
  const [isHelped, setHelped] = useState(false);
  const { message, setMessage, report, fail } = useMessage();
  const api = useMemo(() => createApi(session), [session]);
  const feed = useMemo(() => createFeed(api, fail), [api]);
  /** What is read for a session that is no longer shown comes too late. */
  const latest = useRef();
  latest.current = api;
  /** What was done, until the panel shows it: a message that came sooner would promise what is not to be seen yet. */
  const done = useRef();

  const refresh = async () => {
    const next = await readSession(api);
    if (latest.current === api) setState(next);
  };
  const app = {
    api,
    feed,
    session,
    /** Goes up with each change: panels then read their data again. */
    version,
    catalog,
    operations,
    ...state,
    now: () => (state.clock.frozen ? state.clock.at : Date.now() + state.clock.offset),
    go,
    report,
    fail,
    refresh,
    reload,
    /** Runs an action, reads everything again and reports success; or reports the error, and resolves with nothing. */
    act: async (action, words) => {
      try {
        const answer = await action();
        done.current = typeof words === 'function' ? words(answer) : words;
        await refresh();
        reload();
        return answer ?? true;
      } catch (error) {
        fail(error);
      }
    },
    isShown: () => {
      if (done.current) report(done.current);
      done.current = undefined;
    },
    show: (id) => {
      setQuery({ session: id });
      setSession(id);
    },
  };

  useEffect(() => {
    feed.start();
    return feed.stop;
  }, [feed]);
  useEffect(() => {
    const check = () => void refresh().catch(fail);
    check();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && feed.state === 'open') check();
    }, CHECKED_EVERY);
    let soon;
    const stop = feed.subscribe((change) => {
      if (change === 'open') check();
      if (change === 'request') soon ??= setTimeout(() => ((soon = undefined), check()), CHECKED_AFTER);
    });
    return () => {
      clearInterval(timer);
      clearTimeout(soon);
      stop();
    };
  }, [feed]);
  // The link that skips the header has a fragment of its own.
  useListener(window, 'hashchange', () => location.hash !== '#panel' && setPlace(currentPlace()));
  useEffect(() => {
    document.title = `${place.panel.title} · Mock of the Agent Builder Service`;
    if (message?.kind === 'bad') setMessage(undefined);
  }, [place.panel]);
  useListener(document, 'keydown', (event) => {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    if (event.defaultPrevented || ctrlKey || altKey || metaKey || document.querySelector('dialog[open]')) return;
    // In a field, a key belongs to the field.
    const isField = target.matches('input:not([type=checkbox], [type=radio]), textarea, select');
    if (key === 'Escape' && (isField || place.rest.length === 0)) setMessage(undefined);
    else if (key === 'Escape') go(place.panel.id);
    if (isField || (key !== '/' && key !== '?')) return;
    event.preventDefault();
    if (key === '?') setHelped(true);
    else if (document.querySelector('#panel [type=search]')) document.querySelector('#panel [type=search]').focus();
    else location.hash = journalPanel.id;
  });

  const key = `${session} ${place.panel.id} ${place.panel.read && place.rest[0]}`;
  return html`<${AppContext.Provider} value=${app}>
    <header class="bar">
      <p class="name">
        <img src="../../docs/favicon.svg" alt="" width="24" height="24" /> <b>Agent Builder Service</b>
        <span>mock</span>
      </p>
      ${state && html`<${Status} panel=${place.panel} />`}
      <button type="button" class="plain" aria-label="Keys" title="Keys" onClick=${() => setHelped(true)}>?</button>
      ${state && html`<${Strip} />`}
    </header>
    <div class="frame">
      <${Links} class="menu" aria-label="Panels" items=${panels} current=${place.panel.id} />
      <main id="panel" tabindex="-1">${state && html`<${Panel} key=${key} ...${place} />`}</main>
    </div>
    ${message && html`<${Message} ...${message} close=${() => setMessage(undefined)} />`}
    ${isHelped && html`<${Keys} close=${() => setHelped(false)} />`}
  <//>`;
}

const keys = {
  '/': 'Search what is shown',
  '?': 'Show these keys',
  Escape: 'Close what is open, or a message',
  '↑ ↓ Home End': 'Move through the rows of a list',
  Enter: 'Open a row',
};

const Keys = ({ close }) =>
  html`<${Dialog} title="Keys" close=${close}>
    <dl class="headers">
      ${Object.entries(keys).map(([key, does]) => [html`<dt><kbd>${key}</kbd></dt>`, html`<dd>${does}</dd>`])}
    </dl>
  <//>`;

/** The current panel. It stays as it is while its data is read again. */
function Panel({ panel, rest }) {
  const app = useApp();
  const data = useRead(async () => panel.read?.(app, rest), [app.version]);
  useEffect(() => {
    if (data?.error) app.fail(data.error);
    else if (data) app.isShown();
  }, [data]);
  if (data?.error)
    return html`<div class="panel">
      <${Placeholder} title="This could not be read."><button onClick=${app.reload}>Try again</button><//>
    </div>`;
  return data && html`<div class=${`panel ${panel.id}`}><${panel.View} data=${data.value} rest=${rest} /></div>`;
}

/** Where one is: on a narrow screen the panel, the session, its world and its clock. */
function Status({ panel }) {
  const { session, sessions: all, show, health, feed } = useApp();
  const { persona, seed, profile } = health;
  const { state } = useFeed(feed);
  const ids = new Set(['', ...all.map(({ id }) => id), session]);
  const sessions = Array.from(ids, (id) => [id, id || 'Shared']);
  const reset = { id: 'reset', verb: 'Reset', done: 'The session is back at its beginning.' };
  const [kind, words] = { open: ['good', 'live'], connecting: ['warn', state], reconnecting: ['bad', state] }[state];
  const places = panels.map(({ id, title }) => [id, title]);
  return html`<${Select} class="narrow" aria-label="Panel" options=${places} value=${panel.id} choose=${go} />
    <${Select} aria-label="Session" options=${sessions} value=${session} choose=${show} />
    <a class="world" href="#behaviour" title="Persona, seed and profile of the session">
      ${persona} · seed ${seed} · ${profile ?? 'own profile'}
    </a>
    <${Time} />
    <${Badge} kind=${kind}>${words}<//>
    <${OperationButton} ...${reset} question=${RESET} after=${feed.start} />
    <a class="wide" href="../../docs/">Reference</a>`;
}

/** The latest message: one of success disappears by itself, an error stays until it is closed. */
function useMessage() {
  const [message, setMessage] = useState();
  useEffect(() => {
    if (message?.kind !== 'good') return;
    const timer = setTimeout(() => setMessage(undefined), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [message]);
  return {
    message,
    setMessage,
    report: (text) => setMessage({ text, kind: 'good' }),
    fail: (error) => setMessage({ text: String(error?.message ?? error), kind: 'bad' }),
  };
}

const Message = ({ text, kind, close }) =>
  html`<div key=${text} class=${`toast ${kind}`} role=${kind === 'bad' ? 'alert' : 'status'}>
    <p>${text}</p>
    <button class="plain" onClick=${close}>Close</button>
  </div>`;

const root = document.querySelector('#app');
root.replaceChildren();
render(html`<${App} />`, root);
