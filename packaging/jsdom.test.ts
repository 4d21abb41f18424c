/** @jest-environment jsdom */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createClient, isVersion6 } from '../client/index.ts';
import { createMock as createInBrowser } from '../mock/adapters/in-browser.ts';
import { createMock as createInProcess, mockHandlers } from '../mock/adapters/msw.ts';
import { createMock } from '../mock/index.ts';

// Jest with jsdom hides fetch, Request, Response and TextEncoder, and resolves the browser build of the package.

const mocks = { 'of Node.js': createMock, 'of browsers': createInBrowser, 'of the handlers': createInProcess };
test.each(Object.entries(mocks))('the mock %s works in jsdom without any setup', async (_, create) => {
  expect(typeof globalThis.Request).toBe('undefined');
  const mock = create({ seed: 1 });
  const { token, agentId, workspaceId } = mock.target;
  const client = createClient({ baseUrl: 'http://service.test', token, fetch: mock.fetch });
  const { agent } = await client.getAgent(agentId);
  expect(isVersion6(agent) && agent.name).toBe('Solar estimate');
  const made = await client.createAgent({ workspaceId, agent: { name: 'Made €' } });
  expect(made.agent.name).toBe('Made €');
  const page = await client.listResults(agentId, { timeFilter: 'allTime', limit: 2 });
  expect(page.results).toHaveLength(2);
  await expect(client.createWorkspace({ name: '' })).resolves.toBeDefined();
});

test('a signal of jsdom aborts a call', async () => {
  const mock = createMock({ seed: 1 });
  const stop = new AbortController();
  mock.journal.subscribe(() => queueMicrotask(() => stop.abort()));
  const sent = { headers: { prefer: 'delay=600000' }, signal: stop.signal };
  const waiting = mock.fetch(`/api/v1/agents/${mock.target.agentId}`, sent);
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});

test('handlers of Mock Service Worker answer in jsdom', async () => {
  const http = { all: (_url: RegExp, resolver: (info: { request: Request }) => Promise<Response>) => resolver };
  const [resolver] = mockHandlers(http, createInProcess({ seed: 1 }));
  const mock = createInProcess({ seed: 1 });
  const answer = await mock.fetch(`/api/v1/agents/${mock.target.agentId}`);
  // Requests are those of the caller's realm.
  const request = {
    url: 'http://service.test/api/v1/agents/x',
    method: 'GET',
    headers: new Headers(),
    body: null,
    signal: new AbortController().signal,
  } as unknown as Request;
  expect([(await resolver({ request })).status, answer.status]).toEqual([401, 401]);
});

test('Jest resolves the browser build of the package there', () => {
  const file = path.join(__dirname, '../dist/mock/adapters/in-browser.js');
  if (!existsSync(file))
    throw new Error('dist/ is older than the sources: run "npm run build" first ("npm test" does).');
  expect(require.resolve('agent-contract/mock')).toBe(file);
});
