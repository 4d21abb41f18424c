import { Ajv2020 } from 'ajv/dist/2020.js';
import { testMock, testNow } from '../testing/test-client.ts';
import { adminRoutes } from './index.ts';

let { mock, call } = testMock();
beforeEach(() => void ({ mock, call } = testMock()));
const { agentId, workspaceId, readToken = '' } = mock.target;

function admin(route: string, body?: unknown) {
  const [method = '', path = ''] = route.split(' ');
  return call(`/__admin${path}`, { method, authorization: null, body });
}

test('shows what the session is like, and how it is reached', () => {
  const now = new Date(testNow).toISOString();
  const health = { status: 'ok', seed: 1, persona: 'demo', profile: 'default', session: '', now };
  expect(admin('GET /health').json).toEqual(health);
  expect(admin('GET /target').json).toEqual(mock.target);
  expect(admin('GET /nothing').json.routes).toContain('POST /__admin/reset');
  expect(admin('GET /state').json).toMatchObject({ kind: 'agent-contract-state', version: 3, sessions: { '': {} } });
});

test('switches faults on and off, switches to another profile, and resets', () => {
  const status = (): number => call(`/api/v1/agents/${agentId}`).status;
  expect(admin('PUT /faults', { faults: ['get-agent-refused'] }).json.faults).toEqual(['get-agent-refused']);
  expect(status()).toBe(400);
  expect(admin('DELETE /faults').json).toEqual({ faults: [] });
  expect([status(), admin('PUT /profile', { profile: 'trpc' }).json['error-body']]).toEqual([200, 'trpc']);
  expect(call('/api/v1/agents/x', { authorization: null }).json).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(admin('PUT /profile', { profile: 'none' }).status).toBe(400);
  const { id } = call('/api/v1/workspaces', { body: { name: 'A' } }).json.workspace;
  expect(mock.store.workspace(id)).toBeDefined();
  expect(admin('POST /reset').json).toEqual({ status: 'reset' });
  expect([mock.store.workspace(id), mock.profile['error-body']]).toEqual([undefined, 'problem-json']);
});

test('freezes, sets, advances and resumes the clock', () => {
  expect(admin('GET /clock').json).toEqual({ now: '2026-05-20T15:30:00.000Z', frozen: true });
  expect(admin('POST /clock/set', { at: '2026-06-01T00:00:00Z' }).json.now).toBe('2026-06-01T00:00:00.000Z');
  expect(admin('POST /clock/advance', { by: 'P1DT2H' }).json.now).toBe('2026-06-02T02:00:00.000Z');
  expect(admin('POST /clock/advance', { by: -7_200_000 }).json.now).toBe('2026-06-02T00:00:00.000Z');
  expect(admin('POST /clock/resume').json.frozen).toBe(false);
  const frozen = { now: '2026-01-01T00:00:00.000Z', frozen: true };
  expect(admin('POST /clock/freeze', { at: '2026-01-01' }).json).toEqual(frozen);
  expect(mock.clock.now()).toBe(Date.UTC(2026, 0, 1));
});

test('settings have the names that WireMock uses', () => {
  const off = { fixedDelay: null, delayDistribution: null, rateLimit: null };
  expect(admin('POST /settings', { fixedDelay: 300 }).json).toEqual({ ...off, fixedDelay: 300 });
  const uniform = { type: 'uniform', lower: 1, upper: 2 };
  admin('PUT /settings', { delayDistribution: uniform, rateLimit: { requests: 5, seconds: 1 } });
  expect(mock.settings).toEqual({ latency: uniform, rateLimit: { requests: 5, seconds: 1 } });
  admin('PUT /settings', { rateLimit: null });
  expect(mock.settings).toEqual({ latency: uniform, rateLimit: undefined });
  expect(admin('PUT /settings', { delayDistribution: null }).json).toEqual(off);
  expect([mock.settings.latency, admin('GET /settings').json]).toEqual([undefined, off]);
});

describe('agents and workspaces', () => {
  test('every switch works', () => {
    const { store } = mock;
    for (const [verb, flag, value] of [
      ['archive', 'isArchived', true],
      ['unarchive', 'isArchived', false],
      ['close', 'isClosed', true],
      ['open', 'isClosed', false],
      ['unpublish', 'isPublished', false],
      ['publish', 'isPublished', true],
    ] as const) {
      expect(admin(`POST /agents/${agentId}/${verb}`).json).toEqual({ agentId, [flag]: value });
      expect(store.agent(agentId)?.agent[flag]).toBe(value);
      const listed = admin('GET /agents?limit=1000').json.agents as readonly Record<string, unknown>[];
      expect(listed.find(({ id }) => id === agentId)?.[flag]).toBe(value);
      expect(call(`/api/v1/agents/${agentId}/publishedAgent`).status === 200).toBe(verb !== 'unpublish');
    }
    expect(store.agent(agentId)?.agent['publishedAt']).toBe(new Date(testNow).toISOString());
    admin(`POST /workspaces/${workspaceId}/suspend`);
    expect(admin(`GET /workspaces/${workspaceId}`).json.workspace.isSuspended).toBe(true);
    admin(`POST /workspaces/${workspaceId}/unsuspend`);
    expect(admin('GET /workspaces').json.workspaces[0].isSuspended).toBe(false);
  });

  test('lists new agents first, in pages', () => {
    for (const name of ['A', 'B']) call('/api/v1/agents', { body: { workspaceId, agent: { name } } });
    const { total, agents } = admin('GET /agents?limit=3').json;
    expect(total).toBe(14);
    const rows = agents.map((one: Record<string, string>) => `${one['name']} ${one['origin']} ${one['resultCount']}`);
    expect(rows).toEqual(['B create 0', 'A create 0', 'Solar estimate universe 360']);
    expect(admin('GET /agents?offset=2&limit=1').json.agents[0].id).toBe(agentId);
    expect(admin('GET /agents?offset=99').json.agents).toEqual([]);
    const found = admin('GET /agents?search=SOLAR%20esti').json;
    expect([found.total, found.agents[0].name]).toEqual([1, 'Solar estimate']);
    expect(admin(`GET /agents?search=${agentId}&limit=1`).json).toMatchObject({ total: 1, agents: [{ id: agentId }] });
    expect(admin('GET /agents?search=nowhere').json).toEqual({ total: 0, agents: [] });
    const second = { total: 3, workspaces: [{ name: 'Northwind & Friends' }] };
    expect(admin('GET /workspaces?offset=1&limit=1').json).toMatchObject(second);
    expect(admin(`GET /agents/${agentId}`).json).toMatchObject({ agent: { id: agentId }, publishedAgent: { agentId } });
  });

  test('finds the results that have all the words, in any case, and pages through them', () => {
    const named = ['Ada Lovelace', 'Ada Byron', 'Bea'].map((value) => ({ variables: [{ name: 'Who', value }] }));
    mock.edits.addResults(agentId, named);
    const found = (search: string): readonly unknown[] => {
      const { total, results } = admin(`GET /agents/${agentId}/results?limit=1&search=${search}`).json;
      return [total, results.map((one: (typeof named)[0]) => one.variables[0]?.value)];
    };
    expect(found('wHO')).toEqual([3, ['Ada Lovelace']]);
    expect(found('who%20BYRon')).toEqual([1, ['Ada Byron']]);
    expect(found('nobody-at-all')).toEqual([0, []]);
    // The name of a field.
    expect(found('isCompleted')).toEqual([0, []]);
  });

  test('adds results and sets modes', () => {
    expect(admin(`POST /agents/${agentId}/results`, { count: 3 }).json.ids).toHaveLength(3);
    expect(admin(`POST /agents/${agentId}/results`, { results: [{ id: 'given' }] }).json.ids).toEqual(['given']);
    const first = { total: 364, results: [{ id: 'given' }] };
    expect(admin(`GET /agents/${agentId}/results?limit=1`).json).toMatchObject(first);
    const mode = 'guest';
    expect(admin(`PUT /agents/${agentId}/mode`, { token: readToken, mode }).json).toEqual({ agentId, mode });
    expect(mock.store.mode(readToken, agentId)).toBe(mode);
  });
});

describe('sessions, snapshots, plans', () => {
  test('lists, creates, forks and ends sessions', () => {
    mock.edits.setAgent(agentId, { isArchived: true });
    expect(admin('POST /sessions', { id: 'fresh' }).status).toBe(201);
    expect(admin('POST /sessions', { id: 'copy', from: '' }).status).toBe(201);
    expect(mock.session('copy').store.agent(agentId)?.agent['isArchived']).toBe(true);
    expect(mock.session('fresh').store.agent(agentId)?.agent['isArchived']).toBeFalsy();
    call('/api/v1/workspaces', { body: { name: 'New' } });
    call('/api/v1/agents', { body: { workspaceId: workspaceId, agent: { name: 'New' } } });
    const { sessions } = admin('GET /sessions').json as { sessions: readonly { id: string; created: number }[] };
    expect(sessions.map(({ id, created }) => `${id} ${created}`).toSorted()).toEqual([' 2', 'copy 0', 'fresh 0']);
    expect(admin('DELETE /sessions/copy').status).toBe(200);
    expect(admin('DELETE /sessions/copy').status).toBe(404);
  });

  test('takes, compares, restores and deletes snapshots', () => {
    expect(admin('PUT /snapshots/one').json).toEqual({ snapshots: ['one'] });
    mock.edits.setAgent(agentId, { isArchived: true });
    expect(admin('GET /snapshots/one/diff').text).toContain('/isArchived"');
    expect(admin('POST /snapshots/one/restore').status).toBe(200);
    expect(admin('GET /snapshots/one/diff').json).toEqual([]);
    expect(admin('DELETE /snapshots/one').json).toEqual({ snapshots: [] });
    expect(admin('POST /snapshots/one/restore').json.error).toContain('There is no snapshot "one"');
  });

  test('adds, lists and removes plans', () => {
    const { id } = admin('POST /plans', { on: 'every', steps: [{ code: 503 }] }).json;
    expect(call('/api/v1/agents/x').status).toBe(503);
    expect(admin('GET /plans').json.plans).toMatchObject([{ id, isComplete: true, met: [[1]] }]);
    expect(admin(`DELETE /plans/${id}`).json).toEqual({ plans: [] });
    expect(admin('DELETE /plans').json).toEqual({ plans: [] });
  });
});

test('writes a request as a shell command, in which nothing is executed', () => {
  const headers = { 'x-own': '$(id)', 'content-type': 'text/plain' };
  const line = admin('POST /curl', { method: 'POST', url: 'http://localhost:1/x', headers, body: "it's `id`" });
  const sent = "-H 'x-own: $(id)' -H 'content-type: text/plain' --data-raw 'it'\\''s `id`'";
  expect([line.status, line.json]).toEqual([200, { curl: `curl -sS -i http://localhost:1/x ${sent}` }]);
});

describe('the API itself', () => {
  test('every route answers, whatever the input', () => {
    for (const { method, path } of adminRoutes)
      for (const body of [undefined, {}, [], { id: 1, at: 1, by: {}, steps: 1, faults: 1 }, '{', null]) {
        const route = `${method} ${path.replaceAll(/\{\w+\}/g, '__proto__')}`;
        const { status } = admin(route, method === 'GET' ? undefined : body);
        expect({ route, body, isFine: status < 500 || status === 501 }).toEqual({ route, body, isFine: true });
      }
  });

  const ajv = new Ajv2020({ validateFormats: false });
  // The mock does not check the schemas themselves.
  test.each(adminRoutes.filter(({ body }) => body))('the body of $id has a valid schema', ({ body = {} }) => {
    expect([ajv.validateSchema(body), ajv.errors]).toEqual([true, null]);
  });

  test('describes every route', () => {
    const document = admin('GET /openapi.json').json;
    const paths = document.paths as Record<string, Record<string, { operationId: string }>>;
    for (const { method, path, id } of adminRoutes)
      expect([id, paths[`/__admin${path}`]?.[method.toLowerCase()]?.operationId]).toEqual([id, id]);
    expect(Object.values(paths).flatMap((methods) => Object.keys(methods))).toHaveLength(adminRoutes.length);
    const asked = (document.security as object[]).flatMap((one) => Object.keys(one));
    expect(asked.toSorted()).toEqual(Object.keys(document.components.securitySchemes as object).toSorted());
    const wanted = { adminToken: { type: 'http', scheme: 'bearer' }, adminPassword: { type: 'http', scheme: 'basic' } };
    expect(document.components.securitySchemes).toMatchObject(wanted);
  });

  test('marks one route as a stream, and says that the others answer JSON', () => {
    const paths = admin('GET /openapi.json').json.paths as Record<string, Record<string, unknown>>;
    const types = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods as Record<string, { responses: { '2XX': { content: object } } }>).map(
        (one) => `${path} ${Object.keys(one.responses['2XX'].content).join()}`,
      ),
    );
    const others = types.filter((type) => !type.endsWith(' application/json'));
    expect(others).toEqual(['/__admin/requests/stream text/event-stream']);
  });

  const named = adminRoutes.filter(({ path, creates }) => /\{(?!endpoint)/.test(path) && creates !== true);
  const values = { agent: {}, workspace: {}, result: {}, token: readToken, mode: 'read' };
  test.each(named)('$method $path finds nothing, and changes nothing', ({ method, path, body: schema }) => {
    const before = JSON.stringify(mock.store.overlay());
    const { required = [] } = (schema ?? {}) as { readonly required?: readonly string[] };
    const wanted = Object.fromEntries(Object.entries(values).filter(([name]) => required.includes(name)));
    const { status } = admin(`${method} ${path.replaceAll(/\{\w+\}/g, 'nothing')}`, schema && wanted);
    expect([status, JSON.stringify(mock.store.overlay())]).toEqual([404, before]);
  });
});

test('an error suggests ids that are nearly the same', () => {
  const slip = (id: string): string => `${id.slice(0, -1)}_`;
  expect(admin(`GET /agents/${slip(agentId)}`).json.error).toContain(`Did you mean ${agentId}?`);
  expect(admin(`GET /workspaces/${slip(workspaceId)}`).json.error).toContain(`Did you mean ${workspaceId}?`);
  expect(admin('GET /agents/a').json.error).toMatch(/^There is no agent "a"\. There are \S+, .* and \d+ more\.$/);
});
