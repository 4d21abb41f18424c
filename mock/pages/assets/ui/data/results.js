import { useEffect, useState } from 'preact/hooks';
import { path } from '../api.js';
import { Badge, Dialog, Placeholder, Fold, html, Search, useApp, useNow } from '../elements.js';
import { Editor, OperationButton } from '../form.js';
import { counted, dayAndTime, short } from '../format.js';
import { JsonView } from '../json.js';
import { Turner, usePages } from './pages.js';
import { columnsOf, objectsIn, valueOf } from './result-columns.js';

export function Results({ agentId }) {
  const { version } = useApp();
  const { offset, text, page, turn } = usePages(path`/agents/${agentId}/results`);
  const [opened, setOpened] = useState();
  useEffect(() => setOpened(undefined), [version]);
  const Opened = opened === 'new' ? NewResult : Result;
  const { total, results } = page ?? {};
  return html`<div class="stack">
    <form class="filters" onSubmit=${(event) => event.preventDefault()}>
      <${Search} placeholder="variable, answer, id …" value=${text} search=${turn} />
      <button type="button" onClick=${() => setOpened('new')}>New result</button>
    </form>
    <p class="hint" role="status">${page ? hint(offset, page, text) : 'Reading the results …'}</p>
    ${page && html`<${Table} results=${results} isSearch=${text !== ''} open=${setOpened} />`}
    <${Turner} offset=${offset} text=${text} total=${total} turn=${turn} />
    ${opened && html`<${Opened} agentId=${agentId} result=${opened} close=${() => setOpened(undefined)} />`}
  </div>`;
}

function hint(offset, { total, results }, text) {
  const all = text === '' ? counted(total, 'result') : counted(total, 'match', 'matches');
  if (total === 0) return all;
  return `${offset + 1} to ${offset + results.length} of ${all}, newest first`;
}

function Table({ results, isSearch, open }) {
  const now = useNow();
  const columns = columnsOf(results);
  const [title, words] = isSearch
    ? ['No result matches', 'The newest 5000 are searched, each for all of the words.']
    : ['No results yet', 'Write one, or generate some with "Add results" above.'];
  if (results.length === 0) return html`<${Placeholder} title=${title}><p>${words}</p><//>`;
  return html`<div class="scroll">
    <table>
      <caption class="unseen">
        Results
      </caption>
      <thead>
        <tr>
          ${['Created', 'State', ...columns, 'From'].map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${results.map((result) => html`<${Row} result=${result} columns=${columns} now=${now} open=${open} />`)}
      </tbody>
    </table>
  </div>`;
}

function Row({ result, columns, now, open }) {
  const { createdAt, metadata, isArchived } = result;
  let [state, kind] = ['not started', 'warn'];
  if (result.hasStarted === true) [state, kind] = ['started', 'plain'];
  if (result.isCompleted === true) [state, kind] = ['completed', 'good'];
  const from = [metadata?.location?.city, metadata?.location?.country, metadata?.device?.type];
  const ahead = html` <${Badge} kind="accent" title="Created later than the time of the clock">ahead<//>`;
  return html`<tr>
    <th scope="row"><button class="link" onClick=${() => open(result)}>${dayAndTime(createdAt)}</button></th>
    <td>
      <${Badge} kind=${kind}>${state}<//>
      ${isArchived === true && html` <${Badge}>archived<//>`} ${Date.parse(createdAt) > now && ahead}
    </td>
    ${columns.map((name) => html`<td title=${valueOf(result, name)}>${short(valueOf(result, name), 40)}</td>`)}
    <td class="quiet">${from.filter(Boolean).join(', ')}</td>
  </tr>`;
}

function Result({ agentId, result, close }) {
  const answers = objectsIn(result.answers);
  const params = { agentId, resultId: result.id };
  const question = 'The result will be gone.';
  const removal = { id: 'deleteResult', verb: 'Delete', question, done: 'The result is gone.' };
  const editing = { id: 'replaceResult', params, of: 'result', value: result };
  // A result without an id cannot be addressed.
  const changes = html`<${Fold} title="Edit"><${Editor} ...${editing} /><//>
    <${OperationButton} ...${removal} params=${params} kind="danger" />`;
  return html`<${Dialog} class="sheet" title=${`Result of ${dayAndTime(result.createdAt)}`} close=${close}>
    <h3>${answers.length > 0 ? counted(answers.length, 'answer') : 'No answers were given.'}</h3>
    <ol class="stack">
      ${answers.map(
        ({ createdAt, content, isSecure, attachedFileUrls }) =>
          html`<li>
            <time class="quiet">${dayAndTime(createdAt)}</time>
            <p>${String(content ?? '')} ${isSecure === true && html`<${Badge} kind="accent">secure<//>`}</p>
            ${attachedFileUrls?.length > 0 && html`<p class="quiet">${counted(attachedFileUrls.length, 'file')}</p>`}
          </li>`,
      )}
    </ol>
    <${Fold} title="As it is stored"><${JsonView} value=${result} depth=${1} /><//>
    ${result.id !== undefined && changes}
  <//>`;
}

/** A new result, written by hand; the mock fills in what it lacks. */
function NewResult({ agentId, close }) {
  const { now } = useApp();
  const draft = {
    createdAt: new Date(now()).toISOString(),
    hasStarted: true,
    isCompleted: true,
    variables: [{ id: 'v1', name: 'Email', value: 'ada@example.com' }],
    answers: [],
  };
  const adding = { id: 'addResults', params: { agentId }, verb: 'Add', done: 'The result is added.' };
  return html`<${Dialog} class="sheet" title="New result" close=${close}>
    <p class="hint">The mock fills in what you leave out, as the service would.</p>
    <${Editor} ...${adding} of="result" value=${draft} />
  <//>`;
}
