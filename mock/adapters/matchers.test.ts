import type { EndpointId } from '../../spec/index.ts';
import { testMock } from '../testing/test-client.ts';
import { matchers, type ReceivedPattern } from './matchers.ts';
import rows from '../testing/journal.json';

let { mock, call } = testMock();
beforeEach(() => void ({ mock, call } = testMock()));

expect.extend(matchers);

const create = (name: string): unknown =>
  call('/api/v1/agents', { body: { workspaceId: 'w', agent: { name, groups: [] } } });

function thrown(assert: () => unknown): string {
  try {
    assert();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}

test('pass for a request that was received', () => {
  create('x');
  expect(mock).toHaveReceived('create-agent');
  expect(mock).toHaveReceived('create-agent', { body: { agent: { name: 'x' } } });
  expect(mock).toHaveReceived('create-agent', { body: { agent: { name: expect.stringMatching(/^x$/) as string } } });
  expect(mock).not.toHaveReceived('create-agent', { body: { agent: { name: 'y' } } });
  expect(mock).not.toHaveReceived('create-agent', { body: { agent: { groups: [{}] } } });
  expect(mock).not.toHaveReceived('get-agent');
  expect(mock.session('other')).not.toHaveReceived('create-agent');
});

test('count the requests', () => {
  create('x');
  create('y');
  expect(mock).toHaveReceivedTimes(2, 'create-agent');
  expect(mock).toHaveReceivedTimes(1, 'create-agent', { body: { agent: { name: 'y' } } });
  expect(mock).toHaveReceivedTimes(0, 'get-agent');
  expect(mock).not.toHaveReceivedTimes(1, 'create-agent');
  expect(thrown(() => expect(mock).toHaveReceivedTimes(1, 'create-agent'))).toBe(
    `Expected the mock to have received create-agent once; it was received 2 times.

These are:
  1. POST /api/v1/agents -> 404 (create-agent)
  2. POST /api/v1/agents -> 404 (create-agent)`,
  );
});

test('show a broken connection instead of a status', () => {
  mock.plans.add({ on: 'create-agent', steps: [{ fault: 'CONNECTION_RESET_BY_PEER' }] });
  create('x');
  const expected = '1. POST /api/v1/agents -> CONNECTION_RESET_BY_PEER (create-agent)';
  expect(thrown(() => expect(mock).toHaveReceivedTimes(2, 'create-agent'))).toContain(expected);
});

test('show the nearest request and how it differs', () => {
  call('/api/v1/agents/none?x=1');
  create('x');
  create('y');
  call('/nowhere');
  const pattern: ReceivedPattern = {
    headers: { 'X-App': 'mine' },
    status: 201,
    body: { workspaceId: 'w', agent: { name: 'x', icon: expect.any(String) as string, groups: [{}] } },
  };
  const message = thrown(() => expect(mock).toHaveReceived('create-agent', pattern));
  expect(message.slice(0, message.indexOf('differs:'))).toBe(
    `Expected the mock to have received create-agent with {"body": {"agent": {"groups": [{}], "icon": Any<String>, "name": "x"}, "workspaceId": "w"}, "headers": {"X-App": "mine"}, "status": 201}.

It received:
  1. GET /api/v1/agents/none?x=1 -> 404 (get-agent)
  2. POST /api/v1/agents -> 404 (create-agent)
  3. POST /api/v1/agents -> 404 (create-agent)
  4. GET /nowhere -> 404 (no endpoint)

The nearest is number 3, which `,
  );
  expect(message).toContain('-   "status": 201,');
  expect(message).toContain('+   "status": 404,');
  expect(message).toContain('-       "icon": Any<String>,');
  // Only what the pattern names is compared.
  expect(message).not.toContain('content-type');
});

const differences = rows.differences as [ReceivedPattern, unknown][];
test.each(differences)('say what was received instead of %j', (pattern, received) => {
  call('/api/v1/agents/a?limit=2', { headers: { 'x-own': 'a' } });
  const equals = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const diff = (_: unknown, got: unknown): string => JSON.stringify(got);
  const context = { isNot: false, equals, utils: { subsetEquality: undefined, diff, stringify: String } };
  const { pass, message } = matchers.toHaveReceived.call(context, mock, 'get-agent', pattern);
  expect(pass).toBe(false);
  expect(message().split('which differs:\n')[1]).toBe(JSON.stringify({ [Object.keys(pattern)[0] ?? '']: received }));
});

test('fail for a request that should not have come', () => {
  call('/api/v1/agents/none');
  expect(thrown(() => expect(mock).not.toHaveReceived('get-agent', { agentId: 'none' }))).toBe(
    `Expected the mock not to have received get-agent with {"agentId": "none"}.

It received:
  1. GET /api/v1/agents/none -> 404 (get-agent)`,
  );
});

test('say that no request came', () => {
  const expected = 'Expected the mock to have received get-agent.\n\nIt received no request.';
  expect(thrown(() => expect(mock).toHaveReceived('get-agent'))).toBe(expected);
});

test('fail with and without "not" if the journal dropped what they need, and say why', () => {
  create('x');
  for (let n = 0; n < 1000; n++) call('/api/v1/agents/none');
  const why = 'The journal does not hold everything that the mock received: 1 entry was dropped to make room';
  expect(thrown(() => expect(mock).toHaveReceived('create-agent'))).toContain(why);
  expect(thrown(() => expect(mock).not.toHaveReceived('create-agent'))).toContain(why);
  expect(thrown(() => expect(mock).toHaveReceivedTimes(1000, 'get-agent'))).toContain(why);
  expect(thrown(() => expect(mock).not.toHaveReceivedTimes(1001, 'get-agent'))).toContain(why);
  expect(mock).not.toHaveReceivedTimes(999, 'get-agent');
  expect(mock).toHaveReceived('get-agent');
  expect(mock).not.toHaveReceived('create-agent', { after: 1 });
  expect(mock).toHaveReceivedTimes(1000, 'get-agent', { after: 1 });
});

test('show no secret in a message', () => {
  call('/api/v1/agents/none');
  const message = thrown(() => expect(mock).toHaveReceived('get-agent', { headers: { authorization: 'x' } }));
  expect(message).toContain('+     "authorization": "Bearer $TOKEN"');
  expect(message).not.toContain(mock.target.token);
});

test('check plans', () => {
  expect(mock).toHaveFinishedPlans();
  mock.plans.add({ on: 'get-agent', steps: [{ code: 503, times: 2 }, {}] });
  call('/api/v1/agents/none');
  expect(mock).not.toHaveFinishedPlans();
  expect(thrown(() => expect(mock).toHaveFinishedPlans())).toBe(
    `Expected all plans of the mock to be finished.

  plan-1 on get-agent: 2 to come, of {"code":503,"times":2} (met once), {} (met never)`,
  );
  call('/api/v1/agents/none');
  call('/api/v1/agents/none');
  expect(mock).toHaveFinishedPlans();
  expect(thrown(() => expect(mock).not.toHaveFinishedPlans())).toContain('all of them are finished');
});

test.each<[unknown, string, object, RegExp]>([
  [{}, 'get-agent', {}, /takes a mock or one of its sessions, not \{\}/],
  [undefined, 'get-agent', {}, /sessions, not undefined/],
  [testMock().mock, 'get-agents', {}, /There is no endpoint "get-agents"\. Did you mean get-agent/],
  [testMock().mock, 'get-agent', { boddy: {} }, /A pattern has no part "boddy"\. Did you mean body\?/],
])('report a mistake in a test: %#', (received, endpoint, pattern, message) => {
  expect(() => expect(received).not.toHaveReceived(endpoint as EndpointId, pattern)).toThrow(message);
});
