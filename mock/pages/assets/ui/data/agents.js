import { path } from '../api.js';
import { Command, Placeholder, Field, Fold, html, moveInRows, Name, Search, submit, useApp } from '../elements.js';
import { counted, dayAndTime, nameOr } from '../format.js';
import { Agent, AgentFlags } from './agent.js';
import { Turner, usePages } from './pages.js';

export const agentsPanel = {
  id: 'agents',
  title: 'Agents',
  read: ({ api }, [id]) => id && api.get(path`/agents/${id}`),
  View: ({ data, rest: [id, view] }) => {
    if (id) return html`<${Agent} state=${data} view=${view} />`;
    return html`<${List} />`;
  },
};

function List() {
  const { go, reload, target } = useApp();
  const { offset, text, page, turn, latest } = usePages('/agents');
  if (!page) return null;
  const { total, agents: all } = page;
  /** Of what was asked for last, which may still be on its way. */
  const openFirst = async () => {
    const { agents } = await latest.current.catch(() => ({ agents: [] }));
    const [found] = agents;
    if (found) go(`agents/${encodeURIComponent(found.id)}`);
  };
  const noMatch = html`<${Placeholder} title="No agent matches">
    <button onClick=${() => turn('')}>Show all agents</button>
  <//>`;
  const nothing = html`<${Placeholder} title="No agent yet">
    <p>The world of this mock is empty. Create an agent with the service itself:</p>
    <${Command} path="/api/v1/agents" body=${{ workspaceId: target.workspaceId, agent: { name: 'First agent' } }} />
    <button onClick=${reload}>Look again</button>
  <//>`;
  const rows = html`<p class="hint">
      ${offset + 1} to ${offset + all.length} of ${counted(total, 'agent')}, new ones first
    </p>
    <ol class="rows" onKeyDown=${moveInRows}>
      ${all.map((agent) => html`<${Row} key=${agent.id} agent=${agent} />`)}
    </ol>`;
  return html`<div class="head">
      <h1>Agents</h1>
      <form class="filters" onSubmit=${submit(openFirst)}>
        <${Search} placeholder="name or id; Enter opens the first" value=${text} search=${turn} />
      </form>
    </div>
    <${NewAgent} />
    ${total === 0 && (text === '' ? nothing : noMatch)} ${total > 0 && rows}
    <${Turner} offset=${offset} text=${text} total=${total} turn=${turn} />`;
}

function Row({ agent }) {
  const { go } = useApp();
  const { id, icon, name, resultCount, updatedAt } = agent;
  return html`<li>
    <button type="button" class="row" onClick=${() => go(`agents/${encodeURIComponent(id)}`)}>
      <span class="name"><${Name} icon=${icon ?? '·'} name=${nameOr(name)} /></span>
      <${AgentFlags} agent=${agent} />
      <span class="measure">${counted(resultCount, 'result')}</span>
      <span class="measure">changed ${dayAndTime(updatedAt)}</span>
    </button>
  </li>`;
}

/** Creates an agent through the service itself, as an app would: by its name, or from the file of a flow. */
function NewAgent() {
  const { api, act, fail, go, target } = useApp();
  const create = async (route, agent, done) => {
    const body = { workspaceId: target.workspaceId, agent };
    const made = await act(() => api.create('agent', route, body, target.token), done);
    if (made) go(`agents/${encodeURIComponent(made.id)}`);
  };
  const bring = async (file) => {
    if (!file) return;
    try {
      // The file holds an agent, or a body that contains one.
      const content = JSON.parse(await file.text());
      await create('/api/v1/agents/import', content?.agent ?? content, `${file.name} is imported.`);
    } catch (error) {
      fail(new Error(`${file.name} is not imported. ${error.message}`, { cause: error }));
    }
  };
  return html`<${Fold} title="New agent, or import">
    <div class="tiles">
      <form class="card" onSubmit=${submit(({ name }) => create('/api/v1/agents', { name }, 'The agent is created.'))}>
        <${Field} label="Name"><input name="name" required autocomplete="off" placeholder="My agent" /><//>
        <button>Create</button>
      </form>
      <label class="card">
        <span class="label">Import a flow: drop its file here, or choose it</span>
        <input type="file" accept=".json,application/json" onChange=${(event) => bring(event.target.files[0])} />
      </label>
    </div>
  <//>`;
}
