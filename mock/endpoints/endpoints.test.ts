import { endpoints, validate, type Profile, type SchemaName } from '../../spec/index.ts';
import { flow, v5 } from '../testing/sent-agents.json';
import { testMock, type TestAnswer } from '../testing/test-client.ts';

let { mock, call } = testMock();
beforeEach(() => void ({ mock, call } = testMock()));

const { workspaceId, agentId } = testMock().mock.target;

const obeys = (name: SchemaName, answer: TestAnswer): void => expect(validate(name, answer.json)).toEqual([]);

function pagesOf(limit: number): { id: string }[][] {
  const pages: { id: string }[][] = [];
  for (let cursor: string | null = ''; cursor !== null && pages.length < 99;) {
    const more = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { json } = call(`/api/v1/agents/${agentId}/results?timeFilter=allTime&limit=${limit}${more}`);
    pages.push(json.results);
    cursor = json.nextCursor;
  }
  return pages;
}

describe('create agent', () => {
  test('answers a full agent with what was sent, and shows the same when it is read', () => {
    const made = call('/api/v1/agents', { body: { workspaceId, agent: flow } });
    expect(made.status).toBe(201);
    obeys('create-agent-response', made);
    expect(made.json.agent).toMatchObject({ ...flow, version: '6', workspaceId });
    const read = call(`/api/v1/agents/${made.json.agent.id}`);
    expect(read.json).toEqual({ agent: made.json.agent, currentUserMode: 'write' });
  });

  const start = `{"workspaceId":"${workspaceId}","agent":{`;
  test.each([
    ['as most clients write it', `${start}"name":"B","x":[1,{}]}}`],
    ['without members', `${start}}}`],
    ['with spaces', `${start} "name": "B" } }`],
    ['twice', `${start}"name":"A"},"agent":{"name":"B"}}`],
    ['twice, once with an escape', `${start}"name":"A"},"\\u0061gent":{"name":"B"}}`],
    ['with a member of every object', `${start} "__proto__":{"name":"A"},"name":"B"}}`],
    ['before another member', `${start}"name":"B"},"x":{"y":1}}`],
    ['before the workspace', `{"agent":{"name":"B"},"workspaceId":"${workspaceId}"}`],
    ['with a null', `${start}"name":"B","icon":null}}`],
    ['with a member of the server', `${start}"name":"B","id":"A"}}`],
  ])('answers an agent that was sent %s as it is then read', (_, body) => {
    const { agent } = call('/api/v1/agents', { body }).json;
    const { agent: sent } = JSON.parse(body) as { agent: { name?: string; icon?: null; id?: string } };
    const { icon: _icon, id: _id, ...kept } = sent;
    expect(agent).toMatchObject({ name: 'My agent', version: '6', workspaceId, isPublished: false, ...kept });
    expect(Object.hasOwn(agent, '__proto__')).toBe(Object.hasOwn(sent, '__proto__'));
    expect(call(`/api/v1/agents/${agent.id}`).json.agent).toEqual(agent);
  });

  test('ignores fields that only the server sets, and lists all errors at once', () => {
    const agent = { name: 'A', id: 'mine', createdAt: 'never', isPublished: true, version: '3' };
    const made = call('/api/v1/agents', { body: { workspaceId, agent } }).json.agent;
    const own = {
      version: '6',
      isPublished: false,
      events: [{ type: 'start' }],
      createdAt: '2026-05-20T15:30:00.000Z',
    };
    expect([made, made.id === 'mine']).toMatchObject([own, false]);

    const refused = call('/api/v1/agents', { body: { workspaceId: 1, agent: { name: 2, groups: [{ title: 3 }] } } });
    const places = ['body/workspaceId', 'body/agent/name', 'body/agent/groups/0/title'];
    expect(refused).toMatchObject({ status: 400, json: { errors: places.map((location) => ({ location })) } });
  });

  test('treats null for a documented field as absent', () => {
    const agent = { name: 'A', icon: null, theme: { customCss: null, chat: null }, groups: [{ title: null }] };
    const made = call('/api/v1/agents', { body: { workspaceId, agent } });
    const { theme, groups, icon } = made.json.agent;
    expect([made.status, theme, groups, icon]).toEqual([201, {}, [{}], undefined]);
  });

  test('refuses an unknown workspace and a publicId in use', () => {
    const create = (home: string): TestAnswer =>
      call('/api/v1/agents', { body: { workspaceId: home, agent: { name: 'A', publicId: 'mine' } } });
    expect(create('nowhere').status).toBe(404);
    for (const publicId of ['mine', 'mine-2', 'mine-3']) expect(create(workspaceId).json.agent.publicId).toBe(publicId);
  });
});

describe('import agent', () => {
  test.each(['3', '4', '5', undefined])('turns version %j into version 6', (version) => {
    const agent = version === undefined ? v5 : { ...v5, version };
    const made = call('/api/v1/agents/import', { body: { workspaceId, agent } });
    expect(made.status).toBe(201);
    obeys('import-agent-response', made);
    expect(made.json.agent).toMatchObject({
      version: '6',
      events: [{ id: 'start-group', type: 'start', graphCoordinates: { x: 1, y: 2 }, outgoingEdgeId: 'first' }],
      groups: [{ id: 'g', blocks: [{ id: 'b', groupId: 'g' }] }],
      edges: [
        { id: 'first', from: { eventId: 'start-group' }, to: { groupId: 'g' } },
        { id: 'other', from: { groupId: 'g', blockId: 'b' } },
      ],
      folderId: null,
    });
    expect(made.json.agent.id).not.toBe('old');
    expect(call(`/api/v1/agents/${made.json.agent.id}`).json.agent).toEqual(made.json.agent);
  });

  test.each(['groups', 'events', 'edges', 'variables', 'theme', 'settings'])('may need %s', (part) => {
    ({ call } = testMock({ choices: { 'import-parts': 'required' } }));
    const parts = { groups: [], events: [], edges: [], variables: [], theme: {}, settings: {}, [part]: undefined };
    const body = { workspaceId, agent: { version: '6', name: 'A', ...parts } };
    const { status, json } = call('/api/v1/agents/import', { body });
    expect([status, json.errors]).toEqual([400, [{ location: `body/agent/${part}`, message: 'Is required.' }]]);
  });

  test('publishes the agent if isPublished is true', () => {
    const bring = (isPublished: boolean): string =>
      call('/api/v1/agents/import', { body: { workspaceId, agent: { ...flow, version: '6', isPublished } } }).json.agent
        .id;
    const published = call(`/api/v1/agents/${bring(true)}/publishedAgent`);
    obeys('get-published-agent-response', published);
    const shown = { id: expect.any(String), name: flow.name, groups: flow.groups, version: '6' };
    expect(published.json.publicAgent).toMatchObject(shown);
    expect(call(`/api/v1/agents/${bring(false)}/publishedAgent`).status).toBe(404);
  });
});

describe('create workspace', () => {
  test('works with and without the optional fields', () => {
    const plain = call('/api/v1/workspaces', { body: { name: 'Team' } });
    obeys('create-workspace-response', plain);
    expect(plain.json.workspace).toMatchObject({ name: 'Team', plan: 'HOBBY' });
    const full = call('/api/v1/workspaces', { body: { name: 'Team', icon: '🚀', slug: 'team' } }).json.workspace;
    expect(full).toMatchObject({ icon: '🚀', slug: 'team' });
    expect(call('/api/v1/workspaces', { body: { name: 'B', slug: 'team' } }).json.workspace.slug).toBe('team-2');
    expect(call('/api/v1/agents', { body: { workspaceId: full.id, agent: { name: 'A' } } }).status).toBe(201);
  });

  test('requires a name', () => {
    const expected = [{ location: 'body/name', message: 'Is required.' }];
    expect(call('/api/v1/workspaces', { body: { icon: 'x' } }).json.errors).toEqual(expected);
    const named = testMock({ choices: { 'missing-workspace-name': 'named-by-server' } });
    const wanted = { icon: 'x', name: 'My workspace' };
    expect(named.call('/api/v1/workspaces', { body: { icon: 'x' } }).json.workspace).toMatchObject(wanted);
  });

  test('accepts the name of another workspace, or refuses it and suggests a free one', () => {
    const twice = (choices: Partial<Profile>): TestAnswer => {
      ({ call } = testMock({ choices }));
      expect(call('/api/v1/workspaces', { body: { name: 'Team' } }).status).toBe(201);
      return call('/api/v1/workspaces', { body: { name: 'Team' } });
    };
    expect(twice({}).status).toBe(201);
    const { status, json } = twice({ 'equal-workspace-names': 'refused' });
    expect([status, json.errors]).toEqual([400, [{ location: 'body/name', message: 'Another workspace has it.' }]]);
    expect(json.example).toEqual({ name: 'My workspace' });
  });
});

describe('list results', () => {
  const list = (query: string): TestAnswer => call(`/api/v1/agents/${agentId}/results?${query}`);
  const ids = (query: string): string[] => list(query).json.results.map((r: { id: string }) => r.id);

  test('refuses a cursor that was altered or belongs to another list', () => {
    const cursor: string = list('timeFilter=allTime&limit=5').json.nextCursor;
    const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    for (const wrong of ['garbage', altered])
      expect(list(`timeFilter=allTime&cursor=${wrong}`).json.errors[0].location).toBe('query/cursor');
    const [error] = list(`timeFilter=last30Days&limit=5&cursor=${cursor}`).json.errors;
    expect(error.message).toMatch(/another agent or to other filters/);
    expect(list(`timeFilter=allTime&limit=9&cursor=${cursor}`).status).toBe(200);
  });

  test('start and end select by creation time, and a date covers the whole day', () => {
    const may = list('start=2026-05-01&end=2026-05-15&limit=100').json.results;
    expect(may.length).toBeGreaterThan(0);
    for (const { createdAt } of may)
      expect(createdAt.slice(0, 10) >= '2026-05-01' && createdAt.slice(0, 10) <= '2026-05-15').toBe(true);
    expect(ids('interval=2026-05-01/2026-05-16&limit=100')).toEqual(ids('start=2026-05-01&end=2026-05-15&limit=100'));
  });

  test.each(['all', 'started-and-kept'] as const)('pages are full if the list contains %s', (choice) => {
    ({ mock, call } = testMock({ choices: { 'listed-results': choice } }));
    const pages = pagesOf(100);
    const found = pages.flat();
    const all = Array.from({ length: mock.store.results(agentId).count }, (_, n) => mock.store.results(agentId).at(n));
    const isListed = ({ hasStarted, isArchived }: (typeof all)[number]): boolean =>
      choice === 'all' || (hasStarted !== false && isArchived !== true);
    expect(found.map(({ id }) => id)).toEqual(all.filter(isListed).map(({ id }) => id));
    expect(found.length < all.length).toBe(choice !== 'all');
    expect(pages.slice(0, -1).every(({ length }) => length === 100)).toBe(true);
  });

  test('the time zone shifts the boundaries of days', () => {
    const count = (zone: string): number =>
      ids(`timeFilter=today&limit=100&timeZone=${encodeURIComponent(zone)}`).length;
    // 15:30 UTC is a quarter past midnight at +08:45.
    expect(count('+08:45')).toBeLessThan(count('UTC'));
    expect(count('Australia/Eucla')).toBe(count('+08:45'));
  });
});

describe('authentication', () => {
  test.each(Object.values(endpoints))('$method $path refuses unknown callers before all else', ({ method, path }) => {
    const body = method === 'POST' ? '{ not json' : undefined;
    const others = ['Basic mock-write-token', 'Bearer', 'Bearer ', 'Bearer nobody', 'mock-write-token'];
    for (const authorization of [null, ...others])
      expect(call(path.replace('{agentId}', agentId), { method, authorization, body }).status).toBe(401);
  });

  test('reports the mode, and limits what a caller may do', () => {
    const body = { workspaceId, agent: { name: 'A' } };
    for (const [token, mode, mayList, mayCreate] of [
      ['mock-write-token', 'write', 200, 201],
      ['mock-read-token', 'read', 200, 403],
      ['mock-guest-token', 'guest', 403, 403],
    ] as const) {
      expect(call(`/api/v1/agents/${agentId}`, { token }).json.currentUserMode).toBe(mode);
      expect(call(`/api/v1/agents/${agentId}/results`, { token }).status).toBe(mayList);
      expect(call('/api/v1/agents', { token, body }).status).toBe(mayCreate);
    }
  });
});
