import { createMock, MockError, profiles } from '../index.ts';
import { testMock } from '../testing/test-client.ts';

const create = { workspaceId: 'w', agent: { name: 'Written' } };

describe('a new initial world', () => {
  test('puts other seed data below what was written, in every session', () => {
    const { mock, call } = testMock({ seedData: { agents: [{ id: 'one', name: 'One' }], workspaces: [{ id: 'w' }] } });
    const { id } = call('/api/v1/agents', { body: create }).json.agent;
    const status = (agent: string, session = '') =>
      call(`/api/v1/agents/${agent}`, { headers: session === '' ? {} : { 'x-mock-session': session } }).status;
    expect(status('one', 's')).toBe(200);
    mock.setBeginning({ seedData: { agents: [{ id: 'two', name: 'Two' }] } });
    expect(['one', 'two', id].map((agent) => status(agent))).toEqual([404, 200, 200]);
    expect(['one', 'two'].map((agent) => status(agent, 's'))).toEqual([404, 200]);
    expect(status('two', 'new')).toBe(200);
    mock.reset();
    expect(['two', id].map((agent) => status(agent))).toEqual([200, 404]);
  });

  test('applies a profile to sessions without their own, and keeps what was written', () => {
    const seedData = { workspaces: [{ id: 'w' }] };
    const { mock, call } = testMock({ profile: { 'invalid-status': 'unprocessable-422' }, seedData });
    mock.session('own').setProfile('trpc');
    const { id } = call('/api/v1/agents', { body: create }).json.agent;
    mock.setBeginning({ profile: 'contrarian' });
    expect(mock.profile).toEqual(profiles.contrarian);
    expect(mock.session('own').profile).toEqual(profiles.trpc);
    expect(mock.session('new').profile).toEqual(profiles.contrarian);
    expect(call(`/api/v1/agents/${id}`).status).toBe(200);
  });

  test('changes nothing if it is invalid', () => {
    const { mock, call } = testMock({ seedData: { agents: [{ id: 'one', name: 'One' }] } });
    expect(() => mock.setBeginning({ profile: 'trpc', seedData: { results: { none: [] } } })).toThrow(MockError);
    expect(mock.profile).toEqual(profiles.default);
    expect(call('/api/v1/agents/one').status).toBe(200);
  });
});

describe('an imported state', () => {
  test('replaces the present one, even if its world differs', () => {
    const { mock: before } = testMock({ seed: 7, persona: 'tiny' });
    before.setFaults(['limit-1-refused']);
    before.session('a').snapshots.take('first');
    const { mock } = testMock();
    const kept = mock.session('a');
    mock.session('b');
    mock.importState(JSON.parse(JSON.stringify(before.exportState())));
    expect(mock.exportState()).toEqual(before.exportState());
    expect([mock.seed, mock.persona, mock.target, mock.faults]).toEqual([7, 'tiny', before.target, before.faults]);
    expect(mock.session('a')).toBe(kept);
    expect(mock.sessions.list().map(({ id }) => id)).toEqual(['a']);
  });

  test.each([
    ['a fault', { faults: ['none'] }, /no fault "none"/],
    ['a choice', { profile: { 'error-body': 'none' } }, /no choice "none"/],
    ['a setting', { settings: { latency: { type: 'fixed', milliseconds: -1 } } }, /latency.milliseconds is -1/],
  ])('with an invalid value for %s is refused, and changes nothing', (_, changes, message) => {
    const { mock } = testMock();
    const before = mock.exportState();
    const { '': own } = before.sessions;
    const state = { ...before, seed: 9, sessions: { '': own, bad: { ...own, ...changes } } } as typeof before;
    expect(() => mock.importState(state)).toThrow(message);
    expect(() => createMock({ state })).toThrow(message);
    expect(mock.exportState()).toEqual(before);
  });
});

test('a server that closes finishes the current answer, and does not wait for idle connections and streams', async () => {
  const mock = createMock({ now: 0, frozen: true });
  const server = await mock.listen();
  const stream = await fetch(`${server.url}/__admin/requests/stream`);
  const arrived = new Promise<void>((resolve) => mock.journal.subscribe(() => resolve()));
  const { agentId, token } = mock.target;
  const headers = { authorization: `Bearer ${token}`, prefer: 'delay=80' };
  const answer = fetch(`${server.url}/api/v1/agents/${agentId}`, { headers });
  await arrived;
  // The test would time out if the server waited for the stream.
  await server.close(600_000);
  expect(await (await answer).json()).toHaveProperty('agent');
  await stream.body?.cancel();
});
