// Creates things through the service itself, as an app would: agents, imports, workspaces.
import { field, h } from '../elements/dom.js';
import { failed } from '../elements/pieces.js';

/** A flow from a file: the agent itself, or a body that contains one. @throws Error if it is neither */
export function agentIn(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw new Error(`This file is not JSON: ${error.message}`, { cause: error });
  }
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const agent = isObject(found) && isObject(found.agent) ? found.agent : found;
  if (!isObject(agent)) throw new Error('This file holds no agent: it is not a JSON object.');
  return agent;
}

/** Forms that create an agent by name, and import one from a dropped or chosen file. */
export function newAgent({ api, act, go, target }) {
  const open = ({ agent }) => go(`agents/${encodeURIComponent(agent.id)}`);
  const made = async (path, agent, done) => {
    const answer = await act(() => api.create(path, { workspaceId: target.workspaceId, agent }, target.token), done);
    if (answer) open(answer);
  };
  const bring = async (file) => {
    if (!file) return;
    try {
      await made('/api/v1/agents/import', agentIn(await file.text()), `${file.name} is imported.`);
    } catch (error) {
      failed(error);
    }
  };
  const name = h('input', { name: 'name', required: true, autocomplete: 'off', placeholder: 'My agent' });
  const chosen = h('input', {
    type: 'file',
    accept: '.json,application/json',
    onchange: ({ target: { files } }) => void bring(files[0]),
  });
  const zone = h(
    'label',
    {
      class: 'drop',
      ondragover: (event) => (event.preventDefault(), zone.classList.add('over')),
      ondragleave: () => zone.classList.remove('over'),
      ondrop: (event) => {
        event.preventDefault();
        zone.classList.remove('over');
        void bring(event.dataTransfer.files[0]);
      },
    },
    h('span', { class: 'label' }, 'Import a flow: drop its file here, or choose it'),
    chosen,
  );
  return h(
    'details',
    { class: 'more' },
    h('summary', {}, 'New agent, or import'),
    h(
      'div',
      { class: 'forms' },
      h(
        'form',
        {
          onsubmit: (event) => {
            event.preventDefault();
            void made('/api/v1/agents', { name: name.value }, 'The agent is made.');
          },
        },
        field('Name', name),
        h('button', {}, 'Create'),
      ),
      zone,
    ),
  );
}

/** A form that creates a workspace by name. */
export function newWorkspace({ api, act, target }) {
  const name = h('input', { name: 'name', required: true, autocomplete: 'off', placeholder: 'My workspace' });
  return h(
    'form',
    {
      class: 'filters',
      onsubmit: (event) => {
        event.preventDefault();
        void act(() => api.create('/api/v1/workspaces', { name: name.value }, target.token), 'The workspace is made.');
      },
    },
    field('New workspace', name),
    h('div', { class: 'actions' }, h('button', {}, 'Create')),
  );
}
