import express from 'express';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMock } from '../mock.ts';
import { testNow } from '../test-client.ts';
import type { Middleware } from './mount.ts';

// The mock inside of other servers: what they put before it, take away from the path, and do after it.

const mock = createMock({ now: testNow, frozen: true });
const { agentId, token, workspaceId } = mock.target;
const bearer = { authorization: `Bearer ${token}` };
const body = JSON.stringify({ workspaceId, agent: { name: 'Mounted' } });

/** As Connect mounts: it takes the path away, and tells no `baseUrl`. */
const connected =
  (path: string, middleware: Middleware, after: Middleware): Middleware =>
  (request, response) => {
    const { url = '' } = request;
    Object.assign(request, { originalUrl: url });
    const next = (): void => {
      request.url = url;
      after(request, response);
    };
    if (!url.startsWith(`${path}/`)) return next();
    request.url = url.slice(path.length);
    middleware(request, response, next);
  };

const theirs: Middleware = (_request, response) => void response.writeHead(418).end('theirs');

const hosts: readonly (readonly [name: string, path: string, app: () => Middleware])[] = [
  ['Express, on a path', '/mock', () => express().use('/mock', mock.app).use(theirs)],
  ['Express, on two paths', '/a/b', () => express().use('/a', express.Router().use('/b', mock.app)).use(theirs)],
  ['Express, at its root', '', () => express().use(mock.app).use(theirs)],
  [
    'Express, behind a parser',
    '/mock',
    () => express().use(express.json(), express.text()).use('/mock', mock.app).use(theirs),
  ],
  [
    'Express, behind a parser of bytes',
    '/mock',
    () =>
      express()
        .use(express.raw({ type: '*/*' }))
        .use('/mock', mock.app)
        .use(theirs),
  ],
  ['Connect', '/mock', () => connected('/mock', mock.app, theirs)],
];

describe.each(hosts)('%s', (_, path, app) => {
  let server: Server;
  let url: string;
  const ask = (
    target: string,
    { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<Response> => fetch(url + target, { redirect: 'manual', ...init, headers: { ...bearer, ...headers } });

  beforeAll(async () => {
    server = createServer(app());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('answers below the path', async () => {
    expect((await ask(`${path}/api/v1/agents/${agentId}`)).status).toBe(200);
    const list = await ask(`${path}/_s/mine/api/v1/agents/${agentId}/results?limit=2&timeFilter=allTime`);
    expect(((await list.json()) as { results: unknown[] }).results).toHaveLength(2);
    const health = await ask(`${path}/__admin/health`);
    expect([health.status, await health.json()]).toEqual([200, expect.objectContaining({ status: 'ok' })]);
  });

  test('reads the body, whoever parsed it', async () => {
    const answer = await ask(`${path}/api/v1/agents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { agent } = (await answer.json()) as { agent: { id: string; name: string } };
    expect([answer.status, agent.name]).toEqual([201, 'Mounted']);
    const at = new Date(testNow + 60_000).toISOString();
    const moved = await ask(`${path}/_s/clock/__admin/clock/set`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ at }),
    });
    expect(await moved.json()).toMatchObject({ now: at });
  });

  test('serves pages, and sends on to below the path', async () => {
    for (const page of ['/docs', '/__admin/ui']) {
      const sent = await ask(path + page);
      expect([sent.status, sent.headers.get('location')]).toEqual([302, `${path}${page}/`]);
      expect(await (await ask(`${path}${page}/`)).text()).toMatch(/^<!doctype html>/i);
    }
  });

  test('leaves to others what is not its own', async () => {
    for (const target of [`${path}/`, `${path}/api/users`, `${path}/docsx`, `${path}/__administer`, '/elsewhere'])
      expect([target, (await ask(target)).status]).toEqual([target, 418]);
    const post = await ask(`${path}/api/users`, { method: 'POST', body: 'x' });
    expect(post.status).toBe(418);
  });

  test('lets no page of another site below /__admin', async () => {
    const headers = { origin: 'https://evil.example' };
    expect((await ask(`${path}/__admin/reset`, { method: 'POST', headers })).status).toBe(403);
  });
});

test('a listener without a next answers everything', async () => {
  const server = createServer(mock.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/elsewhere`);
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('/api/v1/agents')]);
  await new Promise((resolve) => server.close(resolve));
});
