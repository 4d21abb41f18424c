import fc from 'fast-check';
import { endpoints } from '../../spec/index.ts';
import { testMock, testNow, type TestRequest } from '../testing/test-client.ts';
import { anyText } from '../../text/testing/test-any-text.ts';

const { mock, call } = testMock();
const { workspaceId, agentId, publishedAgentId } = mock.target;
const own = { workspaceId, agent: { name: 'A' } };

const agents = '/api/v1/agents';
const imports = '/api/v1/agents/import';
const workspaces = '/api/v1/workspaces';
const results = `/api/v1/agents/${agentId}/results`;

interface Taught {
  readonly status?: number;
  readonly location: string;
  readonly message: RegExp;
  readonly meant?: string;
  readonly section?: string;
  readonly form?: RegExp;
  readonly example?: unknown;
}

const v5 = {
  name: 'Old',
  groups: [
    { id: 'g', title: 'x' },
    {
      id: 's',
      title: 3,
      graphCoordinates: { x: 0, y: '1' },
      blocks: [{ type: 'text' }, { type: 'start', outgoingEdgeId: 7 }],
    },
    { title: 4 },
  ],
  edges: [{ id: 8 }, { id: 'first' }],
};

type Row = [what: string, target: string, request: TestRequest, taught: Taught];

describe('the body', () => {
  test.each<Row>([
    [
      'workspaceID',
      agents,
      { body: { workspaceID: workspaceId, agent: { name: 'A' } } },
      {
        location: 'body/workspaceId',
        message: /there is "workspaceID"/,
        meant: 'workspaceId',
        section: '4.1',
        example: own,
      },
    ],
    [
      'agnet',
      agents,
      { body: { workspaceId, agnet: { nmae: 'A' } } },
      { location: 'body/agent', message: /Did you mean agent\?/, meant: 'agent', example: own },
    ],
    [
      'fields of the agent at the top level',
      agents,
      { body: { workspaceId, name: 'A', groups: [] } },
      {
        location: 'body/agent',
        message: /name, groups are at the top level\. Put them under agent/,
        example: { workspaceId, agent: { name: 'A', groups: [] } },
      },
    ],
    [
      'a wrapped body',
      agents,
      { body: { data: own } },
      { location: 'body/workspaceId', message: /is under "data"/, example: own },
    ],
    [
      'workspaceId in the query',
      `${agents}?workspaceId=x`,
      { body: { agent: { name: 'A' } } },
      { location: 'body/workspaceId', message: /is in the query/, example: own },
    ],
    [
      'JSON in JSON',
      agents,
      { body: JSON.stringify(JSON.stringify(own)) },
      { location: 'body', message: /JSON\.stringify only once/, example: own },
    ],
    ['no JSON.stringify', agents, { body: '[object Object]' }, { location: 'body', message: /with JSON\.stringify/ }],
    ...['undefined', ' NaN\n', '[object Array] '].map((body): Row => [
      `the text ${JSON.stringify(body)}`,
      agents,
      { body },
      { location: 'body', message: /with JSON\.stringify/ },
    ]),
    [
      'a word that starts like JSON',
      agents,
      { body: 'undefined_name' },
      { location: 'body', message: /^(?!.*JSON\.stringify)/ },
    ],
    [
      'a number for an id',
      agents,
      { body: { workspaceId: 7, agent: { name: 'A' } } },
      { location: 'body/workspaceId', message: /it is 7\. Did you mean "7"\?/, meant: '"7"' },
    ],
    ['a form', agents, { body: 'name=A&b=1' }, { location: 'body', message: /looks like a form/ }],
    ['a trailing comma', agents, { body: '{"a":1,}' }, { location: 'body', message: /Leave out the comma/ }],
    ['single quotes', agents, { body: "{'a':1}" }, { location: 'body', message: /double quotes/ }],
    ['no body', agents, { method: 'POST' }, { location: 'body', message: /is required/, section: '4.1' }],
    [
      'text/plain',
      agents,
      { body: own, headers: { 'content-type': 'text/plain;charset=UTF-8' } },
      { status: 415, location: 'header/content-type', message: /default of fetch/, meant: 'application/json' },
    ],
    [
      'a number for a text',
      agents,
      { body: { workspaceId, agent: { name: 12 } } },
      {
        location: 'body/agent/name',
        message: /it is 12\. Did you mean "12"\?/,
        meant: '"12"',
        form: /^version 6, the only form of a created agent/,
        example: { workspaceId, agent: { name: '12' } },
      },
    ],
    [
      'a text for a number, deep inside',
      imports,
      { body: { workspaceId, agent: { version: '6', name: 'A', groups: [{ graphCoordinates: { x: '1.5', y: 0 } }] } } },
      {
        location: 'body/agent/groups/0/graphCoordinates/x',
        message: /Did you mean 1\.5\?/,
        meant: '1.5',
        section: '4.2',
        form: /^version 6, since version is "6"$/,
        example: { workspaceId, agent: { version: '6', name: 'A', groups: [{ graphCoordinates: { x: 1.5, y: 0 } }] } },
      },
    ],
    [
      'an object for an array',
      agents,
      { body: { workspaceId, agent: { name: 'A', events: { id: 'e' } } } },
      { location: 'body/agent/events', message: /array/, meant: '[{"id":"e"}]', form: /^version 6/ },
    ],
    [
      'version 6 as a number',
      imports,
      { body: { workspaceId, agent: { version: 6, name: 'A' } } },
      {
        location: 'body/agent/version',
        message: /the string "6", or .*; it is 6\. Did you mean "6"\?$/,
        meant: '"6"',
        form: /^neither version 6 nor 5, since version is 6, not "6"/,
        example: { workspaceId, agent: { version: '6', name: 'A' } },
      },
    ],
    ...(
      [
        ['7', '"7"', undefined],
        ['6.1', '"6.1"', undefined],
        ['v6', '"v6"', '"6"'],
        [' 06.0', '" 06.0"', '"6"'],
        ['V5', '"V5"', '"5"'],
        ['', '""', undefined],
        [7, '7', undefined],
        [5, '5', '"5"'],
        [{ major: 6 }, 'not a string', undefined],
      ] as const
    ).map(([version, shown, meant]): Row => [
      `the version ${JSON.stringify(version)}`,
      imports,
      { body: { workspaceId, agent: { version, name: 'A' } } },
      {
        location: 'body/agent/version',
        message: new RegExp(`it is ${shown}\\.${meant === undefined ? '$' : ` Did you mean ${meant}\\?$`}`),
        ...(meant === undefined ? {} : { meant }),
        form: /^neither version 6 nor 5, since version is /,
        section: '4.2',
      },
    ]),
    [
      'no version',
      imports,
      { body: { workspaceId, agent: { verison: '6', name: 3 } } },
      {
        location: 'body/agent/name',
        message: /string/,
        meant: '"3"',
        form: /^version 5, since version is missing \(there is "verison"\)/,
      },
    ],
    [
      'an unknown workspace',
      agents,
      { body: { workspaceId: 'undefined', agent: { name: 'A' } } },
      {
        status: 404,
        location: 'body/workspaceId',
        message: new RegExp(`the string undefined.*or use ${workspaceId}`),
        example: own,
      },
    ],
    [
      'an agent in place of a workspace',
      agents,
      { body: { workspaceId: agentId, agent: {} } },
      { status: 404, location: 'body/workspaceId', message: /the id of an agent/ },
    ],
    [
      'nmae',
      workspaces,
      { body: { nmae: 'A' } },
      { location: 'body/name', message: /there is "nmae"/, meant: 'name', section: '4.6', example: { name: 'A' } },
    ],
    [
      'a wrapped workspace',
      workspaces,
      { body: { workspace: { name: 'A', slug: 's' } } },
      { location: 'body/name', message: /under "workspace"/, example: { name: 'A', slug: 's' } },
    ],
  ])('%s', (_, target, request, { status = 400, location, message, meant, section, form, example }) => {
    const answer = call(target, request);
    expect(answer.status).toBe(status);
    const { errors, ...problem } = answer.json;
    expect(errors[0]).toEqual({ location, message: expect.stringMatching(message), meant });
    expect(problem.form).toEqual(form === undefined ? undefined : expect.stringMatching(form));
    if (section !== undefined) expect(problem.section).toBe(section);
    if (example !== undefined) expect(problem.example).toEqual(example);
    const corrected = testMock().call(target.split('?')[0] ?? '', { body: problem.example });
    expect([corrected.status, corrected.json.errors]).toEqual([201, undefined]);
  });

  test('places in a version 5 agent refer to the body as it was sent', () => {
    const { errors, example } = call(imports, { body: { workspaceId, agent: v5 } }).json;
    expect(errors.map(({ location }: { location: string }) => location).toSorted()).toEqual([
      'body/agent/edges/0/id',
      'body/agent/groups/1/blocks/1/outgoingEdgeId',
      'body/agent/groups/1/graphCoordinates/y',
      'body/agent/groups/1/title',
    ]);
    expect(example).toEqual({ workspaceId, agent: { version: '6', name: 'My agent' } });
  });

  test('the example does not contain the slug in use', () => {
    const choosy = testMock({ choices: { 'taken-public-id': 'refused' } });
    expect(choosy.call(workspaces, { body: { name: 'A', slug: 's' } }).status).toBe(201);
    expect(choosy.call(workspaces, { body: { name: 'A', slug: 's' } }).json.example).toEqual({ name: 'My workspace' });
  });
});

describe('the query', () => {
  test.each<[string, string, RegExp, string | undefined, string]>([
    [
      'timeFilter=Today',
      'timeFilter',
      /Must be one of today, .*"Today"\. Did you mean today\?/,
      'today',
      '?timeFilter=today',
    ],
    ['timeFilter=last_7_days', 'timeFilter', /last7Days/, 'last7Days', '?timeFilter=last7Days'],
    ['timeFilter=all', 'timeFilter', /allTime/, 'allTime', '?timeFilter=allTime'],
    ['timeFilter=zzzzzzzzzzzz&limit=5', 'timeFilter', /Must be one of/, undefined, '?limit=5'],
    ['limit=500&timeFilter=today', 'limit', /from 1 to 100; it is 500/, '100', '?limit=100&timeFilter=today'],
    ['limit=0', 'limit', /from 1 to 100/, '1', '?limit=1'],
    ['limit=1.5', 'limit', /whole number/, '2', '?limit=2'],
    ['limit=ten', 'limit', /whole number/, undefined, ''],
    ['limit=10x', 'limit', /whole number/, undefined, ''],
    ['limit=x10', 'limit', /whole number/, undefined, ''],
    ['limit=%2B7.4', 'limit', /whole number/, '7', '?limit=7'],
    ['limit=-3', 'limit', /from 1 to 100/, '1', '?limit=1'],
    [`limit=${'9'.repeat(15)}`, 'limit', /from 1 to 100/, '100', '?limit=100'],
    [`limit=${'9'.repeat(16)}`, 'limit', /from 1 to 100/, undefined, ''],
    ['limit=1&limit=2', 'limit', /2 times/, undefined, ''],
    ['timeZone=Paris', 'timeZone', /IANA/, 'Europe/Paris', '?timeZone=Europe%2FParis'],
    ['timeZone=Europe/Pariss', 'timeZone', /IANA/, 'Europe/Paris', '?timeZone=Europe%2FParis'],
    ['start=2026/5/1', 'start', /ISO 8601/, '2026-05-01', '?start=2026-05-01'],
    [`end=${testNow}`, 'end', /ISO 8601/, '2026-05-20T15:30:00.000Z', '?end=2026-05-20T15%3A30%3A00.000Z'],
    ['interval=14d', 'interval', /P14D/, 'P14D', '?interval=P14D'],
    ['interval=today', 'interval', /That is a timeFilter/, undefined, ''],
    ['cursor=null&limit=5', 'cursor', /the string null/, undefined, '?limit=5'],
  ])('%s', (query, name, message, meant, corrected) => {
    const { status, json } = call(`${results}?${query}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ location: `query/${name}`, message: expect.stringMatching(message), meant }]);
    expect(json).toMatchObject({ section: '4.5', example: `GET ${results}${corrected}` });
    expect(call(json.example.split(' ')[1]).status).toBe(200);
  });

  test('unknown names are corrected if only known ones are allowed', () => {
    const strict = testMock({ choices: { 'unknown-parameters': 'refused' } });
    const { json } = strict.call(`${results}?timefilter=today&pageSize=5`);
    expect(json.errors.map(({ meant }: { meant: string }) => meant)).toEqual(['timeFilter', 'limit']);
    expect(json.example).toBe(`GET ${results}?timeFilter=today&limit=5`);
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
      /"publishedagent" must be "publishedAgent"/,
      'GET /api/v1/agents/x/publishedAgent',
    ],
    ['GET', '/api/v1/agents/x/published', 404, /"published" must be/, 'GET /api/v1/agents/x/publishedAgent'],
    ['PUT', '/api/v1/agent/x', 404, /"agent" must be "agents"\. The method is GET/, 'GET /api/v1/agents/x'],
    ['GET', '/a/b/agents/c/results/d/e', 404, /Did you mean GET \/api\/v1\/agents\/\{agentId\}\/results\?/, undefined],
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

  test.each<[string, string, TestRequest]>([
    ['a long value', agents, { body: { workspaceId, agent: { name: [long] } } }],
    ['a long object for an array', agents, { body: { workspaceId, agent: { name: 'A', groups: { id: long } } } }],
    ['a long text that holds JSON', agents, { body: { workspaceId, agent: JSON.stringify({ name: long }) } }],
    ['a long name', agents, { body: { [long]: 1, agent: { [long]: 1 } } }],
    ['a long workspace', agents, { body: { workspaceId: long, agent: {} } }],
    [
      'many errors',
      agents,
      { body: { workspaceId, agent: { groups: Array.from({ length: 50_000 }, () => ({ title: 1 })) } } },
    ],
    ['a long content type', agents, { body: own, headers: { 'content-type': long } }],
    ['long text for JSON', agents, { body: long }],
    ['a long version', imports, { body: { workspaceId, agent: { version: long, name: 1 } } }],
    ['a long id', `/api/v1/agents/${long}/results`, {}],
    ['a long path', `/${long}/${long}`, {}],
    [
      'a long query',
      `${results}?timeFilter=${long}&limit=${long}&cursor=${long}&timeZone=${long}&start=${long}&interval=${long}`,
      {},
    ],
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

  test("the caller's token is not in the example", () => {
    const { token } = mock.target;
    for (const [target, request] of [
      [agents, { body: { workspaceId, name: `my ${token}` } }],
      [`${results}?limit=0&timeZone=${token}`, {}],
    ] as const)
      expect(JSON.stringify(call(target, request).json.example)).not.toContain(token);
  });

  test('names of built-in members are treated like any other', () => {
    const body =
      '{"__proto__":{"workspaceId":"x"},"constructor":{"agent":{}},"agnet":{"__proto__":{"name":"x"},"toString":1}}';
    const { json } = call(agents, { body });
    expect(json.example).toEqual({ workspaceId, agent: { name: 'My agent' } });
    expect(({} as { workspaceId?: string }).workspaceId).toBeUndefined();
  });

  test.each(['trpc', 'minimal', 'contrarian'] as const)('the members of the default in the bodies of %s', (profile) => {
    const { json, text } = testMock({ profile }).call(`${results}?timeFilter=Today`);
    expect(Object.keys(json ?? {}).filter((key) => ['section', 'form', 'example', 'errors'].includes(key))).toEqual([]);
    expect(text).not.toContain('"meant"');
  });

  test('trpc puts the hint into its message', () => {
    expect(testMock({ profile: 'trpc' }).call(`${results}?timeFilter=Today`).json.issues).toEqual([
      { path: ['timeFilter'], message: expect.stringContaining('Did you mean today?') },
    ]);
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

test('for any request, the example is accepted', () => {
  expect.hasAssertions();
  const text = fc.oneof(anyText({ maxLength: 8 }), fc.constantFrom(workspaceId, 'undefined', '6', '12', 'true'));
  const value = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }));
  const names = (known: readonly string[]): fc.Arbitrary<string> => fc.oneof(fc.constantFrom(...known), text);
  const agent = fc.dictionary(
    names(['name', 'nmae', 'version', 'groups', 'edges', 'events', 'theme', 'workspaceId', 'tags']),
    value,
  );
  const body = fc.dictionary(
    names(['workspaceId', 'workspaceID', 'agent', 'agnet', 'name', 'icon', 'slug']),
    fc.oneof(value, agent),
  );
  const query = fc.array(
    fc.tuple(
      names(['limit', 'cursor', 'timeFilter', 'timeZone', 'start', 'end', 'interval', 'from']),
      fc.oneof(text, fc.constantFrom('500', 'Today', 'Paris', '2026/1/2', '1700000000', '2w')),
    ),
    { maxLength: 4 },
  );
  const strict = testMock({
    choices: { 'unknown-parameters': 'refused', 'null-in-body': 'refused', 'import-v5': 'refused' },
  });
  fc.assert(
    fc.property(fc.constantFrom(agents, imports, workspaces), body, query, (target, sent, pairs) => {
      const refused = strict.call(target, { body: sent });
      if (refused.status >= 300)
        expect(strict.call(target, { body: refused.json.example }).json.errors).toBeUndefined();
      const list = strict.call(`${results}?${new URLSearchParams(pairs).toString()}`);
      if (list.status >= 300) expect(strict.call(list.json.example.split(' ')[1]).json.errors).toBeUndefined();
    }),
    { numRuns: 200, seed: 1 },
  );
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
