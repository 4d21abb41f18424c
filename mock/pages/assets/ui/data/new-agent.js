// Creates an agent through the service itself, as an app would: by its name, or from the file of a flow.
import { Field, Fold, html, submit, useApp } from '../elements.js';

export function NewAgent() {
  const { api, act, fail, go, target } = useApp();
  const create = async (path, agent, done) => {
    const answer = await act(() => api.create(path, { workspaceId: target.workspaceId, agent }, target.token), done);
    if (answer) go(`agents/${encodeURIComponent(answer.agent.id)}`);
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
