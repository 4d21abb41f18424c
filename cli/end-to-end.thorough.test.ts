import type { Report } from '../conformance/report/report.ts';
import { createMock } from '../mock/index.ts';
import { testFolder } from './testing/test-io.ts';

// These are whole runs, possibly on a busy machine.
const { run, read, write } = testFolder();
const servers: { close(): Promise<unknown> }[] = [];

afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Starts a mock and writes a target file for it. */
async function targetOf(faults: readonly string[] = []): Promise<{ target: string; tokens: readonly string[] }> {
  const mock = createMock({ faults });
  const server = await mock.listen({ port: 0, host: '127.0.0.1' });
  servers.push(server);
  const target = write(`target-${servers.length}.json`, { baseUrl: server.url, ...mock.target });
  return { target, tokens: [...mock.tokens.keys()] };
}

test('a server that keeps the contract is conformant, and no output contains a token', async () => {
  const { target, tokens } = await targetOf();
  const reports = ['--report', 'json=a.json', '--report', 'junit=a.xml'];
  const { status, stdout, stderr } = await run(['check', '--target', target, ...reports]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/\nCONFORMANT: \d+ passed, 0 failed, 0 not judged\n$/);
  const files = ['a.json', 'a.xml'].map(read);
  for (const output of [stdout, ...files]) for (const token of tokens) expect(output).not.toContain(token);
});

test('a server that breaks the contract is nonconformant, and each failure can be repeated', async () => {
  const { target } = await targetOf(['results-ascending']);
  const { status, stdout } = await run(['check', '--target', target, '--only', 'list-results', '--json']);
  const { checks, outcome } = JSON.parse(stdout) as Report;
  expect([status, outcome]).toEqual([1, 'nonconformant']);
  const failed = checks.filter((check) => check.status === 'fail');
  expect(failed.map(({ id }) => id)).toContain('list-results-newest-first');
  for (const { failure } of failed) expect(failure?.exchanges.at(-1)?.curl).toContain('"authorization: Bearer $TOKEN"');
});

test('a server that is down is unreachable', async () => {
  const { status, stdout } = await run(['check', 'http://127.0.0.1:1', '--token', 'x', '--only', '4.3']);
  expect([status, stdout]).toEqual([
    4,
    expect.stringMatching(/Nothing accepts connections at 127\.0\.0\.1:1\..*\nUNREACHABLE for \d+ of \d+ checks: /),
  ]);
});
