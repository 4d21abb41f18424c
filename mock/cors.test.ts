import { testMock } from './test-client.ts';

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
});

test.each([
  ['https://evil.example', undefined, 403],
  ['https://localhost.evil.example', undefined, 403],
  ['null', undefined, 403],
  ['http://localhost:5173', undefined, 200],
  ['http://127.0.0.1:8080', undefined, 200],
  ['http://app.localhost', undefined, 200],
  ['http://[::1]:3000', undefined, 200],
  ['http://192.168.1.5:4010', '192.168.1.5:4010', 200],
])('a page of %s may change the mock itself: %s', (page, host, status) => {
  const { call } = testMock();
  const headers = { origin: page, ...(host === undefined ? {} : { host }) };
  expect(call('/__admin/reset', { method: 'POST', headers }).status).toBe(status);
});
