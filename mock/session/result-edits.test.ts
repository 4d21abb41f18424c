import { createMock } from '../mock.ts';
import { testMock, testNow, type TestAnswer } from '../testing/test-client.ts';

const { mock, call } = testMock({ seedData: { results: {}, agents: [{ id: 'mine', name: 'M' }] } });
const { agentId } = mock.target;
const admin = (method: string, path: string, body?: object): TestAnswer =>
  call(`/__admin/agents/${path}`, { method, ...(body ? { body } : {}) });
/** The ids of the newest results, as the service lists them. */
const listed = (id = agentId, limit = 5): readonly string[] =>
  call(`/api/v1/agents/${id}/results?timeFilter=allTime&limit=${limit}`).json.results.map(
    (result: { readonly id: string }) => result.id,
  );
beforeEach(() => mock.reset());

test.each([0, 7, 359])('the result at place %i is found by its id', (place) => {
  const result = mock.store.results(agentId).at(place);
  expect(admin('GET', `${agentId}/results/${result.id}`).json).toEqual({ result });
});

describe('a generated result', () => {
  test('is edited in place', () => {
    const before = listed();
    const [, second = ''] = before;
    const { result } = admin('GET', `${agentId}/results/${second}`).json;
    const edited = { ...result, id: 'other', isArchived: true };
    const { status, json } = admin('PUT', `${agentId}/results/${second}`, { result: edited });
    expect([status, json]).toEqual([200, { agentId, resultId: second, errors: [] }]);
    expect(listed()).toEqual(before);
    const expected = { ...edited, id: second, updatedAt: new Date(testNow).toISOString() };
    expect(admin('GET', `${agentId}/results/${second}`).json.result).toEqual(expected);
    expect(mock.store.results(agentId).count).toBe(360);
  });

  test('moves if its creation time changes', () => {
    const [first = '', second = ''] = listed();
    const { result } = admin('GET', `${agentId}/results/${second}`).json;
    mock.edits.replaceResult(agentId, second, { ...result, createdAt: '2026-05-20T15:30:00Z' });
    expect(listed().slice(0, 2)).toEqual([second, first]);
    mock.edits.replaceResult(agentId, second, { ...result, createdAt: '2000-01-01' });
    expect(mock.store.results(agentId).at(359).id).toBe(second);
  });

  test('can be removed only once', () => {
    const before = listed(agentId, 6);
    for (const place of [1, 3]) expect(mock.store.removeResult(agentId, before[place] ?? '')).toBe(true);
    expect(listed(agentId, 4)).toEqual([0, 2, 4, 5].map((place) => before[place]));
    expect(admin('DELETE', `${agentId}/results/${before[1]}`).status).toBe(404);
    expect(admin('GET', `${agentId}/results`).json.total).toBe(358);
  });

  test('stays edited or removed in a state and a snapshot, and is restored by a reset', () => {
    const before = listed();
    const [first = '', second = ''] = before;
    mock.snapshots.take('before');
    mock.store.removeResult(agentId, first);
    mock.edits.replaceResult(agentId, second, { createdAt: '2026-05-20T10:00:00Z', isCompleted: true });
    const steps = mock.snapshots.diff('before').map(({ op, path }) => `${op} ${path.split('/').slice(0, 4).join('/')}`);
    for (const step of [`remove /results/${agentId}/${first}`, `replace /results/${agentId}/${second}`])
      expect(steps).toContain(step);
    const later = createMock({ state: mock.exportState() });
    expect(later.store.result(agentId, first)).toBeUndefined();
    expect(later.store.result(agentId, second)).toMatchObject({ createdAt: '2026-05-20T10:00:00Z' });
    mock.snapshots.restore('before');
    expect(listed()).toEqual(before);
    mock.store.removeResult(agentId, first);
    mock.reset();
    expect(listed()).toEqual(before);
    mock.snapshots.remove('before');
  });
});

describe('an added result', () => {
  test('is validated first, with the place of each error', () => {
    const results = [{ isCompleted: 1 }, { createdAt: 'soon' }];
    const errors = [
      { at: '/results/0/isCompleted', expected: 'true or false', actual: '1' },
      { at: '/results/1/createdAt', expected: 'an instant such as 2026-05-20T15:30:00Z', actual: '"soon"' },
    ];
    expect(admin('POST', 'mine/results?check=true', { results }).json).toEqual({ errors });
    expect(admin('POST', 'mine/results?check=true', { results: [{}] }).json).toEqual({ errors: [] });
    const refused = admin('POST', 'mine/results', { results });
    const error = expect.stringContaining('/results/0/isCompleted must be true or false; it is 1.');
    expect([refused.status, refused.json]).toEqual([400, { error, errors }]);
    expect(listed('mine')).toEqual([]);
  });

  test('is edited and removed, and leaves nothing behind', () => {
    mock.edits.addResults('mine', [{ id: 'one' }, { id: 'two', createdAt: '2026-05-20T01:00:00Z' }]);
    expect(listed('mine')).toEqual(['one', 'two']);
    mock.edits.replaceResult('mine', 'two', { createdAt: '2026-05-20T15:30:00Z', hasStarted: false });
    expect(mock.store.result('mine', 'two')).toMatchObject({ hasStarted: false });
    expect(admin('DELETE', 'mine/results/one').json).toEqual({ agentId: 'mine', resultId: 'one', removed: true });
    mock.store.removeResult('mine', 'two');
    expect(listed('mine')).toEqual([]);
    expect(mock.store.overlay().removedResults.size).toBe(0);
  });
});

test('an invalid result is not added, and a check changes nothing', () => {
  const [first = ''] = listed();
  const before = mock.store.result(agentId, first);
  const result = { isCompleted: 'yes' };
  const errors = [
    { at: '/isCompleted', expected: 'true or false', actual: '"yes"' },
    { at: '/createdAt', expected: 'an instant such as 2026-05-20T15:30:00Z', actual: 'nothing' },
  ];
  expect(admin('PUT', `${agentId}/results/${first}?check=true`, { result }).json).toEqual({ errors });
  expect(admin('PUT', `${agentId}/results/${first}`, { result }).json.errors).toEqual(errors);
  admin('PUT', `${agentId}/results/${first}?check=true`, { result: { createdAt: '2026-05-20T15:30:00Z' } });
  expect(mock.store.result(agentId, first)).toEqual(before);
});

test('an unknown id is refused, with a suggestion, and a removed agent has no results', () => {
  const [first = ''] = listed();
  const slip = `${first.slice(0, -1)}_`;
  expect(admin('GET', `${agentId}/results/${slip}`).json.error).toContain(`Did you mean ${first}?`);
  expect(admin('GET', `nobody/results/${first}`).json.error).toContain('There is no agent "nobody"');
  mock.store.removeAgent(agentId);
  expect(mock.store.result(agentId, first)).toBeUndefined();
  expect(mock.store.removeResult(agentId, first)).toBe(false);
});

describe('another world for a session', () => {
  test('has other data until a reset', () => {
    const session = mock.session('other');
    const before = session.target;
    expect(session.world).toEqual({ seed: 1, persona: 'demo' });
    session.edits.setAgent(before.agentId, { isArchived: true });
    session.setWorld({ seed: 7 });
    expect(session.world).toEqual({ seed: 7, persona: 'demo' });
    expect(session.store.agent(before.agentId)).toBeUndefined();
    expect(session.store.agent('mine')).toBeDefined();
    expect(mock.target).toEqual(before);
    session.reset();
    expect([session.world, session.target]).toEqual([{ seed: 1, persona: 'demo' }, before]);
    expect(session.store.agent(before.agentId)?.agent['isArchived']).not.toBe(true);
  });

  test('is preserved by a fork, a state and a snapshot', () => {
    const session = mock.session('kept');
    session.snapshots.take('before');
    session.setWorld({ persona: 'tiny', seed: 3 });
    session.snapshots.take('tiny');
    const { target } = session;
    expect(() => session.snapshots.diff('before')).toThrow('two different worlds');
    expect(session.snapshots.diff('tiny')).toEqual([]);
    const fork = mock.sessions.fork('fork', session.state());
    expect([fork.world, fork.target]).toEqual([{ persona: 'tiny', seed: 3 }, target]);
    const later = createMock({ seedData: { agents: [] }, state: mock.exportState() }).session('kept');
    expect(later.target).toEqual(target);
    session.snapshots.restore('before');
    expect(session.world).toEqual({ seed: 1, persona: 'demo' });
    session.snapshots.restore('tiny');
    expect(session.target).toEqual(target);
  });

  test('can be set and shown for a named session through the admin API', () => {
    const tiny = { seed: 1, persona: 'tiny' };
    expect(call('/_s/world/__admin/world', { method: 'PUT', body: { persona: 'tiny' } }).json).toEqual(tiny);
    expect(call('/_s/world/__admin/health').json).toMatchObject(tiny);
    expect(call('/__admin/health').json).toMatchObject({ persona: 'demo' });
    expect(() => mock.setWorld({ seed: -1 })).toThrow('seed is -1; it must be a whole number');
    expect(() => mock.setWorld({ persona: 'demmo' as 'demo' })).toThrow('Did you mean demo?');
  });
});
