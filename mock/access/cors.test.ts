import { testMock } from '../test-client.ts';

const origin = 'https://app.example';

test('a browser that asks before it sends is told what it may', () => {
  const { call, mock } = testMock();
  const answer = call('/api/v1/agents', {
    method: 'OPTIONS',
    authorization: null,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type, x-mock-session',
      'access-control-request-private-network': 'true',
    },
  });
  expect(answer.status).toBe(204);
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'authorization, content-type, x-mock-session',
    'access-control-allow-private-network': 'true',
  });
  expect(answer.headers['access-control-allow-methods']).toContain('POST');
  expect(mock.journal.count()).toBe(0);
});

test.each([
  ['an answer', {}, 200],
  ['a refusal', { authorization: null }, 401],
])('%s can be read by a page of another origin', (_, change, status) => {
  const { call, mock } = testMock();
  const answer = call(`/api/v1/agents/${mock.target.agentId}`, { headers: { origin }, ...change });
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'origin' });
  expect(answer.headers['access-control-expose-headers']).toContain('sl-violations');
});

test('without an origin there are no such headers, and OPTIONS is a method like others', () => {
  const { call, mock } = testMock();
  const answer = call(`/api/v1/agents/${mock.target.agentId}`);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(call('/api/v1/agents', { method: 'OPTIONS' }).status).toBe(405);
  const [local, asks] = [{ origin: 'http://localhost:3000' }, { 'access-control-request-method': 'POST' }];
  const statuses = [local, asks, { ...local, ...asks }].map(
    (headers) => call('/api/v1/agents', { method: 'OPTIONS', headers }).status,
  );
  expect(statuses).toEqual([405, 405, 204]);
});
