import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createMock, type MockOptions } from '../../mock/index.ts';
import type { Report } from '../../conformance/report/report.ts';
import { main } from '../main.ts';
import { run, temporaryFolder } from '../testing/test-io.ts';

const folder = temporaryFolder();

interface Proxied {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a proxy reports about the traffic of a client to a mock. */
async function throughProxy(
  options: MockOptions,
  flags: readonly string[],
  use: (url: string, target: ReturnType<typeof createMock>['target']) => Promise<void>,
): Promise<Proxied> {
  const mock = createMock({ seed: 1, ...options });
  const server = await mock.listen();
  const stopping = new AbortController();
  const written = { stdout: '', stderr: '' };
  let listening: (found: string) => void = () => undefined;
  const url = new Promise<string>((resolve) => {
    listening = resolve;
  });
  const output = (name: 'stdout' | 'stderr') => ({
    write(text: string): void {
      written[name] += text;
      const [, found] = /proxy on (\S+),/.exec(text) ?? [];
      if (found !== undefined) listening(found);
    },
  });
  const argv = ['proxy', server.url, '--port', '0', ...flags];
  const ended = main({
    argv,
    env: {},
    cwd: folder,
    signal: stopping.signal,
    stdout: output('stdout'),
    stderr: output('stderr'),
  });
  try {
    const at = await Promise.race([url, ended.then(() => Promise.reject(new Error(written.stderr)))]);
    await use(at, mock.target);
  } finally {
    stopping.abort();
    await ended;
    await server.close();
  }
  return { status: await ended, ...written };
}

const ask = (url: string, token: string): Promise<string> =>
  fetch(url, { headers: { authorization: `Bearer ${token}` } }).then((answer) => answer.text());

test('reports each cause once, writes a report at the end, and records the traffic without tokens', async () => {
  const secret = 'secret-write-token-123';
  const { status, stdout, stderr } = await throughProxy(
    { faults: ['results-ascending', 'get-agent-answer-misshapen'], tokens: { [secret]: 'write' } },
    ['--record', 'passed.har', '--report', 'json=passed.json'],
    async (url, { agentId }) => {
      for (const _ of [1, 2, 3]) await ask(`${url}/api/v1/agents/${agentId}/results?timeFilter=allTime`, secret);
      for (const _ of [1, 2]) await ask(`${url}/api/v1/agents/${agentId}`, secret);
      await ask(`${url}/other`, secret);
    },
  );
  expect(status).toBe(1);
  expect(stdout).toContain('NONCONFORMANT');
  expect(
    stderr.match(/✗ Results come newest first.*: GET \/api\/v1\/agents\/\w+\/results at \S+: expected/g),
  ).toHaveLength(1);
  expect(stderr).toMatch(/2 times: GET \/api\/v1\/agents\/\w+ 200/);
  const recorded = readFileSync(path.join(folder, 'passed.har'), 'utf8');
  const report = JSON.parse(readFileSync(path.join(folder, 'passed.json'), 'utf8')) as Report;
  expect(report.traffic).toEqual({
    judged: 5,
    leftOut: [{ reason: 'other-path', count: 1, examples: ['GET /other'] }],
  });
  for (const text of [stdout, stderr, recorded, JSON.stringify(report)]) expect(text).not.toContain(secret);
  const judged = await run(['judge', 'passed.har', '--json'], { cwd: folder });
  const failed = ({ checks }: Report): readonly string[] =>
    checks.flatMap(({ id, status: of }) => (of === 'fail' ? [id] : []));
  expect(failed(JSON.parse(judged.stdout) as Report)).toEqual(failed(report));
});

test('passes the traffic of the runner, and agrees with its verdicts as far as traffic shows', async () => {
  const { status, stderr } = await throughProxy({}, ['--allow-partial'], async (url, { token, agentId }) => {
    const checked = await run([
      'check',
      url,
      '--token',
      token,
      '--agent-id',
      agentId,
      '--read-only',
      '--allow-partial',
      '--seed',
      '1',
    ]);
    expect([checked.status, checked.stderr]).toEqual([0, '']);
  });
  expect([status, stderr]).toEqual([0, '']);
});

test('says what is wrong with an address to listen at, and with an upstream', async () => {
  const server = await createMock().listen();
  const port = String(server.port);
  const taken = await run(['proxy', 'http://127.0.0.1:1', '--port', port], { cwd: folder });
  await server.close();
  expect([taken.status, taken.stderr]).toEqual([
    2,
    expect.stringMatching(/Nothing can listen on 127\.0\.0\.1:\d+ \(EADDRINUSE\)/),
  ]);
  const wrong = await run(['proxy', 'ftp://x'], { cwd: folder });
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringMatching(/must begin with http/)]);
});
