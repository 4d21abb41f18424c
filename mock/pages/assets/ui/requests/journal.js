import { add, button, empty, h, refill } from '../elements/dom.js';
import { count } from '../elements/format.js';
import { longList } from '../elements/long-list.js';
import { agentPath, command, failed } from '../elements/pieces.js';
import { isWanted } from './entries.js';
import { exportChoice } from './journal-exports.js';
import { filters, want, wanted } from './journal-filters.js';
import { journalRow, rowKey } from './journal-row.js';
import { requestDetail } from './request-detail.js';

/** Milliseconds between announcements of new requests. */
const QUIET = 5000;

export const journal = {
  id: 'journal',
  title: 'Journal',
  open(root, app, [chosen]) {
    const { feed } = app;
    let paused;
    const list = longList({
      label: 'Requests',
      keyOf: rowKey,
      rowOf: (entry) => journalRow(entry, entry.id === detail.selected(), (id) => app.go(`journal/${id}`)),
    });
    const summary = h('p', { class: 'hint' });
    const note = h('div', {});
    const pause = button('Pause', () => {
      paused = paused ? undefined : feed.entries();
      draw();
    });
    const clear = button('Clear', () => clearJournal(app).then((isDone) => isDone && (paused = undefined)));
    const visible = found(() => paused ?? feed.entries());
    const filter = (change) => {
      want(change);
      visible.forget();
      draw();
    };
    const pane = h('section', { class: 'detail', 'aria-label': 'Request', hidden: true });
    const layout = h('div', { class: 'split' }, h('div', { class: 'list' }, summary, note, list.element), pane);
    const detail = detailPane(app, layout, pane, list, Number(chosen ?? 0));
    const heading = h('div', { class: 'head' }, h('h1', {}, 'Journal'));
    add(heading, filters(filter, [pause, clear, exportChoice(app, visible.all)]));
    add(root, heading, layout);

    function draw() {
      const all = paused ?? feed.entries();
      const shown = visible.all();
      pause.textContent = paused ? resumeWords(feed.entries(), all) : 'Pause';
      clear.disabled = feed.entries().length === 0;
      summary.textContent = all.length === 0 ? '' : summaryOf(shown.length, all.length);
      list.element.hidden = shown.length === 0;
      list.show(shown);
      drawNote(
        note,
        app,
        shown.length > 0 ? 'none' : all.length > 0 ? 'filtered' : feed.isRead() ? 'first' : 'loading',
      );
    }

    draw();
    void detail.show(false);
    const stop = follow(feed, visible, () => paused !== undefined, oncePerFrame(draw));
    return {
      update: ([id]) => detail.choose(Number(id ?? 0)),
      escape() {
        if (detail.selected() === 0) return false;
        app.go('journal');
        return true;
      },
      close() {
        stop();
        list.close();
      },
    };
  },
};

/** Draws new entries, and shows how many match; returns a function that stops it. */
function follow(feed, visible, isPaused, soon) {
  const announce = announcer();
  return feed.onChange((fresh) => {
    if (fresh === undefined) visible.forget();
    else if (!isPaused()) announce(fresh.filter((entry) => isWanted(entry, wanted)).length);
    soon();
  });
}

function resumeWords(entries, shown) {
  const held = entries.filter(({ id }) => id > (shown[0]?.id ?? 0)).length;
  return held > 0 ? `Resume (${held} new)` : 'Resume';
}

/** The placeholder for the list; redrawn only when it changes. */
function drawNote(note, app, kind) {
  if (note.dataset.kind === kind) return;
  note.dataset.kind = kind;
  refill(note, notes[kind](app));
}

/** The matching entries. Results are cached until the filters change. */
function found(entries) {
  let verdicts = new WeakMap();
  const isFound = (entry) => {
    if (!verdicts.has(entry)) verdicts.set(entry, isWanted(entry, wanted));
    return verdicts.get(entry);
  };
  return { all: () => entries().filter(isFound), forget: () => void (verdicts = new WeakMap()) };
}

/** A batch of requests is drawn at once. */
function oncePerFrame(draw) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      draw();
    });
  };
}

async function clearJournal({ api, feed }) {
  try {
    await api.remove('/requests');
    feed.cleared();
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}

/** The selected request, beside the list. */
function detailPane(app, layout, pane, list, first) {
  let selected = first;
  async function show(takesFocus = true) {
    for (const one of list.element.querySelectorAll('.row')) {
      if (Number(one.dataset.id) === selected) one.setAttribute('aria-current', 'true');
      else one.removeAttribute('aria-current');
    }
    const isOpen = selected > 0;
    layout.classList.toggle('open', isOpen);
    pane.hidden = !isOpen;
    if (!isOpen) return pane.replaceChildren();
    const id = selected;
    try {
      const content = await requestDetail(app, id, () => app.go('journal'));
      if (id !== selected) return;
      refill(pane, content);
      pane.scrollTop = 0;
      if (takesFocus) pane.querySelector('h2').focus();
    } catch (error) {
      failed(error);
      app.go('journal');
    }
  }
  return {
    selected: () => selected,
    show,
    choose(id) {
      const before = selected;
      selected = id;
      void show();
      if (selected === 0 && !list.focus(before)) list.element.querySelector('.row')?.focus();
      return true;
    },
  };
}

/** The placeholder if there are no requests. */
const notes = {
  none: () => [],
  loading: () => h('div', { role: 'status' }, empty('Reading the journal …')),
  filtered: (app) =>
    empty(
      'No request matches',
      button('Show all requests', () => {
        want({ text: '', endpoint: '', status: '' });
        app.redraw();
      }),
    ),
  first: (app) =>
    empty(
      'No request yet',
      h('p', {}, 'Every request to the mock appears here as it comes. Send the first one:'),
      command(app, { path: agentPath(app.target) }),
      h('p', {}, 'Or create a workspace:'),
      command(app, { path: '/api/v1/workspaces', body: { name: 'First workspace' } }),
      h(
        'p',
        { class: 'hint' },
        'The ',
        h('a', { href: '../../docs/' }, 'reference'),
        ' lets you try every operation from the browser.',
      ),
    ),
};

const summaryOf = (shown, all) => (shown === all ? count(all, 'request') : `${shown} of ${count(all, 'request')}`);

/** Announces new requests in batches, not one by one. */
function announcer() {
  let unsaid = 0;
  let lastSaid = Date.now();
  return (fresh) => {
    unsaid += fresh;
    if (unsaid === 0 || Date.now() - lastSaid < QUIET) return;
    document.querySelector('#announcer').textContent = count(unsaid, 'new request');
    unsaid = 0;
    lastSaid = Date.now();
  };
}
