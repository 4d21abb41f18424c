import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { served } from '../http/testing/test-server.ts';
import { createMock, type Mock, type MockServer } from '../mock/index.ts';
import { freePort } from '../proof/free-port.ts';
import { temporaryFolder } from './test-package.ts';

// Two mocks behind nginx with packaging/nginx.conf, as docs/guides/replicas.md shows it.

const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
if (!hasNginx)
  process.stderr.write('\nNOT RUN without nginx (apt-get install nginx-light): two mocks behind one address.\n');

const folder = temporaryFolder();
const mocks: Mock[] = [];
const servers: MockServer[] = [];
let nginx: ChildProcess | undefined;
let balancer = '';

/** Asks a server, with a body if there is one. */
async function ask(base: string, target: string, session?: string, body?: object): Promise<Response> {
  const headers = new Headers({ authorization: `Bearer ${mocks[0]?.target.token ?? ''}` });
  if (session !== undefined) headers.set('x-mock-session', session);
  if (body === undefined) return fetch(base + target, { headers });
  headers.set('content-type', 'application/json');
  return fetch(base + target, { method: 'POST', headers, body: JSON.stringify(body) });
}

(hasNginx ? describe : describe.skip)('two mocks behind nginx', () => {
  beforeAll(async () => {
    for (let i = 0; i < 2; i++) {
      const mock = createMock({ now: Date.UTC(2026, 4, 20), frozen: true });
      mocks.push(mock);
      servers.push(await served(mock));
    }
    const port = await freePort();
    balancer = `http://127.0.0.1:${port}`;
    const listed = servers.map(({ url }) => `server ${url.replace('http://', '')};`).join('\n    ');
    const config = readFileSync(path.join(__dirname, 'nginx.conf'), 'utf8')
      .replace('127.0.0.1:4010', `127.0.0.1:${port}`)
      .replace(/server 127\.0\.0\.1:4011;\s+server 127\.0\.0\.1:4012;/, listed);
    const file = path.join(folder, 'nginx.conf');
    // As root, nginx would give its work to a user without access to the folder.
    writeFileSync(file, `${process.getuid?.() === 0 ? 'user root;\n' : ''}master_process off;\n${config}`);
    nginx = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' });
    const isUp = async (): Promise<boolean> =>
      (await ask(balancer, '/__admin/health').catch(() => undefined))?.ok === true;
    while (!(await isUp()) && nginx.exitCode === null) await delay(20);
  });

  afterAll(async () => {
    if (nginx?.kill('SIGKILL') === true) await once(nginx, 'exit');
  });

  test('answer every reading alike, byte for byte', async () => {
    const { agentId = '', publishedAgentId = '' } = mocks[0]?.target ?? {};
    const targets = [agentId, `${publishedAgentId}/publishedAgent`, `${agentId}/results?timeFilter=allTime`, 'none'];
    for (const target of targets) {
      const texts = [];
      for (const base of [...servers.map(({ url }) => url), balancer])
        texts.push(await (await ask(base, `/api/v1/agents/${target}`)).text());
      expect(new Set(texts).size).toBe(1);
    }
  });

  test('keep each session in one of them, which only it sees, by header and by path', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `session-${i}`);
    const places: number[] = [];
    for (const name of names) {
      const sent = { workspaceId: mocks[0]?.target.workspaceId, agent: { name } };
      const made = (await (await ask(balancer, '/api/v1/agents', name, sent)).json()) as { agent: { id: string } };
      const { id } = made.agent;
      for (let i = 0; i < 3; i++) expect((await ask(balancer, `/api/v1/agents/${id}`, name)).status).toBe(200);
      expect((await ask(balancer, `/_s/${name}/api/v1/agents/${id}`)).status).toBe(200);
      expect((await ask(balancer, `/api/v1/agents/${id}`, `${name}-other`)).status).toBe(404);
      const held = mocks.map((mock) => mock.sessions.has(name));
      expect(held.filter(Boolean)).toHaveLength(1);
      places.push(held.indexOf(true));
    }
    expect(new Set(places).size).toBe(2);
  });
});
