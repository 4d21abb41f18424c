import { testMock } from '../testing/test-client.ts';

const origin = 'https://app.example';

test('a preflight request gets the rules for cross-origin requests', () => {
  const { call, mock } = testMock();
  const names = 'authorization, content-type, x-mock-session';
  const asks = { method: 'POST', headers: names, 'private-network': 'true' };
  const asked = Object.entries(asks).map(([name, value]) => [`access-control-request-${name}`, value] as const);
  const headers = { origin, ...Object.fromEntries(asked) };
  const answer = call('/api/v1/agents', { method: 'OPTIONS', authorization: null, headers });
  const allowed = { origin, credentials: 'true', headers: names, 'private-network': 'true' };
  for (const [name, value] of Object.entries({ ...allowed, methods: expect.stringContaining('POST') as string }))
    expect(answer.headers).toHaveProperty(`access-control-allow-${name}`, value);
  expect(answer.status).toBe(204);
  expect(mock.journal.count()).toBe(0);
});

test.each([
  ['an answer', {}, 200],
  ['a refusal', { authorization: null }, 401],
])('pages of another origin can read %s', (_, change, status) => {
  const { call, mock } = testMock();
  const answer = call(`/api/v1/agents/${mock.target.agentId}`, { headers: { origin }, ...change });
  expect(answer).toMatchObject({ status, headers: { 'access-control-allow-origin': origin, vary: 'origin' } });
  expect(answer.headers['access-control-expose-headers']).toContain('sl-violations');
});

test('a request without an origin gets no such headers, and OPTIONS without one is an ordinary method', () => {
  const { call, mock } = testMock();
  const answer = call(`/api/v1/agents/${mock.target.agentId}`);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(call('/api/v1/agents', { method: 'OPTIONS' }).status).toBe(405);
  const [local, asks] = [{ origin: 'http://localhost:3000' }, { 'access-control-request-method': 'POST' }];
  const status = (headers: object): number =>
    call('/api/v1/agents', { method: 'OPTIONS', headers: { ...headers } }).status;
  expect([status(local), status(asks), status({ ...local, ...asks })]).toEqual([405, 405, 204]);
});
