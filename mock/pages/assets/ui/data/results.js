import { useEffect, useState } from 'preact/hooks';
import { path } from '../api.js';
import { Badge, Dialog, Placeholder, Field, Fold, html, Search, Select, useApp, useNow } from '../elements.js';
import { Editor, OperationButton } from '../form.js';
import { counted, dayAndTime, short } from '../format.js';
import { JsonView } from '../json.js';
import { columnsOf, isWantedResult, objectsIn, progress, progressOf, valueOf } from './filter-results.js';

/** Rows that one step shows, and the most results that it loads for them. */
const STEP = 25;
const PAGE = 100;
const MOST_READ = 1000;

/** Results of an agent, newest first. It loads only as many as it needs to show enough matching ones. */
export function Results({ agentId }) {
  const { version } = useApp();
  const [wanted, setWanted] = useState({ text: '', state: '' });
  const [goal, setGoal] = useState(STEP);
  const [opened, setOpened] = useState();
  const { results, total } = useResults(agentId, wanted, goal);
  const found = results.filter((result) => isWantedResult(result, wanted));
  useEffect(() => setOpened(undefined), [version]);
  const isMore = found.length > goal || results.length < total;
  const isNew = opened === 'new';
  const close = () => setOpened(undefined);
  const filter = (change) => {
    setWanted({ ...wanted, ...change });
    setGoal(STEP);
  };
  return html`<div class="stack">
    <form class="filters" onSubmit=${(event) => event.preventDefault()}>
      <${Search} placeholder="variable, answer, id …" value=${wanted.text} search=${(text) => filter({ text })} />
      <${Field} label="State">
        <${Select}
          options=${[['', 'All'], ...Object.entries(progress)]}
          value=${wanted.state}
          choose=${(state) => filter({ state })}
        />
      <//>
      <button type="button" onClick=${() => setOpened('new')}>New result</button>
    </form>
    ${total === undefined && html`<p class="hint" role="status">Reading the results …</p>`}
    ${
      total !== undefined &&
      html`<p class="hint" role="status">
          ${statusText(wanted, Math.min(goal, found.length), found.length, results.length, total)}
        </p>
        <${Table} results=${found.slice(0, goal)} columns=${columnsOf(results)} total=${total} open=${setOpened} />
        ${isMore && html`<button onClick=${() => setGoal(goal + STEP)}>Show more</button>`}`
    }
    ${isNew && html`<${NewResult} agentId=${agentId} close=${close} />`}
    ${opened && !isNew && html`<${Result} agentId=${agentId} result=${opened} close=${close} />`}
  </div>`;
}

/** The results that were read; more of them when fewer than `goal` match. */
function useResults(agentId, wanted, goal) {
  const { api, fail, version } = useApp();
  const [read, setRead] = useState({ version, results: [] });
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      let { results, total } = read.version === version ? read : { results: [] };
      const limit = results.length + MOST_READ;
      const found = () => results.filter((result) => isWantedResult(result, wanted)).length;
      while (total === undefined || (found() < goal && results.length < Math.min(total, limit))) {
        const page = await api.get(`${path`/agents/${agentId}/results`}?offset=${results.length}&limit=${PAGE}`);
        if (!isCurrent) return;
        ({ total } = page);
        results = [...results, ...page.results];
        if (page.results.length === 0) break;
      }
      setRead({ version, results, total });
    };
    void load().catch(fail);
    return () => (isCurrent = false);
  }, [version, wanted, goal]);
  return read;
}

function statusText({ text, state }, shown, found, read, total) {
  if (text === '' && state === '') return `${shown} of ${counted(total, 'result')}, newest first`;
  const matches = counted(found, 'match', 'matches');
  return `${shown} shown of ${matches} in the newest ${counted(read, 'result')}; ${total.toLocaleString('en')} in all`;
}

function Table({ results, columns, total, open }) {
  const now = useNow();
  if (total === 0)
    return html`<${Placeholder} title="No results yet"
      ><p>Write one, or generate some with "Add results" above.</p><//
    >`;
  if (results.length === 0)
    return html`<${Placeholder} title="No result matches">
      <p>Use fewer words, or show more results to search further back.</p>
    <//>`;
  return html`<div class="scroll">
    <table>
      <caption class="unseen">
        Results
      </caption>
      <thead>
        <tr>
          ${['Created', 'State', ...columns, 'From'].map((title) => html`<th scope="col">${title}</th>`)}
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
  const kinds = { completed: 'good', started: 'plain', untouched: 'warn' };
  const state = progressOf(result);
  const from = [metadata?.location?.city, metadata?.location?.country, metadata?.device?.type];
  return html`<tr>
    <th scope="row"><button class="link" onClick=${() => open(result)}>${dayAndTime(createdAt)}</button></th>
    <td>
      <${Badge} kind=${kinds[state]}>${state === 'untouched' ? 'not started' : state}<//>
      ${isArchived === true && html` <${Badge}>archived<//>`}
      ${
        Date.parse(createdAt) > now &&
        html` <${Badge} kind="accent" title="Created later than the time of the clock">ahead<//>`
      }
    </td>
    ${columns.map((name) => html`<td title=${valueOf(result, name)}>${short(valueOf(result, name), 40)}</td>`)}
    <td class="quiet">${from.filter(Boolean).join(', ')}</td>
  </tr>`;
}

/** One result, to read, edit or remove. */
function Result({ agentId, result, close }) {
  const answers = objectsIn(result.answers);
  const params = { agentId, resultId: result.id };
  const removal = {
    id: 'deleteResult',
    verb: 'Delete',
    question: 'The result will be gone.',
    done: 'The result is gone.',
  };
  const editing = { id: 'replaceResult', label: 'The result as JSON', done: 'The result is changed.' };
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
    ${
      // A result without an id cannot be addressed.
      result.id !== undefined &&
      html`<${Fold} title="Edit">
          <${Editor} ...${editing} params=${params} value=${result} bodyOf=${(edited) => ({ result: edited })} />
        <//>
        <${OperationButton} ...${removal} params=${params} kind="danger" />`
    }
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
  return html`<${Dialog} class="sheet" title="New result" close=${close}>
    <p class="hint">The mock fills in what you leave out, as the service would.</p>
    <${Editor}
      id="addResults"
      params=${{ agentId }}
      label="The result as JSON"
      value=${draft}
      bodyOf=${(edited) => ({ results: [edited] })}
      verb="Add"
      done="The result is added."
    />
  <//>`;
}
