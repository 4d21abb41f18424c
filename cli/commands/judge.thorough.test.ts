import type { Report } from '../../conformance/report/report.ts';
import { harOf, type HarExchange } from '../../conformance/testing/har-of.ts';
import { testFolder } from '../testing/test-io.ts';

const { run: runProgram, read, write } = testFolder();
const run = (...argv: readonly string[]): ReturnType<typeof runProgram> => runProgram(argv);

const headers = { Authorization: 'Bearer a-token-of-somebody' };
const entry = (url: string, body: unknown): HarExchange => ({ url, body, headers });
const har = (...entries: readonly HarExchange[]): string => harOf(entries);
const page = {
  results: [
    { id: 'old', createdAt: '2026-05-01T00:00:00Z' },
    { id: 'new', createdAt: '2026-05-02T00:00:00Z' },
  ],
  nextCursor: null,
};

describe('judge', () => {
  test('reports what recorded traffic shows, with the exit status of check', async () => {
    const entries = [entry('https://x.test/base/api/v1/agents/a/results', page), entry('https://cdn.test/app.js', {})];
    const { status, stdout } = await run('judge', write('wrong.har', har(...entries)));
    expect(status).toBe(1);
    expect(stdout).toContain('https://x.test/base');
    expect(stdout).toMatch(/✗ Results come newest first/);
    expect(stdout).toMatch(/1 exchange judged\. Left out: 1 went to another server \(https:\/\/cdn\.test\)\./);
    expect(stdout).not.toContain('a-token-of-somebody');
  });

  test('judges the chosen checks, against a baseline, in every format', async () => {
    write('wrong.har', har(entry('https://x.test/api/v1/agents/a/results', page)));
    const chosen = ['judge', 'wrong.har', '--only', 'list-results-newest-first'];
    const written = await run(...chosen, '--write-baseline', 'known.json');
    expect(written.status).toBe(0);
    const argv = 'judge wrong.har --only 4.5 --baseline known.json --allow-partial --report junit=r.xml --json';
    const again = await run(...argv.split(' '));
    expect([again.status, (JSON.parse(again.stdout) as Report).counts.fail]).toEqual([0, 1]);
    expect(read('r.xml')).toContain('<testsuites');
    expect((await run('judge', 'wrong.har', '--skip', 'list-results-newest-first')).status).toBe(3);
  });

  test('judges only requests to the given base URL', async () => {
    const bodies = { 'https://x.test': page, 'https://y.test': { results: [], nextCursor: null } };
    const entries = Object.entries(bodies).map(([at, body]) => entry(`${at}/api/v1/agents/a/results`, body));
    const { status, stdout } = await run('judge', write('two.har', har(...entries)), '--base-url', 'https://y.test');
    expect([status, stdout]).toEqual([
      3,
      expect.stringContaining('Left out: 1 went to another server (https://x.test)'),
    ]);
  });

  test('compares nothing across files', async () => {
    const agent = (name: string): object => ({
      agent: { id: 'a', version: '6', name, updatedAt: 'x' },
      currentUserMode: 'read',
    });
    for (const name of ['one', 'two']) write(`${name}.har`, har(entry('https://x.test/api/v1/agents/a', agent(name))));
    expect((await run('judge', 'one.har', 'two.har')).status).toBe(3);
  });
});
