import { hash } from 'node:crypto';
import { readSeed } from './seed.ts';
import { createMock, type Mock } from '../../mock.ts';
import { testMock, testNow } from '../../testing/test-client.ts';
import rows from '../../testing/seeds.json';

/** What a mock shows, in order; long texts as a digest. */
function shown(mock: Mock): object {
  const { call } = testMock({}, mock);
  const admin = (path: string) => call(`/__admin${path}`, { method: 'GET' }).json;
  const agents: readonly { readonly id: string }[] = admin('/agents?limit=100').agents;
  const resultsOf = (id: string): readonly object[] => {
    const listing = mock.store.results(id);
    return Array.from({ length: listing.count }, (_, i) => listing.at(i));
  };
  return {
    workspaces: admin('/workspaces?limit=100').workspaces.map(digest),
    agents: agents.map((agent) => [agent.id, digest({ ...agent, origin: 'any' })]),
    read: agents.map(({ id }) => digest(call(`/api/v1/agents/${id}`).json)),
    published: agents.map(({ id }) => digest(call(`/api/v1/agents/${id}/publishedAgent`).json.publicAgent)),
    results: agents.map(({ id }) => digest(resultsOf(id))),
  };
}

const digest = (value: unknown): string => hash('sha256', JSON.stringify(value) ?? 'nothing');

const again = (mock: Mock): Mock => {
  const file = JSON.stringify(mock.exportSeed());
  return createMock({ now: testNow, frozen: true, seedData: readSeed(file, 'world.json') });
};

test.each(['demo', 'empty', 'unicode', 'legacy'] as const)('the same mock has the world of %s again', (persona) => {
  const mock = createMock({ now: testNow, frozen: true, persona });
  expect(shown(again(mock))).toEqual(shown(mock));
});

test('results without an id or a time get them, and keep their order', () => {
  const mock = createMock({ now: testNow, frozen: true, persona: 'extremes' });
  const copy = again(mock);
  const at = mock.store.universe.agentCount;
  for (let i = 0; i < at; i++) {
    const id = mock.store.agentId(i);
    const [before, after] = [mock, copy].map(({ store }) => store.results(id));
    expect(after?.count).toBe(before?.count);
    for (let n = 0; n < (before?.count ?? 0); n += 7) {
      expect(after?.createdAt(n)).toBe(before?.createdAt(n));
      expect(after?.at(n)).toMatchObject({ id: expect.any(String), ...before?.at(n) });
    }
  }
});

test('what was learned of an upstream is in the seed too', () => {
  const mock = createMock({ now: testNow, frozen: true, persona: 'empty' });
  mock.store.putAgent('learned', { id: 'learned', workspaceId: 'w' }, 'upstream');
  mock.store.putWorkspace('w', { id: 'w' }, 'upstream');
  const { agents, workspaces } = mock.exportSeed();
  expect([agents?.map((one) => one['id']), workspaces?.at(0)?.['id']]).toEqual([['learned'], 'w']);
});

describe('a changed world', () => {
  const { mock, call } = testMock();
  const { agentId, workspaceId } = mock.target;
  const create = (name: string): string =>
    call('/api/v1/agents', { body: { workspaceId, agent: { name } } }).json.agent.id;
  const first = create('A');
  create('B');
  create('C');
  const [newest] = mock.edits.addResults(agentId, 2);
  mock.store.removeAgent(first);
  mock.edits.setAgent(agentId, { isPublished: true });
  mock.edits.replaceAgent(agentId, { version: '6', name: 'After it was published' });
  mock.store.removeResult(agentId, newest ?? '');
  mock.store.removeWorkspace(workspaceId);
  const copy = again(mock);

  test('is shown unchanged', () => {
    expect(shown(copy)).toEqual(shown(mock));
    expect(copy.target).toMatchObject({ agentId: mock.target.agentId, workspaceId: mock.target.workspaceId });
  });

  test('gives new identifiers to new things', () => {
    const other = testMock({}, copy);
    const ids = new Set([...copy.store.seeded().agents, ...copy.store.seeded().workspaces]);
    const body = { workspaceId: copy.target.workspaceId, agent: { name: 'D' } };
    const made = [1, 2, 3].map(() => other.call('/api/v1/agents', { body }).json.agent.id);
    expect(made.filter((id) => ids.has(id))).toEqual([]);
    expect(copy.store.created().agents).toEqual(made);
    const before = copy.store.results(agentId).count;
    const [added = ''] = copy.edits.addResults(agentId, 1);
    expect(copy.store.results(agentId).count).toBe(before + 1);
    expect(mock.store.result(agentId, added)).toBeUndefined();
  });

  test('is the same after a second export', () => {
    expect(copy.exportSeed()).toMatchObject({ whole: true });
    expect(shown(again(copy))).toEqual(shown(copy));
  });
});

test('a world that is too large for a file is refused, with a remedy', () => {
  expect(() => createMock({ persona: 'large' }).exportSeed()).toThrow(/more than the 50000 .*--state/);
});

test.each(rows.whole as [unknown, string][])('%j is refused', (seed, said) => {
  expect(() => createMock({ seedData: seed as never })).toThrow(said);
});

test('a session in another world shows nothing of a whole seed, and nothing is generated beside a whole seed', () => {
  const mock = createMock({ now: testNow, seedData: { whole: true, agents: [{ id: 'only', version: '6' }] } });
  expect(mock.target).toMatchObject({ agentId: 'only', workspaceId: '' });
  const other = mock.session('other');
  other.setWorld({ persona: 'tiny' });
  expect(other.store.agent('only')).toBeUndefined();
  expect(other.target.agentId).not.toBe('');
  mock.setBeginning({ seedData: { agents: [{ id: 'only', version: '6' }] } });
  expect(mock.target.agentId).not.toBe('only');
  expect(mock.store.agent('only')).toBeDefined();
});
