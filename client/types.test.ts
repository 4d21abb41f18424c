import { createMock } from '../mock/index.ts';
import { createClient, isVersion6 } from './index.ts';

// `npm test` compiles this file, so the compiler checks the types. The tests check that the code also works.

const mock = createMock({ seed: 1 });
const { token, agentId, v5AgentId, publishedAgentId, workspaceId } = mock.target;
const client = createClient({ baseUrl: 'http://service.test', token, fetch: mock.fetch });

test('a created agent has an identifier, which is a string', async () => {
  const made = await client.createAgent({ workspaceId, agent: { name: 'Typed' } });
  const brought = await client.importAgent({ workspaceId, agent: { version: '6', name: 'Typed' } });
  const ids: readonly string[] = [made.agent.id, brought.agent.id];
  expect(ids.every((id) => id.length > 0)).toBe(true);
  // @ts-expect-error -- it is no number
  const wrong: number = made.agent.id;
  expect(wrong).toBe(made.agent.id);
});

test('the version narrows an agent, and a published one', async () => {
  const { agent } = await client.getAgent(agentId);
  // @ts-expect-error -- version 5 may have none
  expect(agent.groups).toBeDefined();
  // @ts-expect-error -- the version of the older form is any string, so that comparing it narrows nothing
  expect(agent.version === '6' && agent.groups).toBeTruthy();
  if (!isVersion6(agent)) throw new Error('It is of version 6.');
  expect([agent.id, Array.isArray(agent.groups)]).toEqual([agentId, true]);

  const { publicAgent } = await client.getPublishedAgent(publishedAgentId);
  expect(isVersion6(publicAgent) && publicAgent.groups?.length).toBeGreaterThan(0);
  expect(isVersion6((await client.getAgent(v5AgentId)).agent)).toBe(false);
});

test('null is allowed where exports of agents have it', async () => {
  const { agent } = await client.importAgent({
    workspaceId,
    agent: {
      version: '6',
      name: 'Exported',
      icon: null,
      selectedThemeTemplateId: null,
      resultsTablePreferences: null,
      events: [{ id: 'start', type: 'start', graphCoordinates: { x: 0, y: 0 } }],
      groups: [{ id: 'a', title: 'A', graphCoordinates: { x: 1, y: 2 }, blocks: [] }],
      edges: [{ id: 'e', from: { blockId: 'b', itemId: null }, to: { groupId: 'a', blockId: null } }],
      variables: [{ id: 'v', name: 'V', value: null }],
      theme: { general: { font: null, background: null }, customCss: null },
      settings: { general: { rememberUser: null }, metadata: { title: null } },
    },
  });
  expect(agent.name).toBe('Exported');
  const made = await client.createAgent({ workspaceId, agent: { name: 'Made', publicId: null, icon: null } });
  expect(made.agent.name).toBe('Made');
  // @ts-expect-error -- a name is text, or null
  await expect(client.createAgent({ workspaceId, agent: { name: 5 } })).rejects.toMatchObject({ status: 400 });
});
