import { served } from '../../http/testing/test-server.ts';
import { createMock, type Mock, type MockOptions } from '../../mock/index.ts';
import type { Report } from '../../conformance/report/report.ts';
import { testFolder } from '../testing/test-io.ts';
import { servingIn } from '../testing/test-mock.ts';

const { folder, run, read } = testFolder();

/** What a proxy reports about the traffic of a client to a mock. */
async function throughProxy(
  options: MockOptions,
  flags: readonly string[],
  use: (url: string, target: Mock['target'], operators: string) => Promise<void>,
): ReturnType<typeof run> {
  const mock = createMock({ seed: 1, ...options });
  const server = await served(mock);
  return servingIn(folder, 'proxy')([server.url, ...flags], (printed) =>
    use(/proxy on (\S+),/.exec(printed)?.[1] ?? '', mock.target, /for operators: (\S+)/.exec(printed)?.[1] ?? ''),
  );
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
  const recorded = read('passed.har');
  const report = JSON.parse(read('passed.json')) as Report;
  expect(report.traffic).toEqual({
    judged: 5,
    leftOut: [{ reason: 'other-path', count: 1, examples: ['GET /other'] }],
  });
  for (const text of [stdout, stderr, recorded, JSON.stringify(report)]) expect(text).not.toContain(secret);
  const judged = await run(['judge', 'passed.har', '--json']);
  const failed = ({ checks }: Report) => checks.filter((check) => check.status === 'fail').map(({ id }) => id);
  expect(failed(JSON.parse(judged.stdout) as Report)).toEqual(failed(report));
});

test('tells operators, a command and a machine what it finds, and nothing else on standard output', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  let metrics = '';
  let report: Report | undefined;
  const faults = ['get-agent-answer-misshapen'];
  const { stdout, stderr, status } = await throughProxy(
    { faults },
    ['--json', '--sample', '99.9', '--operate', '127.0.0.1:0', '--on-finding', 'cat >> told.json'],
    async (url, { token, agentId }, operators) => {
      const headers = { authorization: `Bearer ${token}`, traceparent };
      for (const _ of [1, 2]) await (await fetch(`${url}/api/v1/agents/${agentId}`, { headers })).text();
      report = (await (await fetch(`${operators}/report`)).json()) as Report;
      metrics = await (await fetch(`${operators}/metrics`)).text();
    },
  );
  expect(status).toBe(1);
  const [found, ...others] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(found).toMatchObject({ check: 'get-agent-answer-shape', method: 'GET', status: 200, traceparent });
  expect([others, read('told.json')]).toEqual([[], stdout]);
  expect(metrics).toMatch(/requests_total\{status="200"\} 2\n[^]*findings_total\{check="get-agent-answer-shape"\} 2\n/);
  expect(report).toMatchObject({ outcome: 'nonconformant', traffic: { judged: 2 } });
  expect(report?.summary).toContain('Of the agents, 99.9 in 100 were judged');
  expect(stderr).toContain('2 times: ');
});

test('says what is wrong with an address to listen at', async () => {
  const server = await served(createMock());
  const taken = await run(['proxy', 'http://127.0.0.1:1', '--port', String(server.port)]);
  expect(taken).toMatchObject({ status: 2, stderr: expect.stringMatching(/Port \d+ on 127\.0\.0\.1 is in use\./) });
});
