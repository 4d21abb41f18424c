import { testMock } from '../testing/test-client.ts';

/** Sessions that write until the mock refuses. */
function setUp(mostWritten: number) {
  const { mock, call } = testMock({ mostWritten });
  const { workspaceId } = mock.target;
  const create = (session: string, length: number): number =>
    call('/api/v1/agents', {
      method: 'POST',
      headers: { 'x-mock-session': session },
      body: { workspaceId, agent: { name: 'A', odd: 'x'.repeat(length) } },
    }).status;
  const until = (session: string, length: number): number => {
    for (let n = 0; n < 1000; n++) if (create(session, length) === 413) return n;
    throw new Error('Nothing was refused.');
  };
  return { mock, call, create, until };
}

test('what clients write has a bound, and each session has its share, whatever the others do', () => {
  const { call, create, until } = setUp(100_000);
  const loud = until('loud', 10_000);
  expect(loud).toBeGreaterThan(6);
  expect(loud).toBeLessThan(10);
  const quiet = until('quiet', 1000);
  expect(quiet).toBeGreaterThan(20);
  expect(create('loud', 10)).toBe(413);
  const { status, json } = call('/__admin/agents', { headers: { 'x-mock-session': 'loud' } });
  expect([status, json.total > 0]).toEqual([200, true]);
});

test('the refusal names a remedy that works', () => {
  const { mock, call, create, until } = setUp(50_000);
  until('', 5000);
  const { status, json } = call('/api/v1/agents', { method: 'POST', body: { agent: { name: 'x'.repeat(5000) } } });
  expect([status, json.detail]).toEqual([413, expect.stringContaining('Reset or end sessions, and delete snapshots.')]);
  mock.takeSnapshot('kept');
  mock.reset();
  expect(create('', 5000)).toBe(413);
  mock.deleteSnapshot('kept');
  expect(create('', 5000)).toBe(201);
  expect(until('other', 5000)).toBeGreaterThan(3);
  mock.sessions.end('other');
  expect(until('', 5000)).toBeGreaterThan(5);
});

test('data that sessions and snapshots share counts once', () => {
  const { mock, call, create } = setUp(100_000);
  create('one', 40_000);
  for (const id of ['two', 'three', 'four']) call('/__admin/sessions', { method: 'POST', body: { id, from: 'one' } });
  mock.session('two').takeSnapshot('kept');
  expect(create('two', 40_000)).toBe(201);
  expect(create('two', 40_000)).toBe(413);
});

test('an imported state counts', () => {
  const { mock, create } = setUp(100_000);
  const other = setUp(1e9);
  for (let n = 0; n < 20; n++) other.create('one', 10_000);
  mock.importState(other.mock.exportState());
  expect(create('one', 10)).toBe(413);
});

test('results count, and a state that is too large for one answer is refused', () => {
  const { mock, call } = setUp(1000);
  const before = call('/__admin/state').status;
  mock.addResults(mock.target.agentId, 10);
  expect(() => mock.addResults(mock.target.agentId, 1)).toThrow('The mock holds 1000 characters');
  jest.spyOn(mock.room, 'fits').mockReturnValue(false);
  const { status, json } = call('/__admin/state');
  expect([before, status, json.error]).toEqual([200, 413, expect.stringContaining('too much for one answer')]);
});
