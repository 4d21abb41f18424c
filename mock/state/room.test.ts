import { testMock } from '../testing/test-client.ts';

/** Sessions that write until the mock refuses. */
function setUp(mostWritten: number) {
  const { mock, call } = testMock({ mostWritten });
  const { workspaceId } = mock.target;
  const create = (session: string, length: number): number => {
    const body = { workspaceId, agent: { name: 'A', odd: 'x'.repeat(length) } };
    return call('/api/v1/agents', { headers: { 'x-mock-session': session }, body }).status;
  };
  const until = (session: string, length: number): number => {
    for (let n = 0; n < 1000; n++) if (create(session, length) === 413) return n;
    throw new Error('Nothing was refused.');
  };
  return { mock, call, create, until };
}

test('what clients write to one session has a bound; beyond that of all, the least recently used end, and that is said', () => {
  const { mock, call, create, until } = setUp(100_000);
  expect(until('loud', 5000)).toBeLessThan(5);
  expect(create('loud', 10_000)).toBe(413);
  const { status, json } = call('/__admin/agents', { headers: { 'x-mock-session': 'loud' } });
  expect([status, json.total > 0]).toEqual([200, true]);
  for (const session of ['b', 'c', 'd', 'e']) expect(until(session, 2000)).toBeGreaterThan(5);
  expect(['loud', 'b', 'c', 'd', 'e'].filter((id) => mock.sessions.has(id))).toEqual(['b', 'c', 'd', 'e']);
  expect(call('/__admin/sessions').json.ended).toBe(1);
  const told = [1, 2].map(() => call('/api/v1/agents/x', { headers: { 'x-mock-session': 'loud' } }).headers);
  expect(told.map((headers) => headers['sl-violations']?.includes('It begins anew'))).toEqual([true, undefined]);
});

test('a refusal says the limit and a remedy, which works', () => {
  const { mock, call, create, until } = setUp(50_000);
  until('', 1000);
  const refused = (length: number): string =>
    call('/api/v1/agents', { method: 'POST', body: { agent: { name: 'x'.repeat(length) } } }).json.detail;
  const limit =
    'A session holds at most 12500 characters of JSON from clients. Reset or end sessions, and delete snapshots.';
  expect([refused(5000), refused(60_000)]).toEqual([limit, limit]);
  mock.snapshots.take('kept');
  mock.reset();
  expect(create('', 5000)).toBe(413);
  mock.snapshots.remove('kept');
  expect(create('', 5000)).toBe(201);
  mock.setWorld({});
  expect(until('', 1000)).toBeGreaterThan(3);
});

test('data that a session and its snapshots share counts once', () => {
  const { mock, create } = setUp(100_000);
  create('one', 10_000);
  for (const name of ['a', 'b', 'c']) mock.session('one').snapshots.take(name);
  mock.session('one').snapshots.restore('a');
  expect([create('one', 10_000), create('one', 10_000)]).toEqual([201, 413]);
});

test.each(['imported', 'copied'])('the data of a session that is %s counts', (way) => {
  const { mock, create } = setUp(100_000);
  const { create: createThere, mock: other } = setUp(1e9);
  for (let n = 0; n < 5; n++) createThere('one', 10_000);
  if (way === 'imported') mock.importState(other.exportState());
  else mock.sessions.fork('one', other.session('one').state());
  expect(create('one', 10)).toBe(413);
});

test('results count, and a state that is too large for one answer is refused', () => {
  const { mock, call } = setUp(1000);
  const before = call('/__admin/state').status;
  mock.edits.addResults(mock.target.agentId, 10);
  expect(() => mock.edits.addResults(mock.target.agentId, 1)).toThrow('A session holds at most 250 characters');
  jest.spyOn(mock.room, 'held', 'get').mockReturnValue(1e9);
  const { status, json } = call('/__admin/state');
  expect([before, status, json.error]).toEqual([200, 413, expect.stringContaining('too much for one answer')]);
});
