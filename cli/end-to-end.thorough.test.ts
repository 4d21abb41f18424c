import type { Report } from '../conformance/report/report.ts';
import { served } from '../http/testing/test-server.ts';
import { createMock } from '../mock/index.ts';
import { testFolder } from './testing/test-io.ts';

// A whole run, possibly on a busy machine.
const { run, write } = testFolder();

test('a server that breaks the contract is nonconformant, and each failure can be repeated', async () => {
  const mock = createMock({ faults: ['results-ascending'] });
  const server = await served(mock);
  const target = write('target.json', { baseUrl: server.url, ...mock.target });
  const { status, stdout } = await run(['check', '--target', target, '--only', 'list-results', '--json']);
  const { checks, outcome } = JSON.parse(stdout) as Report;
  expect([status, outcome]).toEqual([1, 'nonconformant']);
  const failed = checks.filter((check) => check.status === 'fail');
  expect(failed.map(({ id }) => id)).toContain('list-results-newest-first');
  for (const { failure } of failed) expect(failure?.exchanges.at(-1)?.curl).toContain('"authorization: Bearer $TOKEN"');
});
