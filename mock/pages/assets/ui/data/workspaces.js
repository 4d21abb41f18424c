import { path } from '../api.js';
import { Badge, Command, Placeholder, Field, Fold, html, Name, submit, useApp } from '../elements.js';
import { Editor, OperationButton } from '../form.js';
import { counted, nameOr, short } from '../format.js';
import { JsonView } from '../json.js';

export const workspacesPanel = {
  id: 'workspaces',
  title: 'Workspaces',
  async read({ api }, [opened]) {
    const { workspaces: all } = await api.get('/workspaces?limit=100');
    if (!opened || all.some(({ id }) => id === opened)) return all;
    const { workspace } = await api.get(path`/workspaces/${opened}`);
    return [workspace, ...all];
  },
  View: Workspaces,
};

function Workspaces({ data: all, rest: [opened] }) {
  const { api, act, reload, target } = useApp();
  const create = ({ name }) =>
    act(() => api.create('workspace', '/api/v1/workspaces', { name }, target.token), 'The workspace is created.');
  const nothing = html`<${Placeholder} title="No workspace yet">
    <p>Create one with the service itself:</p>
    <${Command} path="/api/v1/workspaces" body=${{ name: 'First workspace' }} />
    <button onClick=${reload}>Look again</button>
  <//>`;
  const tiles = html`<p class="hint">${counted(all.length, 'workspace')}, new ones first</p>
    <ul class="tiles">
      ${all.map((one) => html`<${Tile} key=${one.id} workspace=${one} isOpened=${one.id === opened} />`)}
    </ul>`;
  return html`<div class="head">
      <h1>Workspaces</h1>
      <form class="filters" onSubmit=${submit(create)}>
        <${Field} label="New workspace"><input name="name" required autocomplete="off" placeholder="My workspace" /><//>
        <button>Create</button>
      </form>
    </div>
    ${all.length === 0 ? nothing : tiles}`;
}

function Tile({ workspace, isOpened }) {
  const { id, name, icon, slug, plan, isSuspended, isPastDue, isVerified, chatUsage } = workspace;
  const facts = [slug && short(slug, 80), typeof chatUsage === 'number' && counted(chatUsage, 'chat')];
  const params = { workspaceId: id };
  const verb = isSuspended === true ? 'Unsuspend' : 'Suspend';
  const question = `${nameOr(name)} will be gone; its agents stay.`;
  const removal = { id: 'deleteWorkspace', verb: 'Delete', question, done: 'The workspace is gone.' };
  const editing = { id: 'replaceWorkspace', params, of: 'workspace', value: workspace };
  return html`<li class="card">
    <h2><${Name} icon=${icon} name=${nameOr(name)} /></h2>
    <p class="remarks">
      ${plan && html`<${Badge} kind="accent">${short(plan, 40)}<//>`}
      ${isSuspended === true && html`<${Badge} kind="bad">suspended<//>`}
      ${isPastDue === true && html`<${Badge} kind="warn">past due<//>`}
      ${isVerified === true && html`<${Badge} kind="good">verified<//>`}
    </p>
    <p class="quiet">${facts.filter(Boolean).join(' · ')}</p>
    <div class="actions">
      <${OperationButton} id=${`${verb.toLowerCase()}Workspace`} verb=${verb} params=${params} />
      <${OperationButton} ...${removal} params=${params} kind="danger" />
    </div>
    <${Fold} title="As it is stored" open=${isOpened}><${JsonView} value=${workspace} /><//>
    <${Fold} title="Edit"><${Editor} ...${editing} key=${JSON.stringify(workspace)} /><//>
  </li>`;
}
