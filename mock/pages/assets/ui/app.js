// The frame around the panels: the current panel and session, the clock, and the state of the stream.
import { agents } from './world/agents.js';
import { createApi } from './api.js';
import { behaviour } from './settings/behaviour.js';
import { clock } from './elements/clock.js';
import { badge, button, h, refill, select } from './elements/dom.js';
import { createFeed } from './requests/feed.js';
import { count, dayAndTime } from './elements/format.js';
import { journal } from './requests/journal.js';
import { closeToast, closeTroubles, failed, sure, tabs, told } from './elements/pieces.js';
import { plans } from './settings/plans.js';
import { sessions } from './settings/sessions.js';
import { snapshots } from './settings/snapshots.js';
import { statesPanel } from './settings/states.js';
import { worldButton } from './settings/world.js';
import { workspaces } from './world/workspaces.js';

const panels = [journal, statesPanel, agents, workspaces, clock, behaviour, plans, snapshots, sessions];
const CHECKED_EVERY = 10_000;

const panel = document.querySelector('#panel');
let session = new URLSearchParams(location.search).get('session') ?? '';
let shown;
let opened = 0;

const api = createApi(() => session);
const feed = createFeed(api, failed);

/** What panels may use. */
const app = {
  api,
  feed,
  panel,
  get session() {
    return session;
  },
  /** The difference between the session's clock and the browser's, in milliseconds, and whether it is stopped. */
  clock: { offset: 0, frozen: true, at: Date.now() },
  now: () => (app.clock.frozen ? app.clock.at : Date.now() + app.clock.offset),
  /** Tokens and ids of the mock. */
  target: {},
  catalog: undefined,
  /** Every fault, gap, profile and token; loaded once. */
  async read() {
    app.catalog ??= await api.get('/catalog');
    return app.catalog;
  },
  go(hash) {
    if (location.hash === `#${hash}`) void open();
    else location.hash = hash;
  },
  /** Redraws the panel. */
  redraw: () => open(true),
  /** Runs an action, reports success and redraws the panel; or reports the error. */
  async act(doing, done) {
    try {
      const answer = await doing();
      if (done) told(typeof done === 'function' ? done(answer) : done);
      await readState();
      await open(true);
      return answer;
    } catch (error) {
      failed(error);
      return undefined;
    }
  },
  async look(id) {
    session = id;
    const query = new URLSearchParams(location.search);
    if (id === '') query.delete('session');
    else query.set('session', id);
    history.replaceState(null, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}${location.hash}`);
    feed.restart();
    await refresh();
    await open(true);
  },
  refresh,
};

const menu = tabs('Panels', panels, (id) => app.go(id), { class: 'menu', controls: 'panel' });
document.querySelector('#nav').append(menu.element);
panel.setAttribute('role', 'tabpanel');
for (const [i, one] of [...menu.element.children].entries()) one.id = `tab-${panels[i].id}`;
const wide = matchMedia('(min-width: 60rem)');
const orient = () => menu.element.setAttribute('aria-orientation', wide.matches ? 'vertical' : 'horizontal');
wide.addEventListener('change', orient);
orient();

/** Shows what the URL fragment names: `#agents/<id>/flow` is the panel of agents with the rest as its path. */
async function open(again = false) {
  const [name, ...rest] = location.hash.slice(1).split('/').map(decoded);
  const wanted = panels.find(({ id }) => id === name) ?? journal;
  if (!again && shown?.panel === wanted && shown.handle?.update?.(rest)) return;
  const turn = ++opened;
  const kept = again ? focusedPlace() : undefined;
  if (shown && shown.panel !== wanted) closeTroubles();
  menu.mark(wanted.id);
  panel.setAttribute('aria-labelledby', `tab-${wanted.id}`);
  document.title = `${wanted.title} · Mock of the Agent Builder Service`;
  const root = h('div', { class: `panel ${wanted.id}` });
  try {
    const handle = await wanted.open(root, app, rest);
    if (turn !== opened) return void handle?.close?.();
    shown?.handle?.close?.();
    shown = { panel: wanted, handle };
  } catch (error) {
    if (turn !== opened) return;
    failed(error);
    root.replaceChildren(
      h(
        'p',
        { class: 'empty' },
        'This could not be read. ',
        button('Try again', () => open(true)),
      ),
    );
  }
  panel.replaceChildren(root);
  restoreFocus(kept);
}

/** Where the focus is, so that a redraw can restore it. */
function focusedPlace() {
  const { activeElement } = document;
  if (!panel.contains(activeElement)) return undefined;
  const all = focusable();
  return { place: all.indexOf(activeElement), of: all.length, text: activeElement.textContent };
}
const focusable = () => [...panel.querySelectorAll('button, input, select, textarea, a[href], summary')];
function restoreFocus(kept) {
  if (!kept || kept.place < 0) return;
  const all = focusable();
  const there = all[kept.place];
  // When items come or go, the same text is a better guide than the same position.
  const same =
    all.length === kept.of ? there : all.find(({ textContent }) => kept.text !== '' && textContent === kept.text);
  (same ?? there ?? panel).focus();
}

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

// The status line: session, clock, stream.

const chooser = h('span', {});
const world = worldButton(app);
const time = h('time', { class: 'now' });
const light = h('span', { class: 'light' });
/** The number of endpoints with another state, visible in every panel, since nothing else explains such answers. */
const standing = h('span', {});
document
  .querySelector('#status')
  .append(
    chooser,
    world.element,
    h('span', { class: 'reading' }, time, standing, light),
    button('Reset', reset, { title: 'Reset the session to its beginning' }),
    h('a', { href: '../../docs/' }, 'Reference'),
  );

async function reset() {
  const what = session === '' ? 'The shared session' : `The session ${session}`;
  if (
    !(await sure(
      `${what} goes back to its beginning: data, clock, faults, settings, plans and journal. Snapshots stay.`,
      'Reset',
    ))
  )
    return;
  await app.act(async () => {
    await api.post('/reset');
    feed.restart();
  }, 'The session is back at its beginning.');
}

async function refresh() {
  try {
    const [{ sessions: all }] = await Promise.all([api.get('/sessions'), readState()]);
    const ids = [...new Set(['', ...all.map(({ id }) => id), session])];
    const control = select(
      ids.map((id) => [id, id === '' ? 'Shared session' : id]),
      session,
      { 'aria-label': 'Session', onchange: ({ target }) => app.look(target.value) },
    );
    const before = chooser.firstChild;
    if (before && [...before.options].map(({ value }) => value).join('\n') === ids.join('\n')) before.value = session;
    else if (before !== document.activeElement || before === null) chooser.replaceChildren(control);
  } catch (error) {
    failed(error);
  }
}

/** The clock, and the ids for examples: another profile has other ids. */
async function readState() {
  const [{ now, frozen }, target, { standing: others }, health] = await Promise.all([
    api.get('/clock'),
    api.get('/target'),
    api.get('/standing'),
    api.get('/health'),
  ]);
  app.target = target;
  world.show(health);
  refill(
    standing,
    others.length > 0 && h('a', { class: 'badge warn', href: '#states' }, `${count(others.length, 'state')} on`),
  );
  const at = Date.parse(now);
  app.clock = { offset: at - Date.now(), frozen, at };
  tick();
}

function tick() {
  const at = new Date(app.now()).toISOString();
  time.dateTime = at;
  time.textContent = `${dayAndTime(at)}:${at.slice(17, 19)}`;
  time.title = app.clock.frozen ? 'The clock of the session, standing still (UTC)' : 'The clock of the session (UTC)';
  time.classList.toggle('frozen', app.clock.frozen);
  document.dispatchEvent(new CustomEvent('tick'));
}

feed.onState((state) => {
  const words = { open: ['live', 'good'], connecting: ['connecting', 'warn'], reconnecting: ['reconnecting', 'bad'] };
  light.replaceChildren(badge(...words[state]));
  if (state === 'open') void refresh();
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
  // In a field, Escape belongs to the field.
  if (event.target.matches('input:not([type=checkbox]), textarea, select')) return void closeToast();
  if (shown?.handle?.escape?.()) event.preventDefault();
  else if (closeToast()) event.preventDefault();
});
window.addEventListener('hashchange', () => void open());
setInterval(tick, 1000);
setInterval(() => {
  if (document.visibilityState === 'visible' && feed.state() === 'open') void refresh();
}, CHECKED_EVERY);

feed.start();
await refresh();
await open();
