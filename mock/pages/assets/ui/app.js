// The frame around the panels: which panel and session are shown, messages and questions, and the state of the session.
import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createApi } from './api.js';
import { agents } from './data/agents.js';
import { workspaces } from './data/workspaces.js';
import { AppContext, Badge, Empty, html, Select, Tabs, useApp, useNow } from './elements.js';
import { OperationButton, operationsOf } from './form.js';
import { count, dayAndTime } from './format.js';
import { createFeed, useFeed } from './journal/feed.js';
import { journal } from './journal/journal.js';
import { behaviour } from './settings/behaviour.js';
import { clock } from './settings/clock.js';
import { plans } from './settings/plans.js';
import { sessions } from './settings/sessions.js';
import { snapshots } from './settings/snapshots.js';
import { states } from './settings/states.js';

/**
 * Each with an id, a title, and a `View`, which gets what `read(app, rest)` resolved with as `data`, and the `rest` of
 * the place.
 */
const panels = [journal, states, agents, workspaces, clock, behaviour, plans, snapshots, sessions];
const CHECKED_EVERY = 10_000;
const MOST_MESSAGES = 4;
const RESET =
  'The session goes back to its beginning: data, clock, faults, settings, plans and journal. Snapshots stay.';

/** What the URL fragment names: `#agents/<id>/flow` is the panel of agents with the rest as its path. */
function currentPlace() {
  const [name, ...rest] = location.hash.slice(1).split('/').map(decoded);
  return { panel: panels.find(({ id }) => id === name) ?? journal, rest };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const go = (hash) => void (location.hash = hash);

function App() {
  const [session, setSession] = useState(new URLSearchParams(location.search).get('session') ?? '');
  const [place, setPlace] = useState(currentPlace);
  const [state, setState] = useState();
  const [version, setVersion] = useState(0);
  const { messages, report, fail, closeMessage, closeErrors } = useMessages();
  const [question, setQuestion] = useState();
  const api = useMemo(() => createApi(session), [session]);
  const feed = useMemo(() => createFeed(api, fail), [api]);
  /** The part that never changes: read once. */
  const constants = useRef();

  const refresh = async () => {
    constants.current ??= await Promise.all([api.get('/catalog'), api.get('/openapi.json').then(operationsOf)]);
    setState(await readState(api));
  };
  const app = {
    api,
    feed,
    session,
    /** Goes up with each change: panels then read their data again. */
    version,
    /** Every fault, gap, profile and token. */
    catalog: constants.current?.[0],
    /** The operations of the admin API. */
    operations: constants.current?.[1],
    ...state,
    now: () => (state.clock.frozen ? state.clock.at : Date.now() + state.clock.offset),
    go,
    report,
    fail,
    refresh,
    reload: () => setVersion((n) => n + 1),
    /** Runs an action, reports success and reads everything again; or reports the error, and resolves with nothing. */
    act: async (action, done) => {
      try {
        const answer = await action();
        if (done) report(typeof done === 'function' ? done(answer) : done);
        await refresh();
        setVersion((n) => n + 1);
        return answer ?? true;
      } catch (error) {
        fail(error);
      }
    },
    /** Asks before data is lost. Resolves with the answer. */
    confirm: (text, verb) => new Promise((answer) => setQuestion({ text, verb, answer })),
    /** Shows another session. */
    show: (id) => {
      const query = new URLSearchParams(location.search);
      query.set('session', id);
      if (id === '') query.delete('session');
      history.replaceState(null, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}${location.hash}`);
      setSession(id);
    },
  };

  useEffect(() => {
    feed.start();
    return feed.stop;
  }, [feed]);
  useEffect(() => {
    void refresh().catch(fail);
    const isShown = () => document.visibilityState === 'visible' && feed.state === 'open';
    const timer = setInterval(() => isShown() && void refresh().catch(fail), CHECKED_EVERY);
    const stop = feed.subscribe((change) => change === 'open' && void refresh().catch(fail));
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [feed]);
  useEffect(() => {
    const move = () => setPlace(currentPlace());
    window.addEventListener('hashchange', move);
    return () => window.removeEventListener('hashchange', move);
  }, []);
  useEffect(() => {
    document.title = `${place.panel.title} · Mock of the Agent Builder Service`;
    closeErrors();
  }, [place.panel]);
  useEffect(() => {
    const press = (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      // In a field, Escape belongs to the field.
      const isField = event.target.matches('input:not([type=checkbox]), textarea, select');
      if (!isField && place.rest.length > 0) go(place.panel.id);
      else closeMessage();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });

  const key = `${session} ${place.panel.id} ${place.panel.read && place.rest[0]}`;
  return html`<${AppContext.Provider} value=${app}>
    <header class="bar">
      <p class="name">
        <img src="favicon.svg" alt="" width="24" height="24" /> <b>Agent Builder Service</b> <span>mock</span>
      </p>
      <div class="status">${state && html`<${StatusLine} />`}</div>
    </header>
    <div class="frame">
      <nav aria-label="Panels">
        <${Menu} current=${place.panel.id} />
      </nav>
      <main id="panel" role="tabpanel" aria-labelledby=${`tab-${place.panel.id}`} tabindex="-1">
        ${state && html`<${Panel} key=${key} ...${place} />`}
      </main>
    </div>
    <${Messages} messages=${messages} close=${closeMessage} />
    ${question && html`<${Question} ...${question} close=${() => setQuestion(undefined)} />`}
  <//>`;
}

/** What the header shows, and the ids for examples: another profile has other ids. */
async function readState(api) {
  const [{ now, frozen }, target, { standing }, health, { sessions: all }] = await Promise.all(
    ['/clock', '/target', '/standing', '/health', '/sessions'].map(api.get),
  );
  const at = Date.parse(now);
  /** `offset` is the difference between the session's clock and the browser's, in milliseconds. */
  return { clock: { offset: at - Date.now(), frozen, at }, target, standing, health, sessions: all };
}

/** The current panel. It stays as it is while its data is read again. */
function Panel({ panel, rest }) {
  const app = useApp();
  const [data, setData] = useState();
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      try {
        const value = await panel.read?.(app, rest);
        if (isCurrent) setData({ value });
        if (isCurrent) setFailed(false);
      } catch (error) {
        if (!isCurrent) return;
        app.fail(error);
        setFailed(true);
      }
    };
    void read();
    return () => (isCurrent = false);
  }, [app.version]);
  if (isFailed)
    return html`<div class="panel">
      <${Empty} title="This could not be read."><button onClick=${app.reload}>Try again</button><//>
    </div>`;
  return data && html`<div class=${`panel ${panel.id}`}><${panel.View} data=${data.value} rest=${rest} /></div>`;
}

function Menu({ current }) {
  const wide = useMemo(() => matchMedia('(min-width: 60rem)'), []);
  const [isWide, setWide] = useState(wide.matches);
  useEffect(() => {
    const change = () => setWide(wide.matches);
    wide.addEventListener('change', change);
    return () => wide.removeEventListener('change', change);
  }, []);
  const orientation = isWide ? 'vertical' : 'horizontal';
  const attributes = { class: 'menu', 'aria-label': 'Panels', 'aria-orientation': orientation, controls: 'panel' };
  return html`<${Tabs} ...${attributes} items=${panels} current=${current} select=${go} />`;
}

function StatusLine() {
  const { session, sessions: all, show, standing, health, feed, ...app } = useApp();
  const { persona, seed, profile } = health;
  const { frozen } = app.clock;
  const { state } = useFeed(feed);
  const at = new Date(useNow()).toISOString();
  const ids = [...new Set(['', ...all.map(({ id }) => id), session])];
  const kind = { open: 'good', connecting: 'warn', reconnecting: 'bad' }[state];
  return html`<${Select}
      aria-label="Session"
      options=${ids.map((id) => [id, id || 'Shared session'])}
      value=${session}
      choose=${show}
    />
    <a class="world" href="#behaviour" title="Persona, seed and profile of the session">
      ${persona} · seed ${seed} · ${profile ?? 'own profile'}
    </a>
    <span class="reading">
      <time
        class=${frozen && 'frozen'}
        datetime=${at}
        title=${`The clock of the session${frozen ? ', standing still' : ''} (UTC)`}
      >
        ${dayAndTime(at)}:${at.slice(17, 19)}
      </time>
      ${standing.length > 0 && html`<a class="badge warn" href="#states">${count(standing.length, 'state')} on</a>`}
      <${Badge} kind=${kind}>${state === 'open' ? 'live' : state}<//>
    </span>
    <${OperationButton}
      id="reset"
      ask=${RESET}
      verb="Reset"
      done="The session is back at its beginning."
      after=${feed.start}
    />
    <a href="../../docs/">Reference</a>`;
}

/** Messages: those of success disappear by themselves; errors stay until they are closed, or something succeeds. */
function useMessages() {
  const [messages, setMessages] = useState([]);
  const others = (text) => (list) => list.filter((message) => message.text !== text);
  const withoutErrors = (list) => list.filter(({ isError }) => !isError);
  return {
    messages,
    report: (text) => {
      setMessages((list) => [...withoutErrors(others(text)(list)), { text }]);
      setTimeout(() => setMessages(others(text)), 4000);
    },
    fail: (error) => {
      const text = error instanceof Error ? error.message : String(error);
      setMessages((list) => [...others(text)(list), { text, isError: true }].slice(-MOST_MESSAGES));
    },
    /** Closes a message, or the oldest one, errors first. */
    closeMessage: (text) => {
      setMessages((list) => others(text ?? (list.find(({ isError }) => isError) ?? list[0])?.text)(list));
    },
    closeErrors: () => setMessages(withoutErrors),
  };
}

const Messages = ({ messages, close }) =>
  html`<div class="toasts">
    ${messages.map(
      ({ text, isError }) =>
        html`<div key=${text} class=${`toast ${isError ? 'bad' : ''}`} role=${isError ? 'alert' : 'status'}>
          <p>${text}</p>
          ${isError && html`<button class="plain" onClick=${() => close(text)}>Close</button>`}
        </div>`,
    )}
  </div>`;

function Question({ text, verb, answer, close }) {
  const dialog = useRef();
  useEffect(() => dialog.current.showModal(), []);
  const end = () => {
    close();
    answer(dialog.current.returnValue === 'yes');
  };
  return html`<dialog class="question" ref=${dialog} onClose=${end}>
    <p>${text}</p>
    <div class="actions">
      <button type="button" onClick=${() => dialog.current.close('no')}>Cancel</button>
      <button type="button" class="danger" onClick=${() => dialog.current.close('yes')}>${verb}</button>
    </div>
  </dialog>`;
}

render(html`<${App} />`, document.querySelector('#app'));
