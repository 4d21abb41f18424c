import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { sampleReport } from '../../conformance/testing/sample-report.ts';
import type { Report } from '../../conformance/report/report.ts';
import { requirements } from '../../spec/index.ts';
import { testFolder } from '../testing/test-io.ts';
import { boardOf, choiceRows } from './board.ts';
import { boardPage } from './page.ts';

type Status = Report['checks'][number]['status'];

const outcomes = {
  pass: {},
  fail: { failure: { expected: 'a', actual: 'b', exchanges: [] } },
  'not-judged': { reason: 'because' },
  error: { reason: 'broken' },
} as const;

/** A report with one check of each of two requirements. */
function report(
  product: string,
  version: string,
  day: number,
  [one, other]: readonly [Status, Status],
  more: object = {},
) {
  const base = sampleReport({ pass: 0, fail: 0, notJudged: 0, error: 0 });
  const check = (id: 'agent-shape' | 'limit-default', status: Status): Report['checks'][number] => ({
    id: `checks-${id}`,
    title: `Verifies ${id}`,
    endpoint: 'get-agent',
    requirements: [{ id, ...requirements[id] }],
    status,
    ...outcomes[status],
  });
  const startedAt = new Date(Date.UTC(2026, 0, day)).toISOString();
  const checks = [check('agent-shape', one), check('limit-default', other)];
  const target = { ...base.target, product: { name: product, version } };
  return { ...base, startedAt, checks, target, observations: [], observedProfile: {}, ...more } as Report;
}
const choice = (gap: string, taken: string) => ({
  observations: [{ gap, section: '4.7', question: 'Which?', choice: taken, seen: 'x' }],
});

const reports = [
  report('Acme', '1.0', 1, ['pass', 'pass'], choice('not-found-status', 'not-found-404')),
  report('Acme', '1.1', 3, ['fail', 'not-judged'], choice('not-found-status', 'gone-410')),
  report('Acme', '1.0', 2, ['pass', 'pass'], choice('not-found-status', 'not-found-404')),
  report('<b>Bold</b>', '', 1, ['error', 'pass'], choice('success-status', 'created-201')),
];

test('a column is the newest run of a version, whatever the order of the reports', () => {
  const board = boardOf(reports);
  expect(board.columns.map(({ id, startedAt }) => [id, startedAt.slice(0, 10)])).toEqual([
    ['b-bold-b', '2026-01-01'],
    ['acme-1-1', '2026-01-03'],
    ['acme-1-0', '2026-01-02'],
  ]);
  const runs = board.trends['Acme']?.map(({ version, startedAt }) => version + startedAt.slice(7, 10));
  expect(runs).toEqual(['1.0-01', '1.0-02', '1.1-03']);
  const regression = { product: 'Acme', requirement: 'agent-shape', since: '2026-01-03T00:00:00.000Z' };
  expect([board.regressions, boardOf(reports.slice(0, 1)).regressions]).toEqual([[regression], []]);
  const shuffled = fc.shuffledSubarray(reports, { minLength: reports.length });
  fc.assert(fc.property(shuffled, (some) => expect(boardOf(some)).toEqual(board)));
});

test('a cell is the worst of the checks of its requirement, and what was not asked is empty', () => {
  const [bold, acme] = boardOf(reports).columns;
  expect(acme?.cells).toMatchObject({ 'agent-shape': 'fail', 'limit-default': 'not-judged' });
  expect(bold?.cells).toMatchObject({
    'agent-shape': 'not-judged',
    'limit-default': 'pass',
    'theme-shape': 'not-asked',
  });
});

test('only the newest versions of a product have columns, and the rest are counted', () => {
  const many = Array.from({ length: 5 }, (_, day) => report('Acme', `1.${day}`, day + 1, ['pass', 'pass']));
  const { columns, leftOut, trends } = boardOf(many);
  const versions = columns.map(({ version }) => version);
  expect([versions, leftOut, trends['Acme']?.length]).toEqual([['1.4', '1.3', '1.2'], 2, 5]);
});

test('questions that are answered differently come first', () => {
  expect(choiceRows(boardOf(reports).columns)).toEqual([
    { gap: 'not-found-status', differs: true },
    { gap: 'success-status', differs: false },
  ]);
});

test('the page holds what the board says, escapes it, and runs and loads nothing else', () => {
  const page = boardPage(boardOf(reports));
  expect(page).not.toContain('<b>Bold');
  expect(page).toContain('&lt;b&gt;Bold&lt;/b&gt;');
  expect(page.match(/<td [^>]*data-status="fail"[^>]*>✗<\/td>/g)?.length).toBeGreaterThan(0);
  expect(page).toContain('href="reports/acme-1-1.html"');
  expect(page).toContain('>gone-410</td>');
  expect(page.replace(/href="(?:#|reports\/)[^"]*"/g, '').match(/(?:src|href)=|https?:/g)).toBeNull();
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(page) ?? [];
  expect(page).toContain(`sha256-${createHash('sha256').update(script).digest('base64')}`);
});

const { run, read, write } = testFolder();

test('the command reads reports at any depth, writes all files, and alarms', async () => {
  for (const [index, one] of reports.entries()) write(`runs/${index}/deep/report.json`, one);
  expect(await run(['board', 'runs', '--out', 'site'])).toMatchObject({ status: 0, stderr: '' });
  const { status, stdout } = await run(['board', 'runs', '--out', 'site', '--alarm']);
  expect([status, stdout]).toEqual([1, expect.stringContaining('\nregression: Acme breaks agent-shape\n')]);
  expect(JSON.parse(read('site/board.json'))).toEqual(JSON.parse(JSON.stringify(boardOf(reports))));
  expect(read('site/index.html')).toContain('<h1>Conformance');
  const text = read('site/board.md');
  expect(text).toMatch(/\| 2\.1 agent-shape \| – \| ✗ \| ✓ \|[^]*- Acme: agent-shape, since 2026-01-03/);
  for (const line of text.match(/^\|.*/gm) ?? []) expect(line.split('|')).toHaveLength(6);
  expect(read('site/reports/acme-1-1.html')).toContain('Verifies agent-shape');
});
