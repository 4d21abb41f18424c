import { endpoints } from '../../spec/index.ts';
import hints from '../testing/hints.json';
import { like, testMock, type TestRequest } from '../testing/test-client.ts';

const { mock, call } = testMock();
const { workspaceId, agentId, publishedAgentId } = mock.target;
const own = { workspaceId, agent: { name: 'A' } };

const known = JSON.stringify(hints).replaceAll('WORKSPACE', workspaceId).replaceAll('AGENT', agentId);
const rows = JSON.parse(known) as typeof hints;

const agents = '/api/v1/agents';
const imports = '/api/v1/agents/import';
const workspaces = '/api/v1/workspaces';
const results = `/api/v1/agents/${agentId}/results`;

const v5 = {
  name: 7,
  groups: [
    { id: 's', title: 3, graphCoordinates: { x: 0, y: '1' }, blocks: [{ type: 'start', outgoingEdgeId: 7 }] },
    { title: 4 },
  ],
  edges: [{ id: 8 }],
};

type Hint = [location: string, message: string, meant?: string];

const sent = (agent: object): object => ({ workspaceId, agent });

describe('the body', () => {
  const expectError = (target: string, request: TestRequest, [location, message, meant]: Hint): string => {
    const { status, json } = call(target, request);
    expect(json.errors[0]).toEqual({ location, message: expect.stringMatching(like(message)), meant });
    const corrected = testMock().call(target.split('?')[0] ?? '', { body: json.example });
    expect([corrected.status, corrected.json.errors]).toEqual([201, undefined]);
    return `${status} ${json.section} ${json.form ?? ''}`;
  };

  test.each(rows.bodies as [unknown, ...Hint][])('%j', (body, ...hint) => {
    expect(expectError(agents, { body }, hint)).toBe('400 4.1 ');
  });

  test.each(rows.agents as [string, string, object, ...Hint][])('%s: %s', (target, form, agent, place, ...hint) => {
    const found = expectError(`/api/v1/${target}`, { body: sent(agent) }, [`body/agent${place}`, ...hint]);
    expect(found).toMatch(like(form));
  });

  test.each(rows.versions as [unknown, string, string?][])('the version %j', (version, ...hint) => {
    const found = expectError(imports, { body: sent({ version }) }, ['body/agent/version', ...hint]);
    expect(found).toMatch(/^400 4\.2 neither version 6 nor 5, since version is /);
  });

  test.each(rows.others as [string, TestRequest, number, ...Hint][])('%s %j', (target, request, status, ...hint) => {
    expect(expectError(`/api/v1/${target}`, request, hint)).toMatch(new RegExp(`^${status} `));
  });

  test('places in a version 5 agent refer to the body as it was sent, or to the part that was converted', () => {
    const { errors, example } = call(imports, { body: { workspaceId, agent: v5 } }).json;
    const places = errors.map(({ location }: { location: string }) => location);
    expect(places.toSorted()).toEqual(['body/agent/edges', 'body/agent/groups', 'body/agent/name']);
    expect(example).toEqual({ workspaceId, agent: { version: '6', name: 'My agent' } });
  });

  test('the example has what the profile demands: the parts of an import, and a name that is free', () => {
    const strict = testMock({ choices: { 'import-parts': 'required', 'equal-workspace-names': 'refused' } });
    const accepted = (target: string): unknown => {
      const { example } = strict.call(target, { body: {} }).json;
      expect(strict.call(target, { body: example }).json.errors).toBeUndefined();
      return example;
    };
    expect(Object.keys((accepted(imports) as typeof own).agent)).toContain('events');
    expect(accepted(workspaces)).toEqual({ name: 'My workspace' });
    expect(accepted(workspaces)).toEqual({ name: 'My workspace 2' });
  });
});

describe('the query', () => {
  test.each(rows.queries as [string, string, string, string?][])('%s', (query, name, message, ...[meant]) => {
    const { status, json } = call(`${results}?${query}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ location: `query/${name}`, message: expect.stringMatching(like(message)), meant }]);
    expect(json).toMatchObject({ section: '4.5', example: `GET ${results}` });
    const other = new URLSearchParams(query);
    other.set(name, meant ?? '');
    expect(meant === undefined || call(`${results}?${other.toString()}`).status).toBe(meant === undefined || 200);
  });

  test('for unknown names what was meant is said if only known ones are allowed', () => {
    const strict = testMock({ choices: { 'unknown-parameters': 'refused' } });
    const { json } = strict.call(`${results}?timefilter=today&pageSize=5`);
    expect(json.errors.map(({ meant }: { meant: string }) => meant)).toEqual(['timeFilter', 'limit']);
  });
});

describe('the path', () => {
  test.each(rows.paths as [string, string, number, ...string[]][])('%s %s', (method, target, expected, ...hint) => {
    const { status, json } = call(target, { method });
    expect([status, json.section]).toEqual([expected, '4']);
    const [message = '', meant] = hint;
    expect(json.errors).toEqual([{ location: 'path', message: expect.stringMatching(like(message)), meant }]);
  });

  test.each<[string, RegExp, string | undefined]>([
    ['undefined', /the string undefined/, undefined],
    ['%7BagentId%7D', /placeholder/, undefined],
    [workspaceId, /the id of a workspace/, undefined],
    [agentId.toUpperCase(), /Did you mean/, agentId],
    [`%22${agentId}%22`, /in quotes/, agentId],
    ['import', /send POST/, undefined],
    ['nobody', /GET \/__admin\/agents/, undefined],
  ])('an agent %s', (id, message, meant) => {
    const { json } = call(`/api/v1/agents/${id}`);
    expect(json.errors[0].message).toMatch(message);
    expect(json.errors[0].meant).toBe(meant);
    expect(json).toMatchObject({ status: 404, section: '4.3', example: `GET /api/v1/agents/${agentId}` });
  });

  test('an agent that is not published', () => {
    const { id } = call(agents, { body: own }).json.agent;
    const { errors, example } = call(`/api/v1/agents/${id}/publishedAgent`).json;
    expect(errors[0].message).toContain(`POST /__admin/agents/${id}/publish `);
    expect(call(errors[0].message.match(/POST (\S+)/)[1], { method: 'POST' }).status).toBeLessThan(300);
    expect(example).toBe(`GET /api/v1/agents/${publishedAgentId}/publishedAgent`);
  });
});

describe('the token', () => {
  test.each(rows.tokens as [string | null, string][])('%s', (authorization, message) => {
    const { status, text, json } = call(`/api/v1/agents/${agentId}`, { authorization });
    expect(status).toBe(401);
    expect(json.errors[0].message).toMatch(like(message));
    expect(json).toMatchObject({ section: '5', example: 'Authorization: Bearer <token>' });
    expect(text).not.toMatch(/secret|mock-|abc/);
  });

  test.each([
    ['mock-read-token', 'create-agent', /with read access .* Create agent\. A caller with write access may/],
    ['mock-guest-token', 'list-results', /with guest access .*\. A caller with write or read access may/],
  ] as const)('%s may not %s', (token, endpoint, detail) => {
    const { method, path } = endpoints[endpoint];
    const { status, json } = call(path.replace('{agentId}', agentId), { method, token });
    expect(status).toBe(403);
    expect(json.detail).toMatch(detail);
  });
});

describe('texts that are left out', () => {
  const long = 'x'.repeat(3_000_000);
  const manyGroups = Array.from({ length: 50_000 }, () => ({ title: 1 }));
  const names = ['timeFilter', 'limit', 'cursor', 'timeZone', 'start', 'interval'];

  test.each<[string, string, TestRequest]>([
    ['a long value', agents, { body: { workspaceId, agent: { name: [long] } } }],
    ['a long object for an array', agents, { body: { workspaceId, agent: { name: 'A', groups: { id: long } } } }],
    ['a long text that holds JSON', agents, { body: { workspaceId, agent: JSON.stringify({ name: long }) } }],
    ['a long name', agents, { body: { [long]: 1, agent: { [long]: 1 } } }],
    ['a long workspace', agents, { body: { workspaceId: long, agent: {} } }],
    ['many errors', agents, { body: { workspaceId, agent: { groups: manyGroups } } }],
    ['a long content type', agents, { body: own, headers: { 'content-type': long } }],
    ['long text for JSON', agents, { body: long }],
    ['a long version', imports, { body: { workspaceId, agent: { version: long, name: 1 } } }],
    ['a long id', `/api/v1/agents/${long}/results`, {}],
    ['a long path', `/${long}/${long}`, {}],
    ['a long query', `${results}?${names.map((name) => `${name}=${long}`).join('&')}`, {}],
    ['a long method', agents, { method: long }],
    ['a long header', results, { authorization: long }],
  ])('%s is cut', (_, target, request) => {
    const { status, text } = call(target, request);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text.length).toBeLessThan(25_000);
  });

  test('a name that only strict profiles refuse is cut', () => {
    const strict = testMock({ choices: { 'unknown-parameters': 'refused' } });
    expect(strict.call(`${results}?${long}=1`).text.length).toBeLessThan(2000);
  });

  test.each(['trpc', 'minimal', 'contrarian'] as const)('the members of the default in the bodies of %s', (profile) => {
    const { json, text } = testMock({ profile }).call(`${results}?timeFilter=Today`);
    expect(Object.keys(json ?? {}).filter((key) => ['section', 'form', 'example', 'errors'].includes(key))).toEqual([]);
    expect(text).not.toContain('"meant"');
  });

  test('trpc puts the hint into its message', () => {
    const expected = [{ path: ['timeFilter'], message: expect.stringContaining('Did you mean today?') }];
    expect(testMock({ profile: 'trpc' }).call(`${results}?timeFilter=Today`).json.issues).toEqual(expected);
  });

  test('trpc lists no issue for what has no place', () => {
    const { call: unknown, mock: refusing } = testMock({ profile: 'trpc' });
    refusing.setFaults(['get-agent-refused']);
    const { json } = unknown(`/api/v1/agents/${agentId}`);
    expect([json.message, Object.keys(json)]).toEqual(['Input validation failed', ['message', 'code']]);
  });

  test.each([49, 50])('a mistyped version beside %d other names is found among the first 50', (beside) => {
    const odd = Object.fromEntries(Array.from({ length: beside }, (_, i) => [`x-${i}`, i]));
    const { json } = call(imports, { body: { workspaceId, agent: { ...odd, verison: '6', name: 1 } } });
    expect(String(json.form).includes('verison')).toBe(beside < 50);
  });

  test('in an empty world a placeholder replaces an id', () => {
    const empty = testMock({ persona: 'empty' });
    expect(empty.call('/api/v1/agents/x').json.example).toBe('GET /api/v1/agents/{agentId}');
  });
});

test.each(rows.wrongTypes as [string, string][])('the body %s is not an object', (body, message) => {
  expect(call(agents, { body }).json.errors).toEqual([{ location: 'body', message }]);
});
