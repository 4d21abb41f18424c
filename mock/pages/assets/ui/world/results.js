import { path } from '../api.js';
import { badge, button, empty, field, h, refill, select } from '../elements/dom.js';
import { count, dayAndTime, short } from '../elements/format.js';
import { jsonView } from '../elements/json-view.js';
import { failed } from '../elements/pieces.js';
import { columnsOf, isWantedResult, stateOf, states, valueOf } from './results-filter.js';

/** Rows that one step shows, and results that are read for them at the most. */
const STEP = 25;
const PAGE = 100;
const MOST_READ = 1000;

const kinds = { completed: 'good', started: 'plain', untouched: 'warn' };

/** Results of an agent, newest first, read as far as needed to show so many that are wanted. */
export function resultsTable({ api, now }, agentId) {
  const wanted = { text: '', state: '' };
  let read = [];
  let total = Infinity;
  let goal = STEP;
  let turn = 0;
  const status = h('p', { class: 'hint', role: 'status' });
  const place = h('div', { class: 'scroll' });
  const more = h('div', { class: 'actions' });

  const filter = (change) => {
    Object.assign(wanted, change);
    goal = STEP;
    void show();
  };
  const found = () => read.filter((result) => isWantedResult(result, wanted));

  async function show() {
    const mine = ++turn;
    const limit = read.length + MOST_READ;
    try {
      while (found().length < goal && read.length < Math.min(total, limit)) {
        const page = await api.get(`${path`/agents/${agentId}/results`}?offset=${read.length}&limit=${PAGE}`);
        if (mine !== turn) return;
        ({ total } = page);
        read = [...read, ...page.results];
        if (page.results.length === 0) break;
      }
      draw();
    } catch (error) {
      failed(error);
    }
  }

  function draw() {
    const all = found();
    const shown = all.slice(0, goal);
    const columns = columnsOf(read);
    const isFiltered = wanted.text !== '' || wanted.state !== '';
    status.textContent = isFiltered
      ? `${shown.length} shown of ${count(all.length, 'match', 'matches')} in the newest ${count(read.length, 'result')}; ${total.toLocaleString('en')} in all`
      : `${shown.length} of ${count(total, 'result')}, newest first`;
    more.replaceChildren(
      ...(all.length > goal || read.length < total ? [button('Show more', () => ((goal += STEP), show()))] : []),
    );
    refill(
      place,
      shown.length === 0
        ? empty(
            total === 0 ? 'No results yet' : 'No result is like that',
            h(
              'p',
              {},
              total === 0
                ? 'Open "Add results" above to let the mock make some up.'
                : 'Take a word away, or show more to search further back.',
            ),
          )
        : h(
            'table',
            {},
            h('caption', { class: 'unseen' }, 'Results'),
            h(
              'thead',
              {},
              h(
                'tr',
                {},
                ['Created', 'State', ...columns, 'From'].map((title) => h('th', { scope: 'col' }, title)),
              ),
            ),
            h(
              'tbody',
              {},
              shown.map((result) => resultRow(result, columns)),
            ),
          ),
    );
  }

  function resultRow(result, columns) {
    const { createdAt, metadata, isArchived } = result;
    const isAhead = Date.parse(createdAt) > now();
    const from = [metadata?.location?.city, metadata?.location?.country, metadata?.device?.type]
      .filter(Boolean)
      .join(', ');
    const state = stateOf(result);
    return h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row' },
        button(dayAndTime(createdAt), () => showResult(result), { class: 'link' }),
      ),
      h(
        'td',
        {},
        badge(state === 'untouched' ? 'not started' : state, kinds[state]),
        isArchived === true && [' ', badge('archived')],
        isAhead && [' ', badge('ahead', 'accent', 'Created later than it is by the clock')],
      ),
      columns.map((name) => h('td', { title: String(valueOf(result, name)) }, short(valueOf(result, name), 40))),
      h('td', { class: 'quiet' }, from),
    );
  }

  void show();
  return h(
    'div',
    { class: 'results' },
    h(
      'form',
      { class: 'filters', onsubmit: (event) => event.preventDefault() },
      field(
        'Search',
        h('input', {
          type: 'search',
          placeholder: 'variable, answer, id …',
          oninput: ({ target }) => filter({ text: target.value }),
        }),
      ),
      field(
        'State',
        select([['', 'All'], ...Object.entries(states)], '', {
          onchange: ({ target }) => filter({ state: target.value }),
        }),
      ),
    ),
    status,
    place,
    more,
  );
}

function showResult(result) {
  const dialog = h(
    'dialog',
    { class: 'sheet', 'aria-label': 'Result', onclose: () => dialog.remove() },
    h(
      'header',
      {},
      h('h2', {}, `Result of ${dayAndTime(result.createdAt)}`),
      button('Close', () => dialog.close(), { class: 'close' }),
    ),
    answersOf(result),
    h('h3', {}, 'As it is stored'),
    jsonView(result, 1),
  );
  document.body.append(dialog);
  dialog.showModal();
}

function answersOf({ answers }) {
  if (!Array.isArray(answers) || answers.length === 0) return h('p', { class: 'hint' }, 'No answers were given.');
  return [
    h('h3', {}, count(answers.length, 'answer')),
    h(
      'ol',
      { class: 'answers' },
      answers.map((answer) =>
        h(
          'li',
          {},
          h('time', { class: 'quiet' }, dayAndTime(answer?.createdAt)),
          h('p', {}, String(answer?.content ?? ''), ' ', answer?.isSecure === true && badge('secure', 'accent')),
          Array.isArray(answer?.attachedFileUrls) &&
            answer.attachedFileUrls.length > 0 &&
            h('p', { class: 'quiet' }, count(answer.attachedFileUrls.length, 'file')),
        ),
      ),
    ),
  ];
}
