// One agent: its facts, its actions, and views of its data.
import { Badge, CopyButton, Placeholder, Fold, html, Links, Name, useApp } from '../elements.js';
import { FlowDrawing } from '../flow/flow.js';
import { Editor, OperationButton, OperationForm } from '../form.js';
import { counted, dayAndTime, nameOr, short } from '../format.js';
import { Sheet } from '../json.js';
import { Results } from './results.js';

const views = {
  flow: { title: 'Flow', View: FlowDrawing },
  results: { title: 'Results', View: Results },
  published: { title: 'Published form', View: Published },
  json: { title: 'JSON', View: Sheet },
  edit: { title: 'Edit', View: Edit },
};
const tabs = Object.entries(views).map(([id, { title }]) => ({ id, title }));

export function Agent({ state, view }) {
  const { catalog, target } = useApp();
  const { id, icon, name, resultCount, updatedAt, workspaceId } = state;
  const path = encodeURIComponent(id);
  const current = view in views ? view : 'flow';
  const { title, View } = views[current];
  const tokens = Object.entries(catalog.tokens).map(([token, mode]) => [token, `${token} (${mode})`]);
  const params = { agentId: id };
  const shown = { state, ...params, agent: state.agent, value: state.agent };
  const added = ({ ids }) => `${counted(ids.length, 'result')} added, the newest created now.`;
  const adding = { id: 'addResults', title: 'Add results', verb: 'Add', done: added };
  const value = { token: target.token, mode: 'read' };
  const set = ({ mode }) => `The token may now ${mode} here.`;
  const setting = { id: 'setMode', title: 'Mode towards this agent', verb: 'Set', value, done: set };
  return html`<p class="crumbs">
      <a href="#agents">Agents</a> / <code>${id}</code> <${CopyButton} class="link" text=${() => id}>Copy<//>
    </p>
    <div class="head">
      <h1><${Name} icon=${icon} name=${nameOr(name)} /> <${AgentFlags} agent=${state} /></h1>
      <${Actions} state=${state} />
    </div>
    <p class="facts">
      <span>${counted(resultCount, 'result')}</span>
      <span>changed ${dayAndTime(updatedAt)}</span>
      ${workspaceId && html`<a href=${`#workspaces/${encodeURIComponent(workspaceId)}`}>Workspace</a>`}
    </p>
    <${Fold} title="Add results, set modes">
      <div class="tiles">
        <${OperationForm} ...${adding} params=${params} value=${{ count: 10 }} only=${['count']} />
        <${OperationForm} ...${setting} params=${params} options=${{ token: tokens }} />
      </div>
    <//>
    <${Links} class="tabs" aria-label="Views of the agent" items=${tabs} current=${current} hash=${`agents/${path}/`} />
    <section aria-label=${title}><${View} ...${shown} /></section>`;
}

function Published({ state: { id, publishedAgent } }) {
  if (publishedAgent !== null) return html`<${Sheet} value=${publishedAgent} />`;
  return html`<${Placeholder} title="Not published">
    <p>Requests for the published form are answered as the profile says.</p>
    <${OperationButton} id="publishAgent" verb="Publish" params=${{ agentId: id }} />
  <//>`;
}

function Edit({ state: { id, agent } }) {
  const editing = { id: 'replaceAgent', params: { agentId: id }, of: 'agent', value: agent };
  return html`<${Editor} ...${editing} key=${JSON.stringify(agent)} />`;
}

const flags = [
  ['isPublished', 'Publish', 'Unpublish'],
  ['isArchived', 'Archive', 'Unarchive'],
  ['isClosed', 'Close', 'Open'],
];

function Actions({ state }) {
  const { go } = useApp();
  const params = { agentId: state.id };
  const copying = { id: 'duplicateAgent', verb: 'Duplicate', done: 'This is the copy.' };
  const removal = { id: 'deleteAgent', verb: 'Delete', done: 'The agent is gone.', kind: 'danger' };
  const question = `The agent and its ${counted(state.resultCount, 'result')} will be gone.`;
  return html`<div class="actions">
    ${flags.map(([flag, set, clear]) => {
      const verb = state[flag] ? clear : set;
      return html`<${OperationButton} id=${`${verb.toLowerCase()}Agent`} verb=${verb} params=${params} />`;
    })}
    <${OperationButton} ...${copying} params=${params} after=${({ id }) => go(`agents/${encodeURIComponent(id)}`)} />
    <${OperationButton} ...${removal} params=${params} question=${question} after=${() => go('agents')} />
  </div>`;
}

export const AgentFlags = ({ agent: { version, isPublished, isArchived, isClosed, origin } }) =>
  html`<span class="remarks">
    <${Badge} title="Version of the form">v${short(version ?? '?', 20)}<//>
    ${isPublished && html`<${Badge} kind="good">published<//>`}
    ${isArchived && html`<${Badge} kind="warn">archived<//>`} ${isClosed && html`<${Badge} kind="warn">closed<//>`}
    ${origin !== 'universe' && html`<${Badge} kind="accent" title="Where it came from">${origin}<//>`}
  </span>`;
