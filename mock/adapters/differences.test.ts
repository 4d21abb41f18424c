import { testMock } from '../testing/test-client.ts';
import { differences, isPart, partNames } from './differences.ts';

const { mock, call } = testMock();
call(`/api/v1/agents/${mock.target.agentId}?limit=2`, { headers: { 'x-own': 'a' } });
const [entry] = mock.journal.entries();
const url = `/api/v1/agents/${mock.target.agentId}`;

test.each([
  [{ endpoint: 'list-results' }, 'endpoint: expected "list-results", received "get-agent"'],
  [{ agentId: 'other' }, `agentId: expected "other", received "${mock.target.agentId}"`],
  [{ method: 'PUT' }, 'method: expected "PUT", received "GET"'],
  [{ url: '/other' }, `url: expected "/other", received "${url}?limit=2"`],
  [{ urlPath: '/other' }, `urlPath: expected "/other", received "${url}"`],
  [{ queryParameters: { limit: '3' } }, 'queryParameters: expected {"limit":"3"}, received {"limit":"2"}'],
  [
    { headers: { 'X-Own': 'b', 'x-none': 'c' } },
    'headers: expected {"X-Own":"b","x-none":"c"}, received {"x-own":"a"}',
  ],
  [{ status: 404 }, 'status: expected 404, received 200'],
  [{ wasMatched: false }, 'wasMatched: expected false, received true'],
  [{ after: 7 }, 'after: expected 7, received 1'],
] as const)('the difference from %j says what was received', (pattern, expected) => {
  expect(entry && differences(entry, pattern)).toEqual([expected]);
  expect(Object.keys(pattern).every(isPart)).toBe(true);
});

test('a match has no differences, and every part of a pattern is known', () => {
  expect(
    entry && differences(entry, { endpoint: 'get-agent', url: `${url}?limit=2`, headers: { 'X-Own': 'a' } }),
  ).toEqual([]);
  expect(partNames.filter((name) => !isPart(name))).toEqual([]);
  expect(isPart('toString')).toBe(false);
});
