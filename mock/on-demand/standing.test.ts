import { MockError } from '../mock-error.ts';
import { createMock } from '../mock.ts';
import { like, testMock } from '../testing/test-client.ts';
import type { PlanRequest, PlanStep } from './plans.ts';
import rows from '../testing/preferences.json';

let { mock, call } = testMock();
beforeEach(() => void ({ mock, call } = testMock()));

const agents = '/api/v1/agents/nobody';
const workspaces = '/api/v1/workspaces';

test('a standing answer stays until it is removed, and one for an endpoint precedes one for all', () => {
  const statuses = (): number[] => [call(agents).status, call(agents).status, call(workspaces, { body: {} }).status];
  mock.standing.set('get-agent', { code: 503 });
  expect(statuses()).toEqual([503, 503, 400]);
  mock.standing.set('every', { code: 429 });
  expect(statuses()).toEqual([503, 503, 429]);
  mock.standing.set('get-agent', { code: 500 });
  expect(statuses()).toEqual([500, 500, 429]);
  expect(mock.standing.remove('get-agent')).toBe(true);
  expect(statuses()).toEqual([429, 429, 429]);
  mock.standing.clear();
  expect(statuses()).toEqual([404, 404, 400]);
  expect(mock.standing.remove('get-agent')).toBe(false);
});

test('a plan precedes it, and a preference of the request precedes both', () => {
  mock.standing.set('get-agent', { code: 503 });
  mock.plans.add({ on: 'get-agent', steps: [{ code: 500 }] });
  expect([call(agents).status, call(agents).status]).toEqual([500, 503]);
  expect(call(agents, { headers: { prefer: 'code=401' } }).status).toBe(401);
  expect(mock.journal.entries().map(({ plan }) => plan)).toEqual(['plan-1', 'standing', 'standing']);
});

test('can be an empty list, a slow answer or a broken connection', () => {
  const list = `/api/v1/agents/${mock.target.agentId}/results?timeFilter=allTime`;
  mock.standing.set('list-results', { example: 'empty-page' });
  expect(call(list).json).toEqual({ results: [], nextCursor: null });
  mock.standing.set('list-results', { delay: 3000 });
  mock.standing.set('get-agent', { fault: 'CONNECTION_RESET_BY_PEER' });
  const delivered = (target: string): unknown => mock.handle({ method: 'GET', target, headers: {} }).delivery;
  expect(delivered(list)).toEqual({ delay: 3000 });
  expect(delivered(agents)).toEqual({ connection: 'CONNECTION_RESET_BY_PEER' });
});

test('belongs to one session, and ends with a reset', () => {
  mock.session('one').standing.set('every', { code: 503 });
  expect([call(agents).status, call(`/_s/one${agents}`).status]).toEqual([404, 503]);
  mock.session('one').reset();
  expect(call(`/_s/one${agents}`).status).toBe(404);
});

test('can be set, shown and removed through the admin API', () => {
  const admin = (method: string, path = '', body?: object): [number, unknown] => {
    const { status, json } = call(`/__admin/standing${path}`, { method, ...(body ? { body } : {}) });
    return [status, json.standing ?? json.error];
  };
  const standing = [{ on: 'get-agent', answer: { code: 404 } }];
  expect(admin('PUT', '/get-agent', { code: 404 })).toEqual([200, standing]);
  expect(admin('GET')).toEqual([200, standing]);
  expect(admin('DELETE', '/get-agent')).toEqual([200, []]);
  expect(admin('DELETE', '/get-agent')[0]).toBe(404);
  expect(admin('DELETE')).toEqual([200, []]);
});

test.each(rows.refusedStanding as [string, object, string][])('%s with %j is refused', (on, answer, message) => {
  expect(() => createMock().standing.set(on as 'every', answer as { code: number })).toThrow(like(message));
});

const refusedExamples = rows.refusedExamples as [PlanRequest['on'], PlanStep, string][];
test.each(refusedExamples)('for %s, the answer %j is refused when it is set', (on, step, message) => {
  for (const [set, where] of [
    [() => mock.standing.set(on, step), 'answer'],
    [() => mock.plans.add({ on, steps: [{}, step] }), 'steps/1'],
  ] as const) {
    expect(set).toThrow(MockError);
    expect(set).toThrow(like(message));
    expect(set).toThrow(where);
  }
  expect([mock.standing.list(), mock.plans.list()]).toEqual([[], []]);
  // An example of one endpoint may be set for all.
  mock.standing.set('every', { example: 'empty-page' });
  expect(mock.standing.list()).toHaveLength(1);
});
