import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMock } from '../mock.ts';
import { STEERING, type Steering } from '../steering/steering.ts';
import { like, testNow } from '../testing/test-client.ts';
import { serverOf, type Listening } from '../../http/testing/test-server.ts';
import { mockFetch } from './fetch.ts';
import { matchers } from './matchers.ts';
import { mockHandlers } from './msw.ts';
import { mockFixture, routeToMock, type PlaywrightResponse, type PlaywrightRoute } from './playwright.ts';
import agentContract = require('./vite.ts');
import startMock = require('./global-setup.ts');
import rows from '../testing/service-urls.json';

// Every adapter that serves a mock, beside every adapter that answers in its place: all at their defaults.

expect.extend(matchers);

const mock = createMock({ now: testNow, frozen: true });
const { agentId, token } = mock.target;
const headers = { authorization: `Bearer ${token}` };

/** Where each kind of server has its mock. */
const servers: Readonly<Record<string, () => Promise<Listening>>> = {
  'agent-contract/vite': async () => {
    let serve: Parameters<typeof serverOf>[0] = () => {};
    agentContract().configureServer({
      config: { root: '.', logger: { info: () => {}, error: () => {} } },
      middlewares: {
        use: (path, middleware) => {
          serve = (request, response) => {
            request.url = request.url?.replace(path, '');
            middleware(request, response);
          };
        },
      },
      resolvedUrls: null,
      printUrls: () => {},
    });
    const server = await serverOf((request, response) => serve(request, response));
    return { ...server, url: `${server.url}/mock` };
  },
  'agent-contract/global-setup': async () => {
    const close = await startMock();
    return { url: process.env['AGENT_CONTRACT_BASE_URL'] ?? '', close };
  },
  'mock.listen': () => createMock().listen(),
};

type Ask = (url: string) => Promise<number | string>;
const network: Ask = async (url) => (await fetch(url, { headers })).status;

const routes: { readonly url: RegExp; readonly handler: (route: PlaywrightRoute) => Promise<void> }[] = [];
const listeners: ((response: PlaywrightResponse) => void)[] = [];
const page = {
  route: async (url: RegExp, handler: (route: PlaywrightRoute) => Promise<void>) => routes.push({ url, handler }),
  unroute: async () => void routes.splice(0),
  on: (_: 'response', listener: (response: PlaywrightResponse) => void) => listeners.push(listener),
};
const askPage: Ask = async (url) => {
  const request = { method: () => 'GET', url: () => url, headers: () => headers, postDataBuffer: () => null };
  const route = routes.find((each) => each.url.test(url));
  let outcome: number | string = 'nothing';
  if (route)
    await route.handler({
      request: () => request,
      fulfill: ({ status }) => Promise.resolve(void (outcome = status)),
      abort: (reason) => Promise.resolve(void (outcome = reason)),
      fallback: async () => void (outcome = await network(url)),
    });
  else outcome = await network(url);
  for (const listener of listeners) listener({ request: () => request, fromServiceWorker: () => false });
  return outcome;
};

type Session = ReturnType<typeof mock.session>;
/** Asks within a session that an adapter answers from. */
const takers: Readonly<Record<string, (work: (session: Session, ask: Ask) => Promise<void>) => Promise<void>>> = {
  mockFetch: (work) => {
    const session = mock.session('fetched');
    return work(session, async (url) => (await mockFetch(session)(url, { headers })).status);
  },
  'agent-contract/msw': (work) => {
    const session = mock.session('handled');
    const http = {
      all: (url: RegExp, answer: (info: { request: Request }) => Promise<Response | undefined>) => ({ url, answer }),
    };
    const [handler] = mockHandlers(http, session);
    return work(session, async (url) => {
      const answered = handler.url.test(url) && (await handler.answer({ request: new Request(url, { headers }) }));
      if (answered) return answered.status;
      return network(url);
    });
  },
  routeToMock: async (work) => {
    const session = mock.session('routed');
    const stop = await routeToMock(page, session);
    await work(session, askPage);
    await stop();
  },
  mockFixture(work) {
    const info = { testId: 'pairs', retry: 0 };
    const given = { context: page, mock, mockBaseUrl: undefined };
    return mockFixture.session[0](given, (session) => work(session, askPage), info);
  },
};

afterEach(() => {
  for (const { id } of mock.sessions.list()) mock.sessions.end(id);
  routes.splice(0);
  listeners.splice(0);
});

const pairs = Object.keys(servers).flatMap((server) => Object.keys(takers).map((taker) => [server, taker] as const));
test.each(pairs)('beside %s, %s answers', async (server, taker) => {
  const running = await servers[server]?.();
  const url = running?.url ?? '';
  try {
    await takers[taker]?.(async (session, ask) => {
      session.standing.set('every', { code: 503 });
      for (const path of [`/api/v1/agents/${agentId}`, `/api/v1/agents/${agentId}/results`])
        expect(await ask(`${url}${path}`)).toBe(503);
      expect(session).toHaveReceivedTimes(1, 'get-agent');
      // Modules of the app, and the dashboard, come from the server.
      expect(await ask(`${url}/__admin/ui/app.js`)).toBe(200);
      expect(session.journal.count()).toBe(2);
    });
    expect(await (await fetch(`${url}/__admin/requests`)).json()).toMatchObject({ requests: [] });
  } finally {
    await running?.close();
  }
});

test.each(Object.keys(servers))('%s takes its world, choices and faults from a run of client', async (server) => {
  const { agentId: id, publishedAgentId } = createMock({ seed: 7 }).target;
  const choices = { 'not-found-status': 'gone-410' } as const;
  const steering: Steering = { world: { seed: 7 }, choices, faults: ['list-results-crashes'] };
  const folder = mkdtempSync(join(tmpdir(), 'agent-contract-pairs-'));
  process.env[STEERING] = join(folder, 'run.json');
  writeFileSync(process.env[STEERING], JSON.stringify(steering));
  const running = await servers[server]?.();
  try {
    const places = [id, `${publishedAgentId}/publishedAgent`, 'nobody', `${id}/results`];
    const statuses = places.map((place) => network(`${running?.url}/api/v1/agents/${place}`));
    expect(await Promise.all(statuses)).toEqual([200, 200, 410, 500]);
  } finally {
    delete process.env[STEERING];
    rmSync(folder, { recursive: true });
    await running?.close();
  }
});

type Stray = [path: string, isWorker: boolean, mockBaseUrl: string | undefined, message: string];
const asked = (path: string, isWorker: boolean): PlaywrightResponse => ({
  request: () => ({ method: () => 'GET', url: () => `http://app.test${path}` }),
  fromServiceWorker: () => isWorker,
});
const strays = rows.strays as Stray[];
test.each(strays)('a page that asks %s (worker: %s) with the base %s', async (path, isWorker, mockBaseUrl, message) => {
  const given = { context: page, mock, mockBaseUrl: mockBaseUrl ?? undefined, mockOnly: ['get-agent'] };
  const work = async (): Promise<void> => listeners.forEach((listen) => listen(asked(path, isWorker)));
  const test = mockFixture.session[0](given, work, { testId: 'past', retry: 0 });
  expect(await test.then(() => '', String)).toMatch(like(message));
});
