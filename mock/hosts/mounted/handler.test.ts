import { Hono } from 'hono';
import { createMock } from '../../mock.ts';
import { testNow } from '../../testing/test-client.ts';
import type { FetchHandler } from './handler.ts';

const mock = createMock({ now: testNow, frozen: true });
const { agentId, token, workspaceId } = mock.target;
const headers = { authorization: `Bearer ${token}` };
const below = mock.handler({ basePath: '/mock/' });

const mounted = new Hono().mount('/mock', mock.handler());
const routed = new Hono().all('/mock/*', (context) => below(context.req.raw));

const hosts: readonly (readonly [name: string, path: string, handler: FetchHandler])[] = [
  ['by itself', '', mock.handler()],
  ['below a base path, as a route of Next has it', '/mock', below],
  ['mounted by Hono', '/mock', async (request) => mounted.fetch(request)],
  ['in a route of Hono', '/mock', async (request) => routed.fetch(request)],
];

describe.each(hosts)('a handler %s', (_, path, handler) => {
  const origin = 'http://app.test:3000';
  const ask = (target: string, init?: RequestInit): Promise<Response> =>
    handler(new Request(`${origin}${path}${target}`, init));

  test('answers as the service', async () => {
    expect((await ask(`/api/v1/agents/${agentId}`, { headers })).status).toBe(200);
    const list = await ask(`/_s/mine/api/v1/agents/${agentId}/results?limit=2&timeFilter=allTime`, { headers });
    expect(await list.json()).toMatchObject({ results: [{}, {}] });
    const made = await ask('/api/v1/agents', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ workspaceId, agent: { name: 'Handled €' } }),
    });
    expect([made.status, await made.json()]).toMatchObject([201, { agent: { name: 'Handled €' } }]);
    expect((await ask(`/api/v1/agents/${agentId}`, { headers, method: 'HEAD' })).body).toBeNull();
  });

  test('serves pages whose links stay below the path', async () => {
    for (const page of ['/docs', '/__admin/ui']) {
      const sent = await ask(`${page}?a=b`);
      const location = new URL(sent.headers.get('location') ?? '', `${origin}${path}${page}?a=b`);
      expect([sent.status, location.href]).toEqual([302, `${origin}${path}${page}/index.html?a=b`]);
      const whole = await ask(`${page}/`);
      expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      for (const [, link = ''] of (await whole.text()).matchAll(/ (?:href|src)="([^"#?]+)"/g)) {
        const { status } = await handler(new Request(new URL(link, location)));
        expect([link, status]).toEqual([link, 200]);
      }
    }
  });

  test.each([
    ['/docs/openapi.json', ''],
    ['/_s/mine/__admin/service/openapi.json', '/_s/mine'],
    ['/__admin/openapi.json', ''],
  ])('names in %s where it is', async (target, added) => {
    const { servers } = (await (await ask(target)).json()) as { servers: readonly [{ url: string }] };
    const { href } = new URL(servers[0].url, `${origin}${path}${target}`);
    expect(href.replace(/\/$/, '')).toBe(`${origin}${path}${added}`);
  });

  test('streams requests as they arrive', async () => {
    const stop = new AbortController();
    const stream = await ask('/_s/heard/__admin/requests/stream', { signal: stop.signal });
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect(await next()).toBe('retry: 1000\n: connected\n\n');
    await ask('/_s/heard/api/v1/agents/x');
    expect(await next()).toContain('"session":"heard"');
    mock.sessions.end('heard');
    expect((await reader.read()).done).toBe(true);
  });

  test('admits its own pages below /__admin, and no page of another site', async () => {
    const reset = async (from: string): Promise<number> =>
      (await ask('/_s/r/__admin/reset', { method: 'POST', headers: { origin: from } })).status;
    expect([await reset('https://evil.example'), await reset(origin)]).toEqual([403, 200]);
  });

  test('discards a body over the limit of the profile, whatever its size', async () => {
    const put = { method: 'PUT', body: '{"choices":{"body-limit":"one-megabyte"}}' };
    await ask('/_s/small/__admin/profile', put);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(100_000)) });
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: endless };
    const sent = await ask('/_s/small/api/v1/workspaces', { ...init, duplex: 'half' });
    expect(sent.status).toBe(413);
  });

  test('breaks off an answer within its body', async () => {
    const prefer = 'fault=CONNECTION_RESET_BY_PEER';
    const answer = await ask(`/api/v1/agents/${agentId}`, { headers: { ...headers, prefer } });
    await expect(answer.text()).rejects.toThrow('terminated');
  });
});

test('ignores paths that are not below the base path', async () => {
  for (const path of ['/', '/mocking/api/v1/agents/x', '/api/v1/agents/x']) {
    const answer = await below(new Request(`http://app.test${path}`));
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: `This mock is below /mock, and ${path} is not. Its base path says where it is.` },
    ]);
  }
});

test.each(['mock', '/a b', '/a?b', '//a', 'http://a.example/mock'])('refuses %s as a base path', (basePath) => {
  expect(() => mock.handler({ basePath })).toThrow(/basePath is .*; it must be a path such as \/mock\./);
});

test('fetch serves the pages and the stream too', async () => {
  expect(await (await mock.fetch('/__admin/ui/')).text()).toMatch(/^<!doctype html>/i);
  expect((await mock.fetch('/docs/openapi.json')).headers.get('content-type')).toContain('application/json');
  const stream = await mock.fetch('/__admin/requests/stream');
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  await stream.body?.cancel();
});

test('drops a reader of the stream that does not read', async () => {
  const busy = createMock({ now: testNow, frozen: true });
  const stream = await busy.handler()(new Request('http://app.test/__admin/requests/stream'));
  const big = { method: 'GET', headers, target: `/api/v1/agents/${agentId}/results?timeFilter=allTime&limit=100` };
  for (let sent = 0; sent < 300; sent++) busy.handle(big);
  await expect(stream.text()).rejects.toThrow('The stream was not read.');
});
