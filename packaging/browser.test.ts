import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { standIns } from '../docs/site/stand-ins.ts';
import { load } from '../mock/testing/test-hosts.ts';
import { endpointIds } from '../spec/index.ts';
import { root, temporaryFolder } from './test-package.ts';

// The browser build of the package: bundled for a browser, and run without anything of Node.js.

const folder = temporaryFolder();
const app = path.join(folder, 'app.js');

beforeAll(() => {
  if (!existsSync(path.join(root, 'dist/mock/adapters/in-browser.js')))
    throw new Error('dist/ is older than the sources: run "npm run build" first ("npm test" does).');
  mkdirSync(path.join(folder, 'node_modules'));
  // One further up is not that of the app.
  writeFileSync(path.join(folder, 'package.json'), '{}');
  symlinkSync(root, path.join(folder, 'node_modules/agent-contract'), 'junction');
});

/** The file that a bundler writes, and its warnings. */
async function bundle(
  text: string,
  more: object = {},
  outside: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: string; readonly warnings: readonly string[] }> {
  const { build } = load('vite') as typeof import('vite');
  writeFileSync(app, text);
  const warnings: string[] = [];
  const warn = (said: unknown): void => void warnings.push(String((said as { message?: unknown }).message ?? said));
  const built = await build({
    root: folder,
    configFile: false,
    ...more,
    customLogger: { ...load('vite').createLogger('silent'), warn, warnOnce: warn },
    build: {
      write: false,
      minify: false,
      lib: { entry: app, formats: ['iife'], name: 'app' },
      rollupOptions: { onwarn: warn, external: Object.keys(outside), output: { globals: outside } },
    },
  });
  const [{ output }] = built as unknown as readonly [{ readonly output: readonly [{ readonly code: string }] }];
  return { code: output[0].code, warnings };
}

/** What every browser has, and nothing else. */
const browser = (): object => {
  const fetching = { AbortController, AbortSignal, Headers, ReadableStream, Request, Response };
  const text = { atob, btoa, Intl, TextDecoder, TextEncoder, URL, URLSearchParams, Uint8Array };
  const time = { clearInterval, clearTimeout, performance, queueMicrotask, setInterval, setTimeout };
  return { ...fetching, ByteLengthQueuingStrategy, ...text, ...time, console, crypto, structuredClone };
};

test('the client, the mock and the handlers of Mock Service Worker run in a browser', async () => {
  const { code, warnings } = await bundle(`
    import { createClient, isVersion6 } from 'agent-contract/client';
    import { createMock } from 'agent-contract/mock';
    import { createMock as createInProcess, mockHandlers } from 'agent-contract/msw';
    import { endpointIds } from 'agent-contract/spec';

    export async function run() {
      const mock = createMock({ seed: 1 });
      const { token, agentId, workspaceId } = mock.target;
      const client = createClient({ baseUrl: 'http://service.test', token, fetch: mock.fetch });
      const { agent } = await client.getAgent(agentId);
      const made = await client.createAgent({ workspaceId, agent: { name: 'Made' } });
      const broken = await client.createAgent({ workspaceId: 5 }).catch((error) => error.errors);
      const admin = await (await mock.fetch('/__admin/health')).json();
      const http = { all: (url, resolver) => resolver };
      const [resolver] = mockHandlers(http, createInProcess({ seed: 1 }));
      const handled = await resolver({ request: new Request('http://service.test/api/v1/agents/' + agentId) });
      const handler = mock.handler({ basePath: '/mock' });
      const asked = (path) => handler(new Request('http://service.test/mock' + path, { headers: { authorization: 'Bearer ' + token } }));
      const served = [(await asked('/api/v1/agents/' + agentId)).status, (await asked('/docs/')).status];
      const document = (await (await asked('/docs/openapi.json')).json()).openapi;
      const refused = await mock.listen().catch((error) => error.message);
      return JSON.stringify({
        isVersion6: isVersion6(agent), made: made.agent.name, broken, status: admin.status, handled: handled.status,
        served, document, refused, endpoints: endpointIds.length,
      });
    }
  `);
  expect(warnings).toEqual([]);
  expect(code).not.toMatch(/require\(["']node:|from ["']node:|browser.external/);
  const context = browser();
  const result: unknown = await (runInNewContext(`${code}; app.run()`, context) as Promise<string>);
  expect(JSON.parse(String(result))).toEqual({
    isVersion6: true,
    made: 'Made',
    broken: [expect.objectContaining({ location: 'body/workspaceId' })],
    status: 'ok',
    handled: 401,
    served: [200, 404],
    document: '3.1.0',
    refused: expect.stringContaining('mock.listen needs Node.js'),
    endpoints: endpointIds.length,
  });
});

test('the playground of the site runs in a browser: it sends, breaks the contract, checks and judges', async () => {
  const { code } = await bundle(
    `
    import { check, allFaults, judge, requests, sendToMock, violate } from ${JSON.stringify(path.join(root, 'docs/site/playground.ts'))};

    export async function run() {
      const answers = await Promise.all(requests.map(({ sent }) => sendToMock(sent)));
      violate(allFaults.map(({ id }) => id).filter((id) => id === 'results-ascending'));
      const checked = await check();
      const entry = {
        startedDateTime: '2026-01-01T00:00:00Z', time: 1,
        request: { method: 'GET', url: 'http://x.test' + requests[2].sent.path, headers: [{ name: 'authorization', value: 'Bearer t' }] },
        response: { status: 200, headers: [], content: { mimeType: 'application/json', text: '{"agent":{"id":5},"currentUserMode":"owner"}' } },
      };
      const judged = await judge(new Blob([JSON.stringify({ log: { entries: [entry] } })]), 'traffic.har');
      return JSON.stringify({ statuses: answers.map((answer) => answer.split('\\n', 1)[0]), checked, judged });
    }
  `,
    { plugins: [standIns] },
    { buffer: 'nodes', '@noble/hashes/sha2': 'nodes', '@noble/hashes/legacy': 'nodes' },
  );
  const hash = (name: string) => ({ create: () => createHash(name) });
  const nodes = { Buffer, sha1: hash('sha1'), sha256: hash('sha256') };
  const channels: { readonly port1: { close(): void } }[] = [];
  class Channel extends MessageChannel {
    constructor() {
      super();
      channels.push(this);
    }
  }
  const context = { ...browser(), Blob, MessageChannel: Channel, nodes };
  const result = JSON.parse(await (runInNewContext(`${code}; app.run()`, context) as Promise<string>)) as object;
  for (const { port1 } of channels) port1.close();
  expect(result).toMatchObject({
    statuses: ['HTTP 201', 'HTTP 201', 'HTTP 200', 'HTTP 200', 'HTTP 200', 'HTTP 201'],
    checked: expect.stringMatching(/newest first.*\n[^]*NONCONFORMANT: \d\d passed, 1 failed/),
    judged: expect.stringMatching(/currentUserMode[^]*NONCONFORMANT/),
  });
});

test('the mock has the same exports in a browser', () => {
  const names = (file: string): readonly string[] =>
    Object.keys(load(path.join(root, 'dist/mock', file)) as object).toSorted();
  expect(names('adapters/in-browser.js')).toEqual(names('index.js'));
});
