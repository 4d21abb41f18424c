import { createMock } from '../mock.ts';
import { testNow } from '../testing/test-client.ts';
import { describeInBrowser } from '../testing/test-browser.ts';
import { serverOf, type Listening } from '../../http/testing/test-server.ts';
import { STEERING, type Steering } from '../steering/steering.ts';
import { mockFixture, routeToMock, type PlaywrightRoute, type Routed } from './playwright.ts';

const options = { now: testNow, frozen: true };

/** A page without a browser: it sends a request and reports the outcome. */
function pageAlone() {
  const routes: ((route: PlaywrightRoute) => Promise<void>)[] = [];
  const page: Routed = {
    route: async (_url, handler) => void routes.push(handler),
    unroute: async (_url, handler) => void routes.splice(routes.indexOf(handler ?? (async () => {})), 1),
  };
  return {
    routes,
    page,
    ask: async (path: string, headers: Record<string, string> = {}, closed?: string): Promise<string> => {
      let outcome = 'nothing';
      const done = (what: string): Promise<void> => {
        outcome = what;
        return closed === undefined ? Promise.resolve() : Promise.reject(new Error(closed));
      };
      const url = (): string => `http://localhost${path}`;
      await routes[0]?.({
        request: () => ({ method: () => 'GET', url, headers: () => headers, postDataBuffer: () => null }),
        fulfill: ({ status }) => done(String(status)),
        abort: (reason) => done(reason),
        fallback: () => done('passed on'),
      });
      return outcome;
    },
  };
}

test.each([
  ['CONNECTION_RESET_BY_PEER', 'connectionreset'],
  ['EMPTY_RESPONSE', 'connectionclosed'],
  ['MALFORMED_RESPONSE_CHUNK', 'failed'],
  ['RANDOM_DATA_THEN_CLOSE', 'failed'],
])('%s aborts with %s', async (fault, reason) => {
  const mock = createMock(options);
  const { page, ask } = pageAlone();
  await routeToMock(page, mock);
  expect(await ask('/api/v1/agents/x', { prefer: `fault=${fault}` })).toBe(reason);
});

test('answers the chosen endpoints, and passes the rest on', async () => {
  const mock = createMock(options);
  const { page, ask } = pageAlone();
  await routeToMock(page, mock, { only: ['4.5'] });
  const headers = { authorization: `Bearer ${mock.target.token}` };
  const paths = ['/results', '', '/publishedAgent'].map((what) => `/api/v1/agents/${mock.target.agentId}${what}`);
  const outcomes: string[] = [];
  for (const path of [...paths, `/_s/one${paths[0]}`, `/_s/one${paths[1]}`, '/__admin/health'])
    outcomes.push(await ask(path, headers));
  expect(outcomes).toEqual(['200', 'passed on', 'passed on', '200', 'passed on', '200']);
});

test('once the route is removed, no request is held or answered', async () => {
  const mock = createMock(options);
  const { page, ask, routes } = pageAlone();
  const stop = await routeToMock(page, mock);
  const waiting = ask('/api/v1/agents/x', { prefer: 'delay=600000' });
  await stop();
  expect([await waiting, routes.length]).toEqual(['nothing', 0]);
});

test('a page may close before its answer arrives; other failures are reported', async () => {
  const { page, ask } = pageAlone();
  await routeToMock(page, createMock(options));
  const gone = 'route.fulfill: Target page, context or browser has been closed';
  expect(await ask('/api/v1/agents/x', {}, gone)).toBe('401');
  await expect(ask('/api/v1/agents/x', {}, 'a header is invalid')).rejects.toThrow('a header is invalid');
});

test('each test has its own session, with /__admin', async () => {
  const made: { mock?: ReturnType<typeof createMock> } = {};
  const [makeMock] = mockFixture.mock;
  await makeMock({ mockOptions: options }, async (mock) => {
    made.mock = mock;
    const [makeSession] = mockFixture.session;
    for (const retry of [0, 1]) {
      const { page, ask, routes } = pageAlone();
      const work = async (session: ReturnType<typeof mock.session>): Promise<void> => {
        expect(await ask('/api/v1/agents/x')).toBe('401');
        expect(await ask('/__admin/health')).toBe('200');
        expect([session.id, session.journal.count(), mock.journal.count()]).toEqual([`a-b-${retry}`, 1, 0]);
      };
      const context = { ...page, on: () => {} };
      await makeSession({ context, mock, mockBaseUrl: undefined }, work, { testId: 'a-b', retry });
      expect([routes.length, mock.sessions.list().length]).toEqual([0, 0]);
    }
  });
  expect(made.mock).toBeDefined();
});

test('a steered session tells which test asks, and in which of its turns', async () => {
  const faults = ['get-agent-not-there'];
  const steering: Steering = { senders: [{}, { '/a.spec.ts\nlists shows it webkit': { faults } }] };
  process.env[STEERING] = 'a run';
  const [makeMock] = mockFixture.mock;
  const [makeSession] = mockFixture.session;
  const statuses: string[] = [];
  await makeMock({ mockOptions: { ...options, steering } }, async (mock) => {
    for (const repeatEachIndex of [0, 1]) {
      const { page, ask } = pageAlone();
      const { agentId, token } = mock.target;
      const work = async (): Promise<void> => {
        statuses.push(await ask(`/api/v1/agents/${agentId}`, { authorization: `Bearer ${token}` }));
      };
      const titles = { titlePath: ['a.spec.ts', 'lists', 'shows it'], file: '/a.spec.ts', project: { name: 'webkit' } };
      const info = { testId: `a-${repeatEachIndex}`, retry: 0, ...titles, repeatEachIndex };
      await makeSession({ context: { ...page, on: () => {} }, mock, mockBaseUrl: undefined }, work, info);
    }
  }).finally(() => delete process.env[STEERING]);
  expect(statuses).toEqual(['200', '404']);
});

// Playwright parses the source of a fixture for the names that it destructures.
test('fixtures destructure the fixtures that they use', () => {
  for (const [make] of [mockFixture.mock, mockFixture.session]) expect(String(make)).toMatch(/^async \(\{\s*\w/);
});

describeInBrowser('routes of Playwright', (openPage) => {
  let server: Listening;

  beforeAll(async () => {
    const type = { 'content-type': 'text/html' };
    server = await serverOf((_, response) => void response.writeHead(200, type).end('<title>An app</title>'));
  });

  test('a page of another origin creates an agent, reads it, and meets a fault', async () => {
    const mock = createMock(options);
    const { token, workspaceId } = mock.target;
    const page = await openPage();
    await routeToMock(page, mock, { baseUrl: 'https://service.example' });
    await page.goto(server.url);
    mock.plans.add({ on: 'get-agent', steps: [{}, { fault: 'CONNECTION_RESET_BY_PEER' }] });
    const script = `(async () => {
      const headers = { authorization: 'Bearer ${token}', 'content-type': 'application/json' };
      const url = 'https://service.example/api/v1/agents';
      const body = JSON.stringify({ workspaceId: '${workspaceId}', agent: { name: 'Zoë' } });
      const created = await fetch(url, { method: 'POST', headers, body });
      const { agent } = await created.json();
      const read = await fetch(url + '/' + agent.id, { headers });
      const broken = await fetch(url + '/' + agent.id, { headers }).catch((error) => error.name);
      return [created.status, read.status, (await read.json()).agent.name, broken];
    })()`;
    expect(await page.evaluate(script)).toEqual([201, 200, 'Zoë', 'TypeError']);
    expect(mock.journal.entries().map(({ endpoint }) => endpoint)).toEqual(['create-agent', 'get-agent', 'get-agent']);
  });
});
