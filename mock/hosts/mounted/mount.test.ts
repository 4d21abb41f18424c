/** @jest-environment <rootDir>/mock/testing/test-environment.cjs */
import { createMock } from '../../mock.ts';
import { testNow } from '../../testing/test-client.ts';
import { hosts } from '../../testing/test-hosts.ts';
import { serverOf, type Listening } from '../../testing/test-upstream.ts';

// The mock inside other servers, with what they do before it, strip from the path, and do after it.

const mock = createMock({ now: testNow, frozen: true });
const { agentId, publishedAgentId, token, workspaceId } = mock.target;
const bearer = { authorization: `Bearer ${token}` };

describe.each(hosts)('$name', (host) => {
  const { path } = host;
  let server: Listening;
  const ask = (
    target: string,
    { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<Response> =>
    fetch(server.url + target, { redirect: 'manual', ...init, headers: { ...bearer, ...headers } });
  const post = (target: string, body: unknown): Promise<Response> =>
    ask(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const read = async (target: string): Promise<unknown> => {
    const answer = await ask(target);
    return [answer.status, await answer.json()];
  };

  beforeAll(async () => {
    server = await host.start(mock.app);
  });
  afterAll(() => server.close());

  test('answers reads below the path', async () => {
    const agents = `${path}/api/v1/agents`;
    expect(await read(`${agents}/${agentId}`)).toMatchObject([200, { agent: { id: agentId } }]);
    expect(await read(`${agents}/${publishedAgentId}/publishedAgent`)).toMatchObject([
      200,
      { publicAgent: { version: '6' } },
    ]);
    expect(await read(`${path}/_s/mine/api/v1/agents/${agentId}/results?limit=2&timeFilter=allTime`)).toMatchObject([
      200,
      { results: [{}, {}], nextCursor: expect.any(String) },
    ]);
  });

  test('accepts writes, whoever parsed the body', async () => {
    for (const [target, body, answered] of [
      ['agents', { workspaceId, agent: { name: 'Mounted €' } }, { agent: { name: 'Mounted €' } }],
      ['agents/import', { workspaceId, agent: { version: '6', name: 'Brought' } }, { agent: { name: 'Brought' } }],
      ['workspaces', { name: 'Room' }, { workspace: { name: 'Room' } }],
    ] as const) {
      const answer = await post(`${path}/api/v1/${target}`, body);
      expect([answer.status, await answer.json()]).toMatchObject([201, answered]);
    }
    expect((await post(`${path}/api/v1/agents`, { workspaceId, agent: { name: 5 } })).status).toBe(400);
  });

  test('answers at the routes of the mock itself', async () => {
    expect(await read(`${path}/__admin/health`)).toMatchObject([200, { status: 'ok' }]);
    const at = new Date(testNow + 60_000).toISOString();
    const moved = await post(`${path}/_s/clock/__admin/clock/set`, { at });
    expect([moved.status, await moved.json()]).toMatchObject([200, { now: at }]);
  });

  test('serves pages whose links stay below the path', async () => {
    for (const page of ['/docs', '/__admin/ui']) {
      const sent = await ask(`${path}${page}?a=b`);
      const location = new URL(sent.headers.get('location') ?? '', sent.url);
      expect([sent.status, location.href]).toEqual([302, `${server.url}${path}${page}/index.html?a=b`]);
      const text = await (await ask(`${path}${page}/`)).text();
      expect(text).toMatch(/^<!doctype html>/i);
      for (const [, link = ''] of text.matchAll(/ (?:href|src)="([^"#?]+)"/g)) {
        const { href } = new URL(link, location);
        expect([href, href.startsWith(`${server.url}${path}/`)]).toEqual([href, true]);
        expect([link, (await fetch(href)).status]).toEqual([link, 200]);
      }
    }
  });

  test.each([
    ['/docs/openapi.json', ''],
    ['/_s/mine/__admin/service/openapi.json', '/_s/mine'],
    ['/__admin/openapi.json', ''],
  ])('names in %s where it is', async (target, below) => {
    const { servers } = (await (await ask(path + target)).json()) as { servers: readonly [{ url: string }] };
    const { href } = new URL(servers[0].url, `${server.url}${path}${target}`);
    expect(href.replace(/\/$/, '')).toBe(`${server.url}${path}${below}`);
  });

  test('passes on what is not its own', async () => {
    for (const target of [`${path}/`, `${path}/api/users`, `${path}/docsx`, `${path}/__administer`, '/elsewhere'])
      expect([target, (await ask(target)).status]).toEqual([target, 418]);
    expect((await ask(`${path}/api/users`, { method: 'POST', body: 'x' })).status).toBe(418);
  });

  test('admits no page of another site below /__admin', async () => {
    const headers = { origin: 'https://evil.example' };
    expect((await ask(`${path}/__admin/reset`, { method: 'POST', headers })).status).toBe(403);
  });
});

test('a listener without a next handler answers everything', async () => {
  const server = await serverOf(mock.app);
  const answer = await fetch(`${server.url}/elsewhere`);
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('/api/v1/agents')]);
  await server.close();
});
