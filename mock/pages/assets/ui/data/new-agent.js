// Creates an agent through the service itself, as an app would: by its name, or from the file of a flow.
import { Field, Fold, html, submit, useApp } from '../elements.js';

/** A flow from a file: the agent itself, or a body that contains one. @throws Error if it is neither */
function agentIn(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw new Error(`This file is not JSON: ${error.message}`, { cause: error });
  }
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const agent = isObject(found?.agent) ? found.agent : found;
  if (!isObject(agent)) throw new Error('This file holds no agent: it is not a JSON object.');
  return agent;
}

export function NewAgent() {
  const { api, act, fail, go, target } = useApp();
  const create = async (path, agent, done) => {
    const answer = await act(() => api.create(path, { workspaceId: target.workspaceId, agent }, target.token), done);
    if (answer) go(`agents/${encodeURIComponent(answer.agent.id)}`);
  };
  const bring = async (file) => {
    try {
      if (file) await create('/api/v1/agents/import', agentIn(await file.text()), `${file.name} is imported.`);
    } catch (error) {
      fail(error);
    }
  };
  return html`<${Fold} title="New agent, or import">
    <div class="forms">
      <form onSubmit=${submit(({ name }) => create('/api/v1/agents', { name }, 'The agent is created.'))}>
        <${Field} label="Name"><input name="name" required autocomplete="off" placeholder="My agent" /><//>
        <button>Create</button>
      </form>
      <label class="drop">
        <span class="label">Import a flow: drop its file here, or choose it</span>
        <input type="file" accept=".json,application/json" onChange=${(event) => bring(event.target.files[0])} />
      </label>
    </div>
  <//>`;
}
