import { path } from '../api.js';
import { button, filterForm, h, optionField, refill, searchField } from '../elements/dom.js';
import { count } from '../elements/format.js';
import { failed } from '../elements/pieces.js';
import { newResult, showResult } from './result-dialog.js';
import { noRows, resultRows } from './result-rows.js';
import { columnsOf, isWantedResult, states } from './results-filter.js';

/** Rows that one step shows, and the most results that it loads for them. */
const STEP = 25;
const PAGE = 100;
const MOST_READ = 1000;

/** Results of an agent, newest first. It loads only as many as it needs to show enough matching ones. */
export function resultsTable(app, agentId) {
  const wanted = { text: '', state: '' };
  const reader = resultsReader(app.api, agentId);
  let goal = STEP;
  let turn = 0;
  const status = h('p', { class: 'hint', role: 'status' }, 'Reading the results …');
  const place = h('div', { class: 'scroll' });
  const more = h('div', { class: 'actions' });
  const found = () => reader.read().filter((result) => isWantedResult(result, wanted));

  async function show() {
    const mine = ++turn;
    const limit = reader.read().length + MOST_READ;
    try {
      while (found().length < goal && reader.read().length < Math.min(reader.total(), limit)) {
        const isMore = await reader.next();
        if (mine !== turn) return;
        if (!isMore) break;
      }
      draw();
    } catch (error) {
      failed(error);
    }
  }

  function draw() {
    const all = found();
    const shown = all.slice(0, goal);
    const [read, total] = [reader.read().length, reader.total()];
    status.textContent = statusOf(wanted, { shown: shown.length, found: all.length, read, total });
    const isMore = all.length > goal || read < total;
    more.replaceChildren(...(isMore ? [button('Show more', () => ((goal += STEP), show()))] : []));
    const open = (result) => showResult(app, agentId, result);
    refill(place, shown.length === 0 ? noRows(total) : resultRows(shown, columnsOf(reader.read()), app.now(), open));
  }

  const filter = (change) => {
    Object.assign(wanted, change);
    goal = STEP;
    void show();
  };
  void show();
  return h(
    'div',
    { class: 'results' },
    filters(filter, () => newResult(app, agentId)),
    status,
    place,
    more,
  );
}

/** Loads the results of an agent page by page. */
function resultsReader(api, agentId) {
  let read = [];
  let total = Infinity;
  return {
    read: () => read,
    total: () => total,
    /** Loads one more page; false if it is empty. */
    async next() {
      const page = await api.get(`${path`/agents/${agentId}/results`}?offset=${read.length}&limit=${PAGE}`);
      ({ total } = page);
      read = [...read, ...page.results];
      return page.results.length > 0;
    },
  };
}

const statusOf = ({ text, state }, { shown, found, read, total }) =>
  text !== '' || state !== ''
    ? `${shown} shown of ${count(found, 'match', 'matches')} in the newest ${count(read, 'result')}; ${total.toLocaleString('en')} in all`
    : `${shown} of ${count(total, 'result')}, newest first`;

const filters = (filter, create) =>
  filterForm(
    searchField('variable, answer, id …', '', (text) => filter({ text })),
    optionField('State', Object.entries(states), '', (state) => filter({ state })),
    h('div', { class: 'actions' }, button('New result', create)),
  );
