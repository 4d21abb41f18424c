import { readFileSync } from 'node:fs';
import path from 'node:path';
import { testNow } from '../testing/test-client.ts';
import { createMock, mockHandlers } from './msw.ts';

const http = { all: (_url: RegExp, resolver: (info: { readonly request: Request }) => Promise<Response>) => resolver };
const mock = createMock({ now: testNow, frozen: true });
const { agentId, token } = mock.target;
const [answer] = mockHandlers(http, mock);

function ask(target: string, headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> {
  const own = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
  return answer({ request: new Request(`http://localhost${target}`, { ...init, headers: own }) });
}

test.each([
  ['a delay', 'delay=40', () => 40],
  ['a slow body', 'code=404, rate=4000', (body: string) => body.length / 4],
])('waits for %s', async (_, prefer, least) => {
  const began = performance.now();
  const response = await ask(`/api/v1/agents/${agentId}`, { prefer });
  const body = await response.text();
  // Timers may fire slightly early.
  expect(performance.now() - began).toBeGreaterThan(least(body) - 2);
  expect(body).toMatch(/^\{.*\}$/s);
});

test('reports a broken connection as a network error, and does not wait for an aborted request', async () => {
  const broken = await ask(`/api/v1/agents/${agentId}`, { prefer: 'fault=EMPTY_RESPONSE' });
  const controller = new AbortController();
  const stop = mock.journal.subscribe(() => queueMicrotask(() => controller.abort()));
  const { type } = await ask(`/api/v1/agents/${agentId}`, { prefer: 'delay=600000' }, { signal: controller.signal });
  stop();
  expect([broken.type, type]).toEqual(['error', 'error']);
});

test('answers the chosen endpoints, and leaves the rest to other handlers and the network', async () => {
  const [some] = mockHandlers(http, mock, { only: ['list-results', '4.6'] });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = (target: string, init: RequestInit = {}): Promise<Response | undefined> =>
    some({ request: new Request(`http://localhost${target}`, { headers, ...init }) });
  expect((await send(`/api/v1/agents/${agentId}/results?limit=1`))?.status).toBe(200);
  expect((await send('/api/v1/workspaces', { method: 'POST', body: '{"name":"W"}' }))?.status).toBe(201);
  expect((await send('/_s/one/__admin/health'))?.status).toBe(200);
  expect(await send(`/api/v1/agents/${agentId}`)).toBeUndefined();
  expect(await send('/api/v1/folders')).toBeUndefined();
});

test.each([
  [['list-result'], /only: There is no endpoint or section "list-result"\. Did you mean list-results\?/],
  [[], /only: name at least one endpoint/],
])('refuses %j as "only"', (only, message) => {
  expect(() => mockHandlers(http, mock, { only })).toThrow(message);
});

/** Every module that a bundler reaches from one of ours: our files and packages. */
function modulesBehind(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  if (!file.endsWith('.ts')) return found;
  const source = readFileSync(file, 'utf8').replaceAll(/(?:import|export) type [^;]*;|typeof import\('[^']*'\)/g, '');
  const named = /(?:^(?:import|export|\}) ?[^;'`]*?from|^import|require\(|import\() ?'([^']+)'/gm;
  for (const [, from = ''] of source.matchAll(named)) {
    if (from.startsWith('.')) modulesBehind(path.join(path.dirname(file), from), found);
    else found.add(from);
  }
  return found;
}

test('nothing that a browser loads uses Node.js', () => {
  const modules = [...modulesBehind(path.join(__dirname, 'msw.ts'))];
  const files = modules.filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(60);
  const expected = ['ajv/dist/2020', 'jsonc-parser', 'lru-cache', 'luxon'];
  expect(modules.filter((name) => !path.isAbsolute(name)).toSorted()).toEqual(expected);
  const ofNode = /(?<![\w.`'/-])(?:Buffer|process|setImmediate|__dirname)\b(?=[.(])/;
  for (const name of files)
    expect(readFileSync(name, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')).not.toMatch(ofNode);
});
