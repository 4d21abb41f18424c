import { testMock, type TestRequest } from '../testing/test-client.ts';

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const agent = '"workspaceId":"WORKSPACE","agent":';

describe('a bad request is refused, the answer says what is wrong where, and nothing changes', () => {
  test.each<[string, TestRequest, number, string]>([
    ['an empty body', { body: '' }, 400, 'body'],
    ['JSON cut short', { body: '{"workspaceId":' }, 400, 'body'],
    ['null', { body: 'null' }, 400, 'body'],
    ['an empty object', { body: '{}' }, 400, 'body/workspaceId'],
    ['no agent', { body: '{"workspaceId":"WORKSPACE"}' }, 400, 'body/agent'],
    ['an agent that is not an object', { body: `{${agent}"x"}` }, 400, 'body/agent'],
    ['bytes that are not UTF-8', { body: new Uint8Array([0x7b, 0xff, 0x7d]) }, 400, 'body'],
    ['10,000 levels', { body: `{${agent}${deep(10_000)}}` }, 400, 'body/agent/a/a/a/a/a/a/a'],
    ['more than 10 MB', { body: `{"x":"${'x'.repeat(10_000_001)}"}` }, 413, 'body'],
  ])('%s', (_, request, status, location) => {
    const { mock, call } = testMock();
    const { workspaceId } = mock.target;
    const body = typeof request.body === 'string' ? request.body.replace('WORKSPACE', workspaceId) : request.body;
    const answer = call('/api/v1/agents', { body });
    const [error] = answer.json.errors;
    expect([answer.status, error.location, error.message === '']).toEqual([status, location, false]);
    expect(mock.store.created()).toEqual({ agents: [], workspaces: [] });
  });

  test('a syntax error is reported with its place', () => {
    const { call } = testMock();
    expect(call('/api/v1/agents', { body: '{\n  "name": tru\n}' }).json.detail).toMatch(/line 2, column \d+/);
  });
});

describe('unusual input is stored unchanged', () => {
  test.each([
    ['built-in names', '{"name":"A","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'],
    ['NUL and lone surrogates', '{"name":"a\\u0000b","note":"\\ud800 \\udfff"}'],
    ['duplicate keys', '{"name":"A","name":"B"}'],
    ['markup and escapes', '{"name":"<script>alert(1)</script>\\u001b[31m"}'],
    ['big numbers', '{"name":"A","big":1e400,"tiny":5e-324}'],
  ])('%s', (_, text) => {
    const { mock, call } = testMock();
    const made = call('/api/v1/agents', { body: `{"workspaceId":"${mock.target.workspaceId}","agent":${text}}` });
    expect(made.status).toBe(201);
    const read = call(`/api/v1/agents/${made.json.agent.id}`);
    const sent = JSON.parse(text) as Record<string, unknown>;
    const own = (of: object, key: string): string => JSON.stringify(Object.getOwnPropertyDescriptor(of, key)?.value);
    for (const key of Object.keys(sent)) expect(own(read.json.agent, key)).toBe(own(sent, key));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('paths', () => {
  const { mock, call } = testMock();

  const odd = ['%00', '%2F', '..%2f..%2fetc', '%F0%9F%92%A9', '__proto__', 'constructor', "'--", '%252F'];
  test.each([...odd, 'a'.repeat(5000)])('an agent with the id %s is not found', (id) => {
    for (const rest of ['', '/results', '/publishedAgent'])
      expect([rest, call(`/api/v1/agents/${id}${rest}`).status]).toEqual([rest, 404]);
  });

  test('reports what cannot be decoded', () => {
    expect(call('/api/v1/agents/%ff').json.errors[0].location).toBe('path/agentId');
  });

  test.each([
    ['DELETE', `/api/v1/agents/${mock.target.agentId}`, 'GET'],
    ['GET', '/api/v1/workspaces', 'POST'],
    ['PUT', '/api/v1/agents', 'POST'],
  ])('%s %s lists the methods there are', (method, target, allow) => {
    expect(call(target, { method })).toMatchObject({ status: 405, headers: { allow } });
  });
});
