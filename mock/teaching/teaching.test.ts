import { endpoints } from '../../spec/index.ts';
import { testMock, testNow, type TestRequest } from '../testing/test-client.ts';

const { mock, call } = testMock();
const { workspaceId, agentId, publishedAgentId } = mock.target;
const own = { workspaceId, agent: { name: 'A' } };

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

type Row = [body: unknown, location: string, message: RegExp, meant?: string];

const sent = (agent: object): object => ({ workspaceId, agent });

describe('the body', () => {
  const expectError = (target: string, request: TestRequest, [, location, message, meant]: Row): string => {
    const { status, json } = call(target, request);
    expect([status, json.errors[0]]).toEqual([status, { location, message: expect.stringMatching(message), meant }]);
    const corrected = testMock().call(target.split('?')[0] ?? '', { body: json.example });
    expect([corrected.status, corrected.json.errors]).toEqual([201, undefined]);
    return `${status} ${json.section} ${json.form ?? ''}`;
  };

  test.each<Row>([
    [{ workspaceID: workspaceId, agent: { name: 'A' } }, 'body/workspaceId', /there is "workspaceID"/, 'workspaceId'],
    [{ workspaceId, agnet: { nmae: 'A' } }, 'body/agent', /Did you mean agent\?/, 'agent'],
    [{ workspaceId, name: 'A', groups: [] }, 'body/agent', /name, groups are at the top level\. Put them under agent/],
    [{ data: own }, 'body/workspaceId', /is under "data"/],
    [JSON.stringify(JSON.stringify(own)), 'body', /JSON\.stringify only once/],
    ['[object Object]', 'body', /with JSON\.stringify/],
    ['undefined', 'body', /with JSON\.stringify/],
    [' NaN\n', 'body', /with JSON\.stringify/],
    ['undefined_name', 'body', /^(?!.*JSON\.stringify)/],
    [{ workspaceId: 7, agent: { name: 'A' } }, 'body/workspaceId', /it is 7\. Did you mean "7"\?/, '"7"'],
    ['name=A&b=1', 'body', /looks like a form/],
    ['{"a":1,}', 'body', /Leave out the comma/],
    ["{'a':1}", 'body', /double quotes/],
    ['', 'body', /is required/],
  ])('%j', (body, ...row) => {
    expect(expectError(agents, { body }, [body, ...row])).toBe('400 4.1 ');
  });

  const [x, neither] = ['/graphCoordinates/x', /^400 4\.2 neither version 6 nor 5, since version is /];
  const placed = { version: '6', groups: [{ graphCoordinates: { x: '1.5', y: 0 } }] };
  test.each<[target: string, form: RegExp, ...Row]>([
    [agents, /^400 4\.1 version 6, the only form/, { name: 12 }, '/name', /is 12\. Did you mean "12"\?/, '"12"'],
    [agents, /^400 4\.1 version 6/, { name: 'A', events: { id: 'e' } }, '/events', /array/, '[{"id":"e"}]'],
    [imports, /^400 4\.2 version 6, since version is "6"$/, placed, `/groups/0${x}`, /Did you mean 1\.5\?/, '1.5'],
    [
      imports,
      /5, since version is missing \(there is "verison"\)/,
      { verison: '6', name: 3 },
      '/name',
      /string/,
      '"3"',
    ],
    [imports, neither, { version: '7' }, '/version', /it is "7"\.$/],
    [imports, neither, { version: '6.1' }, '/version', /it is "6\.1"\.$/],
    [imports, neither, { version: ' 06.0' }, '/version', /it is " 06\.0"\. Did you mean "6"\?$/, '"6"'],
    [imports, neither, { version: 'V5' }, '/version', /it is "V5"\. Did you mean "5"\?$/, '"5"'],
    [imports, neither, { version: '' }, '/version', /it is ""\.$/],
    [imports, neither, { version: 7 }, '/version', /it is 7\.$/],
    [imports, neither, { version: 6 }, '/version', /it is 6\. Did you mean "6"\?$/, '"6"'],
    [imports, neither, { version: { major: 6 } }, '/version', /it is not a string\.$/],
  ])('%s: %s', (target, form, agent, place, ...row) => {
    expect(expectError(target, { body: sent(agent as object) }, [agent, `body/agent${place}`, ...row])).toMatch(form);
  });

  const asText = { body: own, headers: { 'content-type': 'text/plain;charset=UTF-8' } };
  const inside = (id: string): TestRequest => ({ body: { workspaceId: id, agent: {} } });
  const useOwn = new RegExp(`the string undefined.*or use ${workspaceId}`);
  test.each<[what: string, target: string, request: TestRequest, status: number, ...Row]>([
    ['in the query', `${agents}?workspaceId=x`, { body: { agent: {} } }, 400, 0, 'body/workspaceId', /is in the query/],
    ['text/plain', agents, asText, 415, 0, 'header/content-type', /default of fetch/, 'application/json'],
    ['an unknown workspace', agents, inside('undefined'), 404, 0, 'body/workspaceId', useOwn],
    ['an agent as a workspace', agents, inside(agentId), 404, 0, 'body/workspaceId', /the id of an agent/],
    ['nmae', workspaces, { body: { nmae: 'A' } }, 400, 0, 'body/name', /there is "nmae"/, 'name'],
    ['a wrapped one', workspaces, { body: { workspace: { name: 'A' } } }, 400, 0, 'body/name', /under "workspace"/],
  ])('%s', (_, target, request, status, ...row) => {
    expect(expectError(target, request, row)).toMatch(new RegExp(`^${status} `));
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
  test.each<[string, string, RegExp, string?]>([
    ['timeFilter=Today', 'timeFilter', /Must be one of today, .*"Today"\. Did you mean today\?/, 'today'],
    ['timeFilter=last_7_days', 'timeFilter', /last7Days/, 'last7Days'],
    ['timeFilter=all', 'timeFilter', /allTime/, 'allTime'],
    ['timeFilter=zzzzzzzzzzzz&limit=5', 'timeFilter', /Must be one of/],
    ['limit=500&timeFilter=today', 'limit', /from 1 to 100; it is 500/, '100'],
    ['limit=0', 'limit', /from 1 to 100/, '1'],
    ['limit=1.5', 'limit', /whole number/, '2'],
    ['limit=ten', 'limit', /whole number/],
    ['limit=10x', 'limit', /whole number/],
    ['limit=', 'limit', /whole number/],
    ['limit=101', 'limit', /from 1 to 100; it is 101/, '100'],
    ['limit=x10', 'limit', /whole number/],
    ['limit=%2B7.4', 'limit', /whole number/, '7'],
    ['limit=-3', 'limit', /from 1 to 100/, '1'],
    [`limit=${'9'.repeat(15)}`, 'limit', /from 1 to 100/, '100'],
    [`limit=${'9'.repeat(16)}`, 'limit', /from 1 to 100/],
    ['limit=1&limit=2', 'limit', /2 times/],
    ['timeZone=Paris', 'timeZone', /IANA/],
    ['start=2026/5/1', 'start', /ISO 8601/, '2026-05-01'],
    ['start=2026-05-02&end=2026-05-01', 'end', /before start/],
    [`end=${testNow}`, 'end', /ISO 8601/, '2026-05-20T15:30:00.000Z'],
    ['interval=14d', 'interval', /P14D/],
    ['interval=today', 'interval', /That is a timeFilter/],
    ['cursor=null&limit=5', 'cursor', /the string null/],
  ])('%s', (query, name, message, ...[meant]) => {
    const { status, json } = call(`${results}?${query}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ location: `query/${name}`, message: expect.stringMatching(message), meant }]);
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
  test.each<[string, string, number, RegExp, string | undefined]>([
    ['GET', `/api/v1/agents/${agentId}/`, 404, /ends with a slash/, `GET /api/v1/agents/${agentId}`],
    ['POST', '/api/v1/agents/', 404, /ends with a slash/, 'POST /api/v1/agents'],
    ['GET', '/api/v1/agents/', 404, /id of the agent is empty/, 'GET /api/v1/agents/{agentId}'],
    ['GET', '/api/v1/agents//results', 404, /id of the agent is empty/, 'GET /api/v1/agents/{agentId}/results'],
    ['GET', '/api/v1//agents/x', 404, /has \/\/ instead/, 'GET /api/v1/agents/x'],
    ['GET', '//api/v1/agents/x/results', 404, /has \/\/ instead/, 'GET /api/v1/agents/x/results'],
    ['GET', '/agents/x/results', 404, /lacks the prefix \/api\/v1\./, 'GET /api/v1/agents/x/results'],
    ['GET', '/v1/agents/x', 404, /prefix is \/api\/v1, not \/v1\./, 'GET /api/v1/agents/x'],
    ['GET', '/api/v12/agents/x', 404, /prefix is \/api\/v1, not \/api\/v12\./, 'GET /api/v1/agents/x'],
    ['GET', '/api/v1/api/v1/agents/x', 404, /not \/api\/v1\/api\/v1/, 'GET /api/v1/agents/x'],
    [
      'GET',
      '/api/v1/agents/x/publishedagent',
      404,
      /agent" must be "publishedAgent"/,
      'GET /api/v1/agents/x/publishedAgent',
    ],
    ['GET', '/api/v1/agents/x/published', 404, /"published" must be/, 'GET /api/v1/agents/x/publishedAgent'],
    ['PUT', '/api/v1/agent/x', 404, /"agent" must be "agents"\. The method is GET/, 'GET /api/v1/agents/x'],
    ['GET', '/a/b/{agentId}/d/e/f/g', 404, /The routes are/, undefined],
    ['GET', '/foo', 404, /The routes are POST \/api\/v1\/agents, /, undefined],
    ['POST', '/api/v1/agents/imports', 405, /"imports" must be "import"/, 'POST /api/v1/agents/import'],
    ['GET', '/api/v1/agents', 405, /POST \/api\/v1\/agents/, 'POST /api/v1/agents'],
    ['GET', '/__proto__/constructor', 404, /The routes are/, undefined],
  ])('%s %s', (method, target, status, message, meant) => {
    const answer = call(target, { method });
    expect(answer.status).toBe(status);
    expect(answer.json.section).toBe('4');
    expect(answer.json.errors).toEqual([{ location: 'path', message: expect.stringMatching(message), meant }]);
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
  test.each<[string | null, RegExp]>([
    [null, /is missing\. Send Authorization: Bearer <token>/],
    ['Basic abc', /is Basic, not Bearer/],
    ['mock-write-token', /only a token\. The word Bearer must come first/],
    ['Bearer Bearer top-secret', /Bearer twice/],
    ['Bearer: top-secret', /Only a space belongs/],
    ['bearer top-secret', /capital B/],
    ['Bearer top secret', /space within the token/],
    ['top-secret of mine', /does not have the form/],
    ['Bearer undefined', /the string undefined/],
    ['Bearer "top-secret"', /in quotes/],
    ['Bearer top-secret', /knows tokens for the modes write, read, guest, and prints them/],
  ])('%s', (authorization, message) => {
    const { status, text, json } = call(`/api/v1/agents/${agentId}`, { authorization });
    expect(status).toBe(401);
    expect(json.errors[0].message).toMatch(message);
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

  test.each([
    [49, true],
    [50, false],
  ])('a mistyped version is found beside %d other names', (beside, isFound) => {
    const odd = Object.fromEntries(Array.from({ length: beside }, (_, i) => [`x-${i}`, i]));
    const { json } = call(imports, { body: { workspaceId, agent: { ...odd, verison: '6', name: 1 } } });
    expect(String(json.form).includes('verison')).toBe(isFound);
  });

  test('in an empty world a placeholder replaces an id', () => {
    const empty = testMock({ persona: 'empty' });
    expect(empty.call('/api/v1/agents/x').json.example).toBe('GET /api/v1/agents/{agentId}');
  });
});

test.each([
  ['"{}"', 'Must be an object; it is a string. The string holds JSON: call JSON.stringify only once.'],
  ['"a"', 'Must be an object; it is a string.'],
  ['"[]"', 'Must be an object; it is a string.'],
  ['5', 'Must be an object; it is a number.'],
  ['[]', 'Must be an object; it is an array.'],
])('the body %s is not an object', (body, message) => {
  expect(call(agents, { body }).json.errors).toEqual([{ location: 'body', message }]);
});
