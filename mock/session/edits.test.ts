import { createMock } from '../mock.ts';
import { testMock, type TestAnswer } from '../testing/test-client.ts';

const { mock, call } = testMock();
const admin = (method: string, path: string, body?: object): TestAnswer =>
  call(`/__admin${path}`, { method, ...(body ? { body } : {}) });
beforeEach(() => mock.reset());

const { agentId, workspaceId } = mock.target;

describe('an agent', () => {
  test('is replaced if it matches its schema, and keeps its id', () => {
    const { agent } = admin('GET', `/agents/${agentId}`).json;
    const { status, json } = admin('PUT', `/agents/${agentId}`, { agent: { ...agent, id: 'other', name: 'Edited' } });
    expect([status, json]).toEqual([200, { agentId, errors: [] }]);
    expect(call(`/api/v1/agents/${agentId}`).json.agent).toMatchObject({ id: agentId, name: 'Edited' });
  });

  test('stays unchanged by a check, and by an invalid replacement, which says where', () => {
    const before = call(`/api/v1/agents/${agentId}`).text;
    const agent = { version: '6', name: 5, groups: [{ title: null }] };
    const errors = [
      { at: '/name', expected: 'a string', actual: '5' },
      { at: '/groups/0/title', expected: 'a string', actual: 'null' },
    ];
    const checked = admin('PUT', `/agents/${agentId}?check=true`, { agent });
    expect([checked.status, checked.json]).toEqual([200, { errors }]);
    expect(admin('PUT', `/agents/${agentId}?check=true`, { agent: { version: '6' } }).json).toEqual({ errors: [] });
    const refused = admin('PUT', `/agents/${agentId}`, { agent });
    const error = expect.stringContaining('/name must be a string; it is 5.');
    expect([refused.status, refused.json]).toEqual([400, { error, errors }]);
    expect(call(`/api/v1/agents/${agentId}`).text).toBe(before);
  });

  test('is duplicated without its unique values', () => {
    const { json, status } = admin('POST', `/agents/${agentId}/duplicate`);
    const { agent: copy } = call(`/api/v1/agents/${json.id}`).json;
    const { agent } = call(`/api/v1/agents/${agentId}`).json;
    expect([status, copy.id === agentId, copy.publicId]).toEqual([201, false, undefined]);
    expect(copy).toMatchObject({ name: `${agent.name} (copy)`, isPublished: false, groups: agent.groups });
    expect(call(`/api/v1/agents/${json.id}/publishedAgent`).status).toBe(404);
  });

  test.each(['generated', 'made', 'seeded'])('that was %s is removed with everything that belongs to it', (kind) => {
    const own = testMock({ seedData: { agents: [{ id: 'seeded', name: 'S' }] } });
    const { agent } = own.call('/api/v1/agents', { body: { workspaceId, agent: { name: 'A' } } }).json;
    const id: string = { generated: agentId, made: agent.id, seeded: 'seeded' }[kind] ?? '';
    own.mock.edits.addResults(id, 3);
    own.mock.edits.setAgent(id, { isPublished: true });
    const listed = (): string[] =>
      own.call('/__admin/agents?limit=100').json.agents.map((one: { id: string }) => one.id);
    const before = listed();
    expect(own.mock.store.removeAgent(id)).toBe(true);
    for (const path of ['', '/publishedAgent', '/results'])
      expect(own.call(`/api/v1/agents/${id}${path}`).status).toBe(404);
    expect(listed()).toEqual(before.filter((one) => one !== id));
    expect(own.mock.store.removeAgent(id)).toBe(false);
    expect(own.mock.target.agentId).toBe(kind === 'generated' ? '' : agentId);
  });

  test('stays removed in an exported state, and returns after a reset', () => {
    mock.store.removeAgent(agentId);
    expect(createMock({ state: mock.exportState() }).store.removeAgent(agentId)).toBe(false);
    mock.snapshots.take('without');
    mock.reset();
    expect(call(`/api/v1/agents/${agentId}`).status).toBe(200);
    mock.snapshots.restore('without');
    expect(call(`/api/v1/agents/${agentId}`).status).toBe(404);
    mock.reset();
    mock.snapshots.take('with');
    expect(mock.snapshots.diff('with', 'without')).toContainEqual({ op: 'remove', path: `/agents/${agentId}` });
    for (const name of ['with', 'without']) mock.snapshots.remove(name);
  });
});

describe('a workspace', () => {
  test('is replaced, and says what is wrong', () => {
    expect(admin('PUT', `/workspaces/${workspaceId}`, { workspace: { name: 'Edited' } }).status).toBe(200);
    const edited = { id: workspaceId, name: 'Edited' };
    expect(admin('GET', `/workspaces/${workspaceId}`).json.workspace).toMatchObject(edited);
    const { errors } = admin('PUT', `/workspaces/${workspaceId}`, { workspace: { slug: 1 } }).json;
    expect(errors).toEqual([{ at: '/slug', expected: 'a string', actual: '1' }]);
  });

  test('is removed, and then accepts no agents', () => {
    const { total } = admin('GET', '/workspaces').json;
    expect(admin('DELETE', `/workspaces/${workspaceId}`).json).toEqual({ workspaceId, removed: true });
    expect(admin('GET', '/workspaces').json.total).toBe(total - 1);
    expect(call('/api/v1/agents', { body: { workspaceId, agent: { name: 'A' } } }).status).toBe(404);
    expect(mock.target.workspaceId).not.toBe(workspaceId);
    expect(call(`/api/v1/agents/${agentId}`).status).toBe(200);
  });
});

test('edits by hand use up the same room as what clients write', () => {
  const small = testMock({ mostWritten: 2000 });
  const agent = { version: '6', description: 'x'.repeat(5000) };
  const { status, json } = small.call(`/__admin/agents/${agentId}`, { method: 'PUT', body: { agent } });
  expect([status, json.error]).toEqual([400, expect.stringContaining('A session holds at most 500 characters')]);
});
