// One result, to read, edit or remove; or a new one, written by hand.
import { path } from '../api.js';
import { badge, button, h } from '../elements/dom.js';
import { count, dayAndTime } from '../elements/format.js';
import { jsonView } from '../elements/json-view.js';
import { sure } from '../elements/pieces.js';
import { editor } from './editor.js';

/** Shows a result of an agent. */
export function showResult({ api, act }, agentId, result) {
  const address = path`/agents/${agentId}/results/${result.id ?? ''}`;
  const edit = h(
    'details',
    {
      ontoggle: () => {
        if (!edit.open || edit.childElementCount > 1) return;
        edit.append(
          editor('The result as JSON', result, {
            check: async (edited) => (await api.put(`${address}?check=true`, { result: edited })).errors,
            save: (edited) => changed(act(() => api.put(address, { result: edited }), 'The result is changed.')),
          }),
        );
      },
    },
    h('summary', {}, 'Edit'),
  );
  const remove = async () => {
    if (await sure('The result will be gone.', 'Delete'))
      changed(act(() => api.remove(address), 'The result is gone.'));
  };
  const dialog = opened(
    `Result of ${dayAndTime(result.createdAt)}`,
    answersOf(result),
    h('details', {}, h('summary', {}, 'As it is stored'), jsonView(result, 1)),
    // A result without an id cannot be addressed.
    result.id !== undefined && [edit, h('div', { class: 'actions' }, button('Delete', remove, { class: 'danger' }))],
  );
  const changed = (done) => void done.then((answer) => answer && dialog.close());
}

/** Asks for a new result; the mock fills in what it lacks. */
export function newResult({ api, act, now }, agentId) {
  const results = path`/agents/${agentId}/results`;
  const draft = {
    createdAt: new Date(now()).toISOString(),
    hasStarted: true,
    isCompleted: true,
    variables: [{ id: 'v1', name: 'Email', value: 'ada@example.com' }],
    answers: [],
  };
  const dialog = opened(
    'New result',
    h('p', { class: 'hint' }, 'The mock fills in what you leave out, as the service would.'),
    editor('The result as JSON', draft, {
      verb: 'Add',
      check: async (edited) =>
        (await api.post(`${results}?check=true`, { results: [edited] })).errors.map((error) => ({
          ...error,
          at: error.at.replace('/results/0', ''),
        })),
      save: (edited) =>
        void act(() => api.post(results, { results: [edited] }), 'The result is added.').then(
          (answer) => answer && dialog.close(),
        ),
    }),
  );
}

function opened(title, ...content) {
  const dialog = h(
    'dialog',
    { class: 'sheet', 'aria-label': title, onclose: () => dialog.remove() },
    h(
      'header',
      {},
      h('h2', {}, title),
      button('Close', () => dialog.close(), { class: 'close' }),
    ),
    content,
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
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
