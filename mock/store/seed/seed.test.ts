import { createCore } from '../../core.ts';
import { MockError } from '../../mock-error.ts';
import { readSeed, type Seed } from './seed.ts';
import { seedErrors } from './seed-errors.ts';
import { like, testMock } from '../../testing/test-client.ts';
import rows from '../../testing/seeds.json';

const seedData: Seed = {
  workspaces: [{ id: 'ws-1', name: 'Mine' }],
  agents: [
    { id: 'agent-1', name: 'First', workspaceId: 'ws-1', isPublished: true, publishedAt: '2026-01-02T03:04:05.000Z' },
    { name: 'Second' },
    { version: '5', name: 'Old', groups: [] },
  ],
  results: {
    'agent-1': [
      { id: 'r-old', createdAt: '2026-05-01T00:00:00.000Z', isCompleted: true },
      { id: 'r-new', createdAt: '2026-05-20T10:00:00.000Z' },
      {},
    ],
  },
};

test('seeded things are present and complete in every session and after a reset', () => {
  const { mock, call } = testMock({ seedData });
  const { json } = call('/api/v1/agents/agent-1');
  expect(json.agent).toMatchObject({ name: 'First', version: '6', workspaceId: 'ws-1', isPublished: true, edges: [] });
  expect(call('/api/v1/agents/agent-1/publishedAgent').json.publicAgent).toMatchObject({ agentId: 'agent-1' });
  const list = '/api/v1/agents/agent-1/results?timeFilter=allTime';
  const ids = () => call(list).json.results.map(({ id }: { id: string }) => id);
  expect(ids().slice(1)).toEqual(['r-new', 'r-old']);
  mock.edits.addResults('agent-1', 1);
  expect(ids()).toHaveLength(4);
  mock.reset();
  expect(ids()).toHaveLength(3);
  expect(call('/api/v1/agents/agent-1', { headers: { 'x-mock-session': 's' } }).status).toBe(200);
  expect(call('/api/v1/agents', { body: { workspaceId: 'ws-1', agent: { name: 'In mine' } } }).status).toBe(201);
});

test('generated identifiers are the same each time, and unique', () => {
  const idOfSecond = () => {
    const { mock, call } = testMock({ seedData });
    const { json } = call('/__admin/agents?limit=100');
    const { id: found, origin } = json.agents.find(({ name }: { name: string }) => name === 'Second');
    expect(origin).toBe('seed');
    const made = call('/api/v1/agents', { body: { workspaceId: mock.target.workspaceId, agent: { name: 'New' } } });
    expect(made.json.agent.id).not.toBe(found);
    return found as string;
  };
  expect(idOfSecond()).toBe(idOfSecond());
});

test('results for a generated agent are listed among its own', () => {
  const { agentId } = createCore().target;
  const createdAt = '2026-05-20T15:29:59.999Z';
  const { mock } = testMock({ seedData: { results: { [agentId]: [{ id: 'mine', createdAt }] } } });
  const listing = mock.store.results(agentId);
  const place = Array.from({ length: listing.count }, (_, n) => listing.at(n).id).indexOf('mine');
  expect(listing.createdAt(place - 1)).toBeGreaterThan(Date.parse(createdAt));
  expect(listing.createdAt(place + 1)).toBeLessThanOrEqual(Date.parse(createdAt));
});

test.each(rows.seeds as [unknown, string][])('%j is refused', (seed, message) => {
  expect(() => createCore({ seedData: seed as never })).toThrow(message);
});

describe('a seed file', () => {
  test('has errors that name the line', () => {
    const text = '{\n  "agents": [\n    { "name": "A" },\n    {\n"name": 5,\n"groups": [{ "id": 1 }]\n    }\n  ]\n}';
    const message = /^seed\.json:5: \/agents\/1\/name must be .*\nseed\.json:6: \/agents\/1\/groups\/0/;
    expect(() => readSeed(text, 'seed.json')).toThrow(message);
  });

  test.each(rows.files as [string, string][])('%j', (text, message) => {
    expect(() => readSeed(text, 'seed.json')).toThrow(like(message));
  });

  test('of its errors shows ten', () => {
    const lines = Array.from({ length: 10 }, (_, i) => `s:1: /agents/${i}/name must be a string; it is 1.`);
    for (const rest of [[], ['... and 1 more.']]) {
      const text = JSON.stringify({ agents: [...lines, ...rest].map(() => ({ name: 1 })) });
      expect(() => readSeed(text, 's')).toThrow(new MockError([...lines, ...rest].join('\n')));
    }
  });
});

test('published forms belong to agents of the seed, and a whole seed gets no generated values', () => {
  const form = { id: 'p', version: '6', agentId: 'a' };
  const expected = ['/agents', '/whole', '/publishedAgents/a'];
  expect(seedErrors({ agents: 1, publishedAgents: { a: form }, whole: 'yes' }).map(({ at }) => at)).toEqual(expected);
  const agents = [{ id: 'a', version: '6', name: 'A' }];
  const { mock } = testMock({ seedData: { whole: true, agents, publishedAgents: { a: form } } });
  expect(mock.store.agent('a')?.agent).toEqual(agents[0]);
  expect(mock.store.publishedAgent('a')).toEqual(form);
});
