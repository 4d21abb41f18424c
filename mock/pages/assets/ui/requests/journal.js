import { add, badge, button, empty, field, h, refill, select } from '../elements/dom.js';
import { endpoints, isWanted, remarksOf, UNMATCHED } from './entries.js';
import { toHar, toPostman } from './export-requests.js';
import { count, statusKind, timeOf } from '../elements/format.js';
import { agentPath, arrows, command, failed } from '../elements/pieces.js';
import { requestDetail } from './request-detail.js';

const AT_ONCE = 200;
/** Milliseconds between two announcements of new requests. */
const QUIET = 5000;

/** What is looked for, which the address says: it can be kept and sent to others. */
const NAMES = ['text', 'endpoint', 'status'];
const wanted = Object.fromEntries(NAMES.map((name) => [name, new URLSearchParams(location.search).get(name) ?? '']));

function want(change) {
  Object.assign(wanted, change);
  const query = new URLSearchParams(location.search);
  for (const name of NAMES) {
    if (wanted[name] === '') query.delete(name);
    else query.set(name, wanted[name]);
  }
  history.replaceState(null, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}${location.hash}`);
}

export const journal = {
  id: 'journal',
  title: 'Journal',
  open(root, app, [chosen]) {
    const { feed } = app;
    let selected = Number(chosen ?? 0);
    let paused;
    let most = AT_ONCE;
    const announce = announcer();

    const list = h('ol', { class: 'rows', onkeydown: (event) => arrows(event, [...list.querySelectorAll('.row')]) });
    const summary = h('p', { class: 'hint' });
    const pause = button('Pause', () => {
      paused = paused ? undefined : feed.entries();
      drawAll();
    });
    const clear = button('Clear', async () => {
      try {
        await app.api.remove('/requests');
        paused = undefined;
        feed.cleared();
      } catch (error) {
        failed(error);
      }
    });
    const detail = h('section', { class: 'detail', 'aria-label': 'Request', hidden: true });
    const layout = h('div', { class: 'split' }, h('div', { class: 'list' }, summary, list), detail);
    const filter = (change) => {
      want(change);
      most = AT_ONCE;
      drawAll();
    };
    add(root, heading(filter, [pause, clear, exports(app, () => visible())]), layout);

    const visible = () => (paused ?? feed.entries()).filter((entry) => isWanted(entry, wanted));

    function drawAll() {
      const all = paused ?? feed.entries();
      const found = visible();
      const held = feed.entries().filter(({ id }) => id > (all[0]?.id ?? 0)).length;
      pause.textContent = paused ? (held > 0 ? `Resume (${held} new)` : 'Resume') : 'Pause';
      clear.disabled = feed.entries().length === 0;
      summary.textContent = all.length === 0 ? '' : summaryOf(found.length, all.length);
      const hadFocus = list.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
      list.replaceChildren(...found.slice(0, most).map((entry) => h('li', {}, row(entry))));
      if (found.length > most)
        list.append(
          h(
            'li',
            {},
            button(`Show more (${found.length - most})`, () => ((most += AT_ONCE), drawAll()), { class: 'plain' }),
          ),
        );
      if (found.length === 0)
        list.append(
          h(
            'li',
            {},
            all.length > 0 ? nothingFound(app) : feed.isRead() ? firstSteps(app) : empty('Reading the journal …'),
          ),
        );
      if (hadFocus) list.querySelector(`[data-id="${hadFocus}"]`)?.focus();
    }

    const row = (entry) => rowOf(app, entry, entry.id === selected);

    function take(fresh) {
      if (paused || fresh === undefined || list.querySelector('.row') === null) return drawAll();
      const found = fresh.filter((entry) => isWanted(entry, wanted));
      list.prepend(...found.map((entry) => h('li', {}, row(entry))));
      while (list.childElementCount > most + 1) list.lastChild.remove();
      const [shown, all] = [visible().length, feed.entries().length];
      summary.textContent = summaryOf(shown, all);
      clear.disabled = false;
      announce(found.length);
    }

    async function showDetail(takesFocus = true) {
      markCurrent(list, selected);
      const isOpen = selected > 0;
      layout.classList.toggle('open', isOpen);
      detail.hidden = !isOpen;
      if (!isOpen) return detail.replaceChildren();
      const id = selected;
      try {
        const content = await requestDetail(app, id, () => app.go('journal'));
        if (id !== selected) return;
        refill(detail, content);
        detail.scrollTop = 0;
        if (takesFocus) detail.querySelector('h2').focus();
      } catch (error) {
        failed(error);
        app.go('journal');
      }
    }

    drawAll();
    void showDetail(false);
    const stop = feed.onChange(take);
    return {
      update([id]) {
        const before = selected;
        selected = Number(id ?? 0);
        void showDetail();
        if (selected === 0) (list.querySelector(`[data-id="${before}"]`) ?? list.querySelector('.row'))?.focus();
        return true;
      },
      escape() {
        if (selected === 0) return false;
        app.go('journal');
        return true;
      },
      close: stop,
    };
  },
};

function firstSteps(app) {
  return empty(
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
  );
}

/** The title, the filters and what else can be done with the list. */
const heading = (filter, actions) =>
  h(
    'div',
    { class: 'head' },
    h('h1', {}, 'Journal'),
    h(
      'form',
      { class: 'filters', onsubmit: (event) => event.preventDefault() },
      field(
        'Search',
        h('input', {
          type: 'search',
          placeholder: 'path, header, body …',
          value: wanted.text,
          oninput: ({ target }) => filter({ text: target.value }),
        }),
      ),
      field(
        'Endpoint',
        select([['', 'All'], ...Object.entries(endpoints), [UNMATCHED, 'No endpoint']], wanted.endpoint, {
          onchange: ({ target }) => filter({ endpoint: target.value }),
        }),
      ),
      field(
        'Status',
        select([['', 'All'], ...['2', '3', '4', '5'].map((digit) => [digit, `${digit}xx`])], wanted.status, {
          onchange: ({ target }) => filter({ status: target.value }),
        }),
      ),
      h('div', { class: 'actions' }, ...actions),
    ),
  );

/** What is shown, as files for other tools. */
function exports({ api }, visible) {
  const save = (name, content) => {
    const url = URL.createObjectURL(new Blob([JSON.stringify(content, undefined, 2)], { type: 'application/json' }));
    h('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  const kinds = {
    'requests.har': () => toHar(visible(), api.baseUrl()),
    'requests.postman_collection.json': () => toPostman(visible(), api.baseUrl()),
    'openapi.json': () => api.get('/service/openapi.json'),
  };
  const control = select(
    [
      ['', 'Export …'],
      ['requests.har', 'Requests as HAR'],
      ['requests.postman_collection.json', 'Requests for Postman or Bruno'],
      ['openapi.json', 'OpenAPI document'],
    ],
    '',
    {
      'aria-label': 'Export',
      onchange: async () => {
        const name = control.value;
        control.value = '';
        try {
          if (name !== '') save(name, await kinds[name]());
        } catch (error) {
          failed(error);
        }
      },
    },
  );
  return control;
}

const summaryOf = (shown, all) => (shown === all ? count(all, 'request') : `${shown} of ${count(all, 'request')}`);

function rowOf(app, entry, isSelected) {
  const { id, at, method, url, endpoint, response } = entry;
  return h(
    'button',
    {
      type: 'button',
      class: 'row',
      'data-id': id,
      'aria-current': isSelected ? 'true' : undefined,
      onclick: () => app.go(`journal/${id}`),
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
  );
}

function markCurrent(list, selected) {
  for (const one of list.querySelectorAll('.row')) {
    if (Number(one.dataset.id) === selected) one.setAttribute('aria-current', 'true');
    else one.removeAttribute('aria-current');
  }
}

const nothingFound = (app) =>
  empty(
    'No request is like that',
    button('Show all requests', () => {
      want({ text: '', endpoint: '', status: '' });
      app.redraw();
    }),
  );

/** New requests are told together and now and then, not one by one. */
function announcer() {
  let unsaid = 0;
  let lastSaid = Date.now();
  return (found) => {
    unsaid += found;
    if (unsaid === 0 || Date.now() - lastSaid < QUIET) return;
    document.querySelector('#announcer').textContent = count(unsaid, 'new request');
    unsaid = 0;
    lastSaid = Date.now();
  };
}
