import { createMock, type Mock } from '../mock.ts';
import { testNow } from '../testing/test-client.ts';
import { mockOf, serve, told, violationsOf, type Got, type ServerAnswers } from '../testing/test-upstream.ts';

const headers = { authorization: 'Bearer mock-write-token', 'content-type': 'application/json' };
const at = new Date(testNow - 3_600_000).toISOString();
const result = (id: string, createdAt = at): object => ({ id, createdAt, agentId: 'real', answers: [] });

const get = (mock: Mock, path: string) => told(mock.fetch(`/api/v1/agents/${path}`, { headers }));
const post = (mock: Mock, path: string, body: unknown) =>
  told(mock.fetch(`/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));

/** A real server with one published agent that has results, and with what tests create there. */
const service: ServerAnswers = ({ method, url, body }: Got) => {
  const path = url.replace(/\?.*/, '');
  if (method === 'POST' && path.endsWith('/workspaces')) return [201, { workspace: { id: 'w-real', name: 'W' } }];
  if (method === 'POST') {
    const { workspaceId } = JSON.parse(body) as { readonly workspaceId: string };
    return [201, { agent: { id: 'made-there', version: '6', workspaceId } }];
  }
  const agent = { id: 'real', version: '6', name: 'Real', workspaceId: 'w-real' };
  if (path.endsWith('/real')) return [200, { agent, currentUserMode: 'read' }];
  if (path.endsWith('/real/publishedAgent')) return [200, { publicAgent: { id: 'p', version: '6', agentId: 'real' } }];
  if (path.endsWith('/real/results')) return [200, { results: [result('r2'), result('r1')], nextCursor: null }];
  return [404, { error: 'Agent not found' }];
};

test('the mock answers for what was created in it, whatever the endpoints are set to', async () => {
  const upstream = await serve(service);
  const mock = mockOf({ url: upstream.url });
  for (const id of ['create-workspace', 'create-agent']) mock.upstream?.set(id, 'mock');
  await post(mock, 'workspaces', { name: 'Here' });
  const [workspaceId = ''] = mock.store.created().workspaces;
  await post(mock, 'agents', { workspaceId, agent: { name: 'A' } });
  const [id = ''] = mock.store.created().agents;
  mock.edits.addResults(id, 3);
  mock.upstream?.set('every', 'upstream');
  expect(await get(mock, id)).toMatchObject({ source: 'mock', json: { agent: { name: 'A' } } });
  expect((await get(mock, `${id}/results`)).json).toMatchObject({ results: [{}, {}, {}] });
  // The mock stores what is created in it. What is created at the upstream stays there.
  expect((await post(mock, 'agents', { workspaceId, agent: {} })).source).toBe('mock');
  expect((await post(mock, 'agents', { workspaceId: 'w-real', agent: {} })).source).toBe('upstream');
  expect((await post(mock, 'workspaces', { name: 'There' })).source).toBe('upstream');
  expect((await get(mock, 'unknown')).source).toBe('upstream');
});

test('the mock can create an agent in a workspace of the upstream', async () => {
  const upstream = await serve(service);
  const mock = mockOf({ url: upstream.url, mock: ['create-agent'] });
  const expected = { source: 'mock', status: 201, json: { agent: { workspaceId: 'w-real' } } };
  expect(await post(mock, 'agents', { workspaceId: 'w-real', agent: { name: 'A' } })).toMatchObject(expected);
});

describe('a learned agent', () => {
  async function learned() {
    const upstream = await serve(service);
    const mock = mockOf({ url: upstream.url, learn: true });
    for (const path of ['real', 'real/publishedAgent', 'real/results', 'real/results']) await get(mock, path);
    await post(mock, 'workspaces', { name: 'W' });
    await post(mock, 'agents', { workspaceId: 'w-real', agent: {} });
    return { mock, stop: upstream.stop };
  }

  test('is available when the upstream is down, and not before', async () => {
    const { mock, stop } = await learned();
    expect((await get(mock, 'real')).source).toBe('upstream');
    await stop();
    expect(await get(mock, 'real')).toMatchObject({ source: 'mock', json: { agent: { name: 'Real' } } });
    expect((await get(mock, 'real/publishedAgent')).json).toMatchObject({ publicAgent: { id: 'p' } });
    expect((await get(mock, 'real/results')).json).toMatchObject({ results: [{ id: 'r2' }, { id: 'r1' }] });
    expect(await get(mock, 'made-there')).toMatchObject({ source: 'mock', json: { agent: { workspaceId: 'w-real' } } });
    expect(mock.store.workspace('w-real')).toMatchObject({ name: 'W' });
    // An agent that was never seen is unknown.
    expect((await get(mock, 'other')).status).toBe(502);
    expect(mock.store.created()).toEqual({ agents: [], workspaces: [] });
    const { agents } = (await told(mock.fetch('/__admin/agents'))).json as { agents: { id: string; origin: string }[] };
    const newest = agents.slice(0, 2).map(({ id, origin }) => `${id} ${origin}`);
    expect(newest).toEqual(['real upstream', 'made-there upstream']);
  });

  test('survives in an exported state, and still counts as not created here', async () => {
    const { mock, stop } = await learned();
    await stop();
    const next = createMock({ state: mock.exportState(), upstream: { url: 'http://127.0.0.1:9', mock: ['4'] } });
    expect(next.store.learned()).toEqual({ agents: ['real', 'made-there'], workspaces: ['w-real'] });
    expect(await get(next, 'real')).toMatchObject({ source: 'mock', status: 200 });
  });

  test('belongs to the mock once it was edited by hand', async () => {
    const { mock } = await learned();
    mock.edits.setAgent('real', { isClosed: true });
    expect(await get(mock, 'real')).toMatchObject({ source: 'mock', json: { agent: { isClosed: true } } });
    mock.edits.setWorkspace('w-real', { isSuspended: true });
    expect((await post(mock, 'agents', { workspaceId: 'w-real', agent: {} })).source).toBe('mock');
  });

  test('still belongs to the upstream if only results were added, and to its session', async () => {
    const { mock } = await learned();
    expect((await get(mock, 'real/results')).source).toBe('upstream');
    mock.edits.addResults('real', 1);
    expect((await get(mock, 'real')).source).toBe('upstream');
    expect(await get(mock, 'real/results')).toMatchObject({ source: 'mock', json: { results: [{}, {}, {}] } });
    expect(mock.session('other').store.agent('real')).toBeUndefined();
    mock.reset();
    expect(mock.store.agent('real')).toBeUndefined();
  });
});

test('the mock learns only with learn set, and a warning names what it cannot read', async () => {
  const results = [result('a'), result('b', 'soon'), 7];
  const upstream = await serve(({ url }) => [200, { results, nextCursor: null, url }]);
  const path = '/api/v1/agents/real/results';
  const plain = mockOf({ url: upstream.url });
  await plain.fetch(path, { headers });
  expect(plain.store.results('real').count).toBe(0);
  const mock = mockOf({ url: upstream.url, learn: true });
  const { answer } = await told(mock.fetch(path, { headers }));
  expect(mock.store.results('real').count).toBe(1);
  const message = expect.stringMatching(/^2 results were not learned/);
  expect(violationsOf(answer)).toMatchObject([{ code: 'upstream-learn', message }]);
});

test('an answer of the upstream replaces nothing that the mock created', async () => {
  let id = '';
  const upstream = await serve(() => [200, { agent: { id, version: '6', name: 'Theirs' }, currentUserMode: 'read' }]);
  const mock = mockOf({ url: upstream.url, learn: true });
  ({ agentId: id } = mock.target);
  expect((await get(mock, 'other')).source).toBe('upstream');
  expect(mock.store.agent(id)?.agent['name']).not.toBe('Theirs');
});

test('the mock learns nothing beyond its room', async () => {
  const upstream = await serve(service);
  const mock = mockOf({ url: upstream.url, learn: true }, { mostWritten: 10 });
  const { answer } = await told(mock.fetch('/api/v1/agents/real', { headers }));
  expect(mock.store.agent('real')).toBeUndefined();
  expect(violationsOf(answer)).toEqual([expect.objectContaining({ code: 'upstream-learn' })]);
});
