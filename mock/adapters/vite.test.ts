import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger, Plugin, ViteDevServer } from 'vite';
import { load } from '../testing/test-hosts.ts';
import agentContract = require('./vite.ts');

const vite = load('vite') as typeof import('vite');

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-contract-vite-')));
const seedFile = path.join(root, 'team.json');

/** The servers to close. A server that fails to start still watches its files. */
const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const headers = { authorization: 'Bearer mock-write-token' };

async function start(options?: agentContract.VitePluginOptions, config: import('vite').InlineConfig = {}) {
  const said: string[] = [];
  const listeners = new Set<() => void>();
  const log = (text: string): void => {
    said.push(text);
    for (const listener of listeners) listener();
  };
  const customLogger: Logger = { ...vite.createLogger('silent'), info: log, error: log };
  // The assignment checks that Vite's types accept the plugin.
  const plugin: Plugin = agentContract(options);
  let isReady = (): void => {};
  const watching = new Promise<void>((resolve) => (isReady = resolve));
  const prepare = (made: ViteDevServer): void => {
    running.push(made);
    made.watcher.once('ready', isReady);
  };
  const server = await vite.createServer({
    root,
    configFile: false,
    customLogger,
    optimizeDeps: { noDiscovery: true },
    plugins: [{ name: 'before', configureServer: prepare }, plugin],
    ...config,
    server: { port: 0, host: '127.0.0.1', ws: false, ...config.server },
  });
  await Promise.all([server.listen(), watching]);
  const heard = (pattern: RegExp): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (said.some((text) => pattern.test(text)) && resolve());
      listeners.add(look);
      look();
    });
  return { server, url: new URL(server.resolvedUrls?.local[0] ?? '').origin, said, heard };
}

test('one line puts the mock and its dashboard on the port of the dev server', async () => {
  writeFileSync(path.join(root, 'index.html'), '<title>The app</title>');
  const { server, url, said } = await start();
  const target = (await (await fetch(`${url}/mock/__admin/target`)).json()) as { agentId: string };
  expect((await fetch(`${url}/mock/api/v1/agents/${target.agentId}`, { headers })).status).toBe(200);
  expect(await (await fetch(`${url}/mock/__admin/ui`)).text()).toContain('<title>Mock');
  expect(await (await fetch(`${url}/`)).text()).toContain('<title>The app</title>');
  // Vite answers with the app if there is no such file.
  const expected = 'The app';
  expect(await (await fetch(`${url}/mock/elsewhere`, { headers: { accept: 'text/html' } })).text()).toContain(expected);
  server.printUrls();
  expect(said.join('\n')).toContain(`Dashboard: ${url}/mock/__admin/ui/`);
});

test('takes the options of the mock, and a path that differs from the base of the app', async () => {
  const { url } = await start({ base: '/service/', seed: 7, persona: 'tiny' }, { base: '/app/' });
  expect(await (await fetch(`${url}/service/__admin/health`)).json()).toMatchObject({ seed: 7, persona: 'tiny' });
});

const second = '{ "agents": [{ "id": "ours", "name": "Second" }] }';
test.each([
  ['is read again when it is saved', second, /read again: .*team\.json/, 'Second'],
  ['changes nothing if it is invalid', '{ "agents": [', /team\.json.*\nThe mock goes on with what it had\./s, 'First'],
])('a seed file %s', async (_, text, told, after) => {
  writeFileSync(seedFile, '{ "agents": [{ "id": "ours", "name": "First" }] }');
  const { url, heard } = await start({ seedFile: 'team.json' });
  const ours = async (): Promise<unknown> => (await fetch(`${url}/mock/api/v1/agents/ours`, { headers })).json();
  expect(await ours()).toMatchObject({ agent: { name: 'First' } });
  writeFileSync(seedFile, text);
  await heard(told);
  expect(await ours()).toMatchObject({ agent: { name: after } });
});

test('works in the preview server', async () => {
  const preview = { port: 0, host: '127.0.0.1' };
  const given = { configFile: false, logLevel: 'silent', build: { outDir: '.' } } as const;
  const server = await vite.preview({ root, ...given, preview, plugins: [agentContract()] });
  running.push(server);
  const { origin } = new URL(server.resolvedUrls?.local[0] ?? '');
  expect((await fetch(`${origin}/mock/__admin/health`)).status).toBe(200);
});

test.each(['mock', '/', '', 'http://a.example/mock'])('refuses %s as a base', (base) => {
  expect(() => agentContract({ base })).toThrow(/base is .*; it must be a path such as \/mock\./);
});

test('does not start if a file is missing or an option is invalid', async () => {
  // Vite leaves the watcher of such a server open, and it would keep scanning the folders around it.
  const unwatched = { server: { watch: null } };
  await expect(start({ seedFile: 'none.json' }, unwatched)).rejects.toThrow(/seedFile: .*none\.json cannot be read/);
  await expect(start({ faults: ['none'] }, unwatched)).rejects.toThrow(/no fault "none"/);
});
