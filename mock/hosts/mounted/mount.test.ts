import { Hono } from 'hono';
import { createMock } from '../../mock.ts';
import { testNow } from '../../testing/test-client.ts';
import { hosts } from '../../testing/test-hosts.ts';
import { serverOf } from '../../../http/testing/test-server.ts';
import type { FetchHandler } from './handler.ts';

// The mock inside other servers, with what they do around it, and as a handler of the Fetch API.

const mock = createMock({ now: testNow, frozen: true });
const { agentId, publishedAgentId, token, workspaceId } = mock.target;
const headers = { authorization: `Bearer ${token}` };

const below = mock.handler({ basePath: '/mock/' });
const mounted = new Hono().mount('/mock', mock.handler());
const routed = new Hono().all('/mock/*', (context) => below(context.req.raw));

const handlers: readonly (readonly [name: string, path: string, handler: FetchHandler])[] = [
  ['by itself', '', mock.handler()],
  ['below a base path, as a route of Next has it', '/mock', below],
  ['mounted by Hono', '/mock', async (request) => mounted.fetch(request)],
  ['in a route of Hono', '/mock', async (request) => routed.fetch(request)],
];

type AskInit = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** Where the mock is, and what sends a request there. */
interface Place {
  readonly origin: string;
  readonly send: (url: string, init?: RequestInit) => Promise<Response>;
  readonly close: () => Promise<unknown>;
}

const places = [
  ...hosts.map((host) => ({
    name: host.name,
    path: host.path,
    open: async (): Promise<Place> => {
      const { url: origin, close } = await host.start(mock.app);
      return { origin, close, send: (url, init) => fetch(url, { redirect: 'manual', ...init }) };
    },
  })),
  ...handlers.map(([name, path, handler]) => ({
    name: `a handler ${name}`,
    path,
    open: async (): Promise<Place> => {
      const send: Place['send'] = (url, init) => handler(new Request(url, init));
      return { origin: 'http://app.test:3000', close: async () => {}, send };
    },
  })),
];

describe.each(places)('$name', ({ name, path, open }) => {
  let place: Place;
  const ask = (target: string, init: AskInit = {}): Promise<Response> =>
    place.send(place.origin + path + target, { ...init, headers: { ...headers, ...init.headers } });
  const post = (target: string, body: unknown): Promise<Response> =>
    ask(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const read = async (target: string): Promise<unknown> => {
    const answer = await ask(target);
    return [answer.status, await answer.json()];
  };

  beforeAll(async () => void (place = await open()));
  afterAll(() => place.close());

  test('answers reads below the path', async () => {
    const agents = '/api/v1/agents';
    expect(await read(`${agents}/${agentId}`)).toMatchObject([200, { agent: { id: agentId } }]);
    const expected = [200, { publicAgent: { version: '6' } }];
    expect(await read(`${agents}/${publishedAgentId}/publishedAgent`)).toMatchObject(expected);
    const wanted = [200, { results: [{}, {}], nextCursor: expect.any(String) }];
    expect(await read(`/_s/mine${agents}/${agentId}/results?limit=2&timeFilter=allTime`)).toMatchObject(wanted);
    expect((await ask(`${agents}/${agentId}`, { method: 'HEAD' })).body).toBeNull();
  });

  test('accepts writes, whoever parsed the body', async () => {
    for (const [target, body, answered] of [
      ['agents', { workspaceId, agent: { name: 'Mounted €' } }, { agent: { name: 'Mounted €' } }],
      ['agents/import', { workspaceId, agent: { version: '6', name: 'Brought' } }, { agent: { name: 'Brought' } }],
      ['workspaces', { name: 'Room' }, { workspace: { name: 'Room' } }],
    ] as const) {
      const answer = await post(`/api/v1/${target}`, body);
      expect([answer.status, await answer.json()]).toMatchObject([201, answered]);
    }
    expect((await post('/api/v1/agents', { workspaceId, agent: { name: 5 } })).status).toBe(400);
  });

  test('answers at the routes of the mock itself', async () => {
    expect(await read('/__admin/health')).toMatchObject([200, { status: 'ok' }]);
    const at = new Date(testNow + 60_000).toISOString();
    const moved = await post('/_s/clock/__admin/clock/set', { at });
    expect([moved.status, await moved.json()]).toMatchObject([200, { now: at }]);
  });

  test('serves pages whose links stay below the path', async () => {
    const base = place.origin + path;
    for (const page of ['/docs', '/__admin/ui']) {
      const sent = await ask(`${page}?a=b`);
      const location = new URL(sent.headers.get('location') ?? '', `${base}${page}?a=b`);
      expect([sent.status, location.href]).toEqual([302, `${base}${page}/index.html?a=b`]);
      const whole = await ask(`${page}/`);
      expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const text = await whole.text();
      expect(text).toMatch(/^<!doctype html>/i);
      for (const [, link = ''] of text.matchAll(/ (?:href|src)="([^"#?]+)"/g)) {
        const { href } = new URL(link, location);
        expect([href, href.startsWith(`${base}/`)]).toEqual([href, true]);
        expect([link, (await place.send(href)).status]).toEqual([link, 200]);
      }
    }
  });

  test.each([
    ['/docs/openapi.json', ''],
    ['/_s/mine/__admin/service/openapi.json', '/_s/mine'],
    ['/__admin/openapi.json', ''],
  ])('names in %s where it is', async (target, added) => {
    const { servers } = (await (await ask(target)).json()) as { servers: readonly [{ url: string }] };
    const { href } = new URL(servers[0].url, `${place.origin}${path}${target}`);
    expect(href.replace(/\/$/, '')).toBe(`${place.origin}${path}${added}`);
  });

  test('admits its own pages below /__admin, and no page of another site', async () => {
    const reset = async (origin: string): Promise<number> =>
      (await ask('/_s/r/__admin/reset', { method: 'POST', headers: { origin } })).status;
    expect([await reset('https://evil.example'), await reset(place.origin)]).toEqual([403, 200]);
  });

  if (name.startsWith('a handler')) return;
  test('passes on what is not its own', async () => {
    for (const target of ['/', '/api/users', '/docsx', '/__administer'])
      expect([target, (await ask(target)).status]).toEqual([target, 418]);
    expect((await place.send(`${place.origin}/elsewhere`)).status).toBe(418);
    expect((await ask('/api/users', { method: 'POST', body: 'x' })).status).toBe(418);
  });
});

test('a listener without a next handler answers everything', async () => {
  const server = await serverOf(mock.app);
  const answer = await fetch(`${server.url}/elsewhere`);
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('/api/v1/agents')]);
});

describe.each(handlers)('a handler %s', (_, path, handler) => {
  const ask = (target: string, init?: RequestInit): Promise<Response> =>
    handler(new Request(`http://app.test:3000${path}${target}`, init));

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

  test('discards a body over the limit of the profile, whatever its size', async () => {
    await ask('/_s/small/__admin/profile', { method: 'PUT', body: '{"choices":{"body-limit":"one-megabyte"}}' });
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
    const expected = [404, { error: `This mock is below /mock, and ${path} is not. Its base path says where it is.` }];
    expect([answer.status, await answer.json()]).toEqual(expected);
  }
});

test.each(['mock', '/a b', '/a?b', '//a', 'http://a.example/mock'])('refuses %s as a base path', (basePath) => {
  expect(() => mock.handler({ basePath })).toThrow(/basePath is .*; it must be a path such as \/mock\./);
});

test('fetch serves the pages and the stream too', async () => {
  expect(await (await mock.fetch('/__admin/ui/')).text()).toMatch(/^<!doctype html>/i);
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
