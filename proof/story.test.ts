import { createClient, ServiceError, type Client } from '../client/index.ts';
import { createMock, type Session } from '../mock/index.ts';

// A front-end team at work with the typed client: one server, a session for each test.
const noon = Date.UTC(2026, 4, 20, 12);
const mock = createMock({ now: noon, frozen: true });
const { workspaceId, agentId, token } = mock.target;
const day = 24 * 3600_000;

function setUp(id: string): { readonly session: Session; readonly client: Client; readonly waits: number[] } {
  const waits: number[] = [];
  const client = createClient({
    baseUrl: 'http://mock.test/',
    token,
    fetch: mock.fetch,
    headers: { 'x-mock-session': id },
    retries: 3,
    clock: { now: () => noon, sleep: async (milliseconds) => void waits.push(milliseconds) },
  });
  return { session: mock.session(id), client, waits };
}

const namesOf = async (list: AsyncIterable<{ readonly id?: string }>): Promise<(string | undefined)[]> => {
  const ids: (string | undefined)[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
};

test('an agent is created, published, visited and read', async () => {
  const { client, session } = setUp('made');
  const { agent } = await client.createAgent({ workspaceId, agent: { name: 'Fresh' } });
  const id = agent.id ?? '';
  await expect(client.getPublishedAgent(id)).rejects.toMatchObject({ status: 404 });
  session.setPublished(id, true);
  expect((await client.getPublishedAgent(id)).publicAgent).toMatchObject({ name: 'Fresh', agentId: id });
  const added = session.addResults(id, 120);
  expect(await namesOf(client.results(id, { limit: 50 }))).toEqual(added);
});

test('recent results leave the window a week later', async () => {
  const { client, session } = setUp('old');
  const today = async () => (await namesOf(client.results(agentId, { timeFilter: 'today' }))).length;
  const before = await today();
  expect(before).toBeGreaterThan(0);
  session.clock.advance(7 * day);
  expect(await today()).toBe(0);
  session.addResults(agentId, 2);
  expect(await today()).toBe(2);
});

test('a retry after a planned failure waits as long as it is told, and succeeds', async () => {
  const { client, session, waits } = setUp('retry');
  const { id } = session.plans.add({
    on: 'get-agent',
    steps: [
      { code: 503, retryAfter: 7 },
      { code: 429, retryAfter: 2 },
    ],
  });
  expect(await client.getAgent(agentId)).toMatchObject({ agent: { id: agentId } });
  expect(waits).toEqual([7000, 2000]);
  expect(session.plans.get(id)).toMatchObject({ isComplete: true, met: [[1], [2]] });
  expect(session.journal.count({ endpoint: 'get-agent' })).toBe(3);
});

test('a suspended workspace, and an agent that may only be read', async () => {
  const { client, session } = setUp('refused');
  session.setSuspended(workspaceId, true);
  await expect(client.createAgent({ workspaceId, agent: { name: 'No' } })).rejects.toBeInstanceOf(ServiceError);
  session.setMode(agentId, 'guest', token);
  expect((await client.getAgent(agentId)).currentUserMode).toBe('guest');
  await expect(client.listResults(agentId)).rejects.toMatchObject({ status: 403 });
});

test('an import of an exported agent has the same flow, and a snapshot restores the world', async () => {
  const { client, session } = setUp('import');
  session.takeSnapshot('before');
  const { agent } = await client.getAgent(agentId);
  if (!('groups' in agent)) throw new Error('This agent has groups.');
  const imported = await client.importAgent({ workspaceId, agent });
  expect(imported).toMatchObject({ agent: { groups: agent.groups } });
  expect(imported.agent.id).not.toBe(agentId);
  session.restoreSnapshot('before');
  await expect(client.getAgent(imported.agent.id ?? '')).rejects.toMatchObject({ status: 404 });
});
