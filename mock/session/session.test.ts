import { copyOverlay } from '../store/overlay.ts';
import { checkSnapshots, type Snapshot } from '../state/snapshots.ts';
import { createCore } from '../core.ts';
import { stateText } from '../state/state.ts';
import type { MockOptions } from '../mock-core.ts';
import { testMock, testNow } from '../testing/test-client.ts';
import rows from '../testing/seeds.json';

let { mock, call } = testMock();
beforeEach(() => void ({ mock, call } = testMock()));

const day = 24 * 3600_000;
const { agentId, workspaceId } = testMock().mock.target;
const listing = (id: string, query = 'limit=100&timeFilter=allTime') => `/api/v1/agents/${id}/results?${query}`;

describe('sessions', () => {
  test('a hundred sessions never see each other', () => {
    const ids = Array.from({ length: 100 }, (_, i) => {
      const headers = { 'x-mock-session': `test-${i}` };
      const { json } = call('/api/v1/agents', { headers, body: { workspaceId, agent: { name: `Agent ${i}` } } });
      return json.agent.id as string;
    });
    // The first thing that each session creates has the same id.
    expect(new Set(ids).size).toBe(1);
    for (const [i, id] of ids.entries()) {
      const { json } = call(`/api/v1/agents/${id}`, { headers: { 'x-mock-session': `test-${i}` } });
      expect(json.agent.name).toBe(`Agent ${i}`);
    }
    expect(call(`/api/v1/agents/${ids[0]}`).status).toBe(404);
    expect(mock.sessions.list()).toHaveLength(100);
  });

  test('header and prefix select the same session; the prefix is not part of the path', () => {
    const made = call('/_s/a%20b/api/v1/workspaces', { body: { name: 'W' } });
    expect([made.status, made.json.error]).toEqual([400, expect.stringContaining('The name of a session has')]);
    const { json } = call('/_s/mine/api/v1/agents', { body: { workspaceId, agent: { name: 'Mine' } } });
    expect(call(`/api/v1/agents/${json.agent.id}`, { headers: { 'x-mock-session': 'mine' } }).status).toBe(200);
    const entries = mock.session('mine').journal.entries();
    expect(entries.map(({ url }) => url)).toEqual(['/api/v1/agents', `/api/v1/agents/${json.agent.id}`]);
  });

  test('each has its own clock, faults, profile, latency and journal', () => {
    const one = mock.session('one');
    one.clock.advance(day);
    one.setFaults(['get-agent-refused']);
    one.setProfile('trpc');
    one.setSettings({ latency: { type: 'fixed', milliseconds: 5 } });
    const inOne = call(`/api/v1/agents/${agentId}`, { headers: { 'x-mock-session': 'one' } });
    expect([inOne.status, inOne.headers['date']]).toEqual([400, new Date(testNow + day).toUTCString()]);
    expect(inOne.json).toMatchObject({ code: 'BAD_REQUEST' });
    const own = call(`/api/v1/agents/${agentId}`);
    expect([own.status, own.headers['date']]).toEqual([200, new Date(testNow).toUTCString()]);
    expect([one.journal.count(), mock.journal.count()]).toEqual([1, 1]);
    expect(one.journal.entry(1)?.response.delivery).toEqual({ delay: 5 });
    expect(mock.journal.entry(1)?.response.delivery).toBeNull();
  });

  test('an unused one expires', () => {
    let now = 1000;
    const core = createCore({ sessionLimits: { most: 5, idle: 60_000, now: () => now } });
    core.session('used');
    core.session('left');
    now += 50_000;
    core.session('used');
    now += 20_000;
    expect([core.sessions.has('used'), core.sessions.has('left')]).toEqual([true, false]);
  });

  test('if there are too many, the least recently used one ends', () => {
    const core = createCore({ sessionLimits: { most: 2, idle: 60_000 } });
    core.session('a').edits.setAgent(agentId, { isArchived: true });
    core.session('b');
    core.session('a');
    core.session('c');
    expect(['a', 'b', 'c'].filter((id) => core.sessions.has(id))).toEqual(['a', 'c']);
    expect(core.sessions.end('c')).toBe(true);
    expect(core.sessions.end('c')).toBe(false);
  });

  test('a fork starts as a copy, and then changes independently', () => {
    const { json } = call('/api/v1/agents', { body: { workspaceId, agent: { name: 'A' } } });
    const fork = mock.sessions.fork('copy', mock.state());
    expect(fork.store.agent(json.agent.id)?.agent['name']).toBe('A');
    fork.edits.setAgent(json.agent.id, { isArchived: true });
    expect(mock.store.agent(json.agent.id)?.agent['isArchived']).toBe(false);
  });

  test.each(['', ' ', 'a/b', 'x'.repeat(129), 'é', '__proto__\n'])('refuses the name %j', (id) => {
    if (id === '') expect(mock.session(id).id).toBe('');
    else expect(() => mock.session(id)).toThrow('The name of a session has');
  });
});

describe('clock', () => {
  test('timestamps and windows follow it', () => {
    const today = () => call(listing(agentId, 'timeFilter=today&limit=100')).json.results.length as number;
    expect(today()).toBeGreaterThan(0);
    mock.clock.advance(3 * day);
    expect(today()).toBe(0);
    const { json } = call('/api/v1/agents', { body: { workspaceId, agent: { name: 'Later' } } });
    expect(json.agent.createdAt).toBe(new Date(testNow + 3 * day).toISOString());
  });

  test('results after its present time do not exist yet', () => {
    const all = mock.store.results(agentId);
    const at = all.createdAt(40);
    mock.clock.set(at);
    const { results } = call(listing(agentId)).json;
    expect(Date.parse(results[0].createdAt)).toBe(at);
    mock.clock.set(testNow);
    expect(Date.parse(call(listing(agentId)).json.results[0].createdAt)).toBe(all.createdAt(0));
  });

  test('a request can be answered as of another instant', () => {
    const headers = { 'x-mock-now': '2030-01-02T03:04:05Z' };
    const { json } = call('/api/v1/agents', { headers, body: { workspaceId, agent: { name: 'Later' } } });
    expect(json.agent.createdAt).toBe('2030-01-02T03:04:05.000Z');
    expect(mock.clock.now()).toBe(testNow);
  });

  test.each(['tomorrow', '99999999999999999', ''])('%j is ignored, with a warning', (wanted) => {
    const answer = call(`/api/v1/agents/${agentId}`, { headers: { 'x-mock-now': wanted } });
    expect(answer.headers['date']).toBe(new Date(testNow).toUTCString());
    expect(answer.headers['sl-violations']).toContain('Must be an instant such as');
  });
});

describe('data that the API of the service cannot change', () => {
  test('sets the mode of a token for one agent', () => {
    const { readToken = '' } = mock.target;
    expect(mock.edits.setMode(agentId, 'guest', readToken)).toBe(true);
    expect(call(`/api/v1/agents/${agentId}`, { token: readToken }).json.currentUserMode).toBe('guest');
    expect(call(listing(agentId), { token: readToken }).status).toBe(403);
    const other = mock.store.agentId(1);
    expect(call(`/api/v1/agents/${other}`, { token: readToken }).json.currentUserMode).toBe('read');
    expect(mock.edits.setMode('none', 'guest', readToken)).toBe(false);
    expect(() => mock.edits.setMode(agentId, 'guest', 'unknown')).toThrow('does not know this token');
    expect(() => mock.edits.setMode(agentId, 'owner' as never, readToken)).toThrow(
      'A mode must be guest, read or write',
    );
  });

  test('a suspended workspace accepts nothing new', () => {
    const create = () => call('/api/v1/agents', { body: { workspaceId, agent: { name: 'A' } } }).status;
    expect(mock.edits.setWorkspace(workspaceId, { isSuspended: true })).toBe(true);
    expect(create()).toBe(403);
    mock.edits.setWorkspace(workspaceId, { isSuspended: false });
    expect(create()).toBe(201);
    expect(mock.edits.setWorkspace('none', { isSuspended: true })).toBe(false);
  });

  test('results: generated ones come first, added ones in their place by time', () => {
    const before = mock.store.results(agentId).count;
    const ids = mock.edits.addResults(agentId, 3);
    expect(mock.store.results(agentId).count).toBe(before + 3);
    const { results } = call(listing(agentId, 'limit=3&timeFilter=allTime')).json;
    expect(results.map(({ id }: { id: string }) => id)).toEqual(ids);
    const old = '2001-02-03T04:05:06.000Z';
    const [last] = mock.edits.addResults(agentId, [{ createdAt: old, isCompleted: true }]);
    const all = mock.store.results(agentId);
    expect(all.at(all.count - 1)).toMatchObject({ id: last, createdAt: old, isCompleted: true, answers: [] });
    expect(mock.edits.addResults(mock.store.agentId(11), 2)).toHaveLength(2);
  });

  test.each(rows.refusedResults as [number, string][])('refuses %j as results', (results, message) => {
    const before = mock.store.results(agentId).count;
    expect(() => mock.edits.addResults(agentId, results)).toThrow(message);
    expect(mock.store.results(agentId).count).toBe(before);
    expect(() => mock.edits.addResults('none', 1)).toThrow('There is no agent with the id "none".');
  });
});

describe('snapshots', () => {
  test('restore data and clock', () => {
    mock.snapshots.take('before');
    const { json } = call('/api/v1/agents', { body: { workspaceId, agent: { name: 'A' } } });
    mock.edits.addResults(agentId, 2);
    mock.clock.advance(day);
    mock.snapshots.take('after');
    mock.snapshots.restore('before');
    expect([mock.store.agent(json.agent.id), mock.clock.now()]).toEqual([undefined, testNow]);
    mock.snapshots.restore('after');
    expect([mock.store.agent(json.agent.id)?.agent['name'], mock.clock.now()]).toEqual(['A', testNow + day]);
    expect([mock.snapshots.list(), mock.snapshots.remove('before')]).toEqual([['before', 'after'], true]);
    expect(() => mock.snapshots.restore('before')).toThrow('There is no snapshot "before". The snapshots are after.');
  });

  test('are not changed by later writes', () => {
    mock.edits.addResults(agentId, 1);
    mock.snapshots.take('one');
    mock.edits.addResults(agentId, 1);
    mock.edits.setAgent(agentId, { isArchived: true });
    mock.snapshots.restore('one');
    expect(mock.store.agent(agentId)?.agent['isArchived']).toBeFalsy();
    expect(mock.store.results(agentId).count).toBe(361);
  });

  test('differ by a JSON Patch', () => {
    mock.snapshots.take('start');
    mock.edits.setAgent(agentId, { isArchived: true });
    const { json } = call('/api/v1/agents', { body: { workspaceId, agent: { name: 'A' } } });
    const [resultId] = mock.edits.addResults(agentId, 1);
    const patch = mock.snapshots.diff('start');
    expect(patch).toContainEqual({ op: 'replace', path: `/agents/${agentId}/isArchived`, value: true });
    expect(patch).toContainEqual({ op: 'add', path: `/agents/${json.agent.id}`, value: json.agent });
    expect(patch).toContainEqual(expect.objectContaining({ op: 'add', path: `/results/${agentId}` }));
    expect(JSON.stringify(patch)).toContain(resultId);
    mock.snapshots.take('end');
    expect([mock.snapshots.diff('start', 'end'), mock.snapshots.diff('end')]).toEqual([patch, []]);
    expect(() => mock.snapshots.diff('none')).toThrow('There is no snapshot "none"');
  });

  test('are limited in number for each session', () => {
    for (let n = 0; n < 100; n++) mock.snapshots.take(`s${n}`);
    mock.snapshots.take('s5');
    const { status, json } = call('/__admin/snapshots/more', { method: 'PUT' });
    const error = 'A session keeps at most 100 snapshots. Delete one that you no longer need. The oldest is "s0".';
    expect([status, json.error]).toEqual([400, error]);
    expect(mock.snapshots.list()).toHaveLength(100);
  });

  test('are limited in the number of things that they refer to', () => {
    const things = (length: number): Snapshot => ({
      overlay: { ...copyOverlay(), results: new Map([['a', Array.from({ length }, () => ({}))]]) },
      clock: { offset: 0 },
    });
    const large = things(1_500_000);
    const check = (other: Snapshot) => () => checkSnapshots(new Map(Object.entries({ large, other })));
    expect(check({ ...large, overlay: { ...large.overlay } })).not.toThrow();
    const refusal = 'at most 2000000 agents, results and workspaces together. With this one there would be 2100000.';
    expect(check(things(600_000))).toThrow(refusal);
  });
});

test('a reset restores everything except snapshots', () => {
  const options: MockOptions = { faults: ['limit-ignored'], settings: { rateLimit: { requests: 5, seconds: 1 } } };
  ({ mock, call } = testMock(options));
  mock.snapshots.take('kept');
  const before = mock.state();
  mock.setFaults([]);
  mock.setProfile('trpc');
  mock.setSettings({ rateLimit: undefined, latency: { type: 'fixed', milliseconds: 9 } });
  mock.clock.advance(day);
  mock.plans.add({ on: 'every', steps: [{ code: 503 }] });
  mock.edits.setAgent(agentId, { isArchived: true });
  call('/api/v1/agents/x');
  mock.reset();
  expect(mock.state()).toEqual(before);
  expect([mock.faults, mock.snapshots.list(), mock.settings]).toEqual([['limit-ignored'], ['kept'], options.settings]);
  expect([mock.plans.list(), mock.journal.count()]).toEqual([[], 0]);
});

test('a state continues in another mock, after it was written to a file', () => {
  ({ mock, call } = testMock({ seed: 7, persona: 'tiny' }));
  const { target } = mock;
  const { json } = call('/api/v1/agents', { body: { workspaceId: target.workspaceId, agent: { name: 'A' } } });
  mock.edits.addResults(target.agentId, 2);
  mock.snapshots.take('one');
  mock.session('other').setFaults(['limit-ignored']);
  const state = JSON.parse([...stateText(mock.exportState())].join(''));
  const next = createCore({ state, seed: 1, now: testNow + 5 * day });
  expect([next.seed, next.persona]).toEqual([7, 'tiny']);
  expect(next.store.agent(json.agent.id)?.agent).toEqual(json.agent);
  const read = (core: typeof next) => {
    const results = core.store.results(target.agentId);
    return Array.from({ length: results.count }, (_, i) => results.at(i));
  };
  expect(read(next)).toEqual(read(mock));
  expect([next.snapshots.list(), next.session('other').faults]).toEqual([['one'], ['limit-ignored']]);
  const body = { workspaceId: target.workspaceId, agent: { name: 'B' } };
  expect(testMock({}, next as typeof mock).call('/api/v1/agents', { body }).json.agent.id).not.toBe(json.agent.id);
});
