import { withBaseline } from './baseline.ts';
import { misfits } from './json-schema.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { runConformance } from '../run.ts';
import { tinyService } from '../testing/tiny-service.ts';

const now = Date.UTC(2026, 4, 20, 15, 30);

test.each([
  ['of every status', sampleReport()],
  ['that passed', sampleReport({ pass: 4, fail: 0, notJudged: 0, error: 0 })],
  [
    'beside a baseline',
    withBaseline(sampleReport(), {
      entries: [
        { check: 'check-0', reason: 'It passes.' },
        { check: 'check-21', at: '/agent/*', reason: 'Known.', expires: '2026-12-31' },
        { check: 'check-35', status: 'not-judged', reason: 'Not given.' },
      ],
    }),
  ],
])('a report %s is valid', (_name, report) => {
  expect(misfits('report', report)).toEqual([]);
});

test('the report of a real run is valid, including its failures', async () => {
  const { transport } = tinyService({
    now,
    before: ({ method }) => (method === 'POST' ? { status: 200, body: { agent: { id: 5 } } } : undefined),
  });
  const report = await runConformance({
    baseUrl: 'http://a_b.test:8080/base%20path',
    token: 'token-one',
    agentId: 'main',
    transport,
    now,
    sleep: () => Promise.resolve(),
  });
  expect(report.counts.fail).toBeGreaterThan(0);
  expect(report.counts.notJudged).toBeGreaterThan(0);
  expect(misfits('report', report)).toEqual([]);
  expect(report.target).toEqual({ baseUrl: 'http://a_b.test:8080/base%20path', agentId: 'main' });
});

const whole = sampleReport({ pass: 1, fail: 1, notJudged: 1, error: 1 });
const changed = (change: (report: Record<string, never>) => void): unknown => {
  const copy = structuredClone(whole) as unknown as Record<string, never>;
  change(copy);
  return copy;
};
/** Sets the value at a path of names; `undefined` removes it. */
const having = (path: string, value: unknown): unknown =>
  changed((report) => {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const owner = names.reduce<Record<string, unknown>>((node, name) => node[name] as Record<string, unknown>, report);
    if (value === undefined) delete owner[last];
    else owner[last] = value;
  });

test.each<readonly [string, unknown, string]>([
  ['startedAt', 'yesterday', '/startedAt must be a date and time'],
  ['startedAt', '2026-13-01T00:00:00Z', '/startedAt must be a date and time'],
  ['startedAt', '2026-11-21T05:00:00+01:00', '/startedAt must match pattern'],
  ['target.baseUrl', 'http://a b', '/target/baseUrl must be a URI'],
  ['target.baseUrl', 'ftp://a', '/target/baseUrl must match pattern'],
  ['checks.1.failure.exchanges.0.url', '/no/scheme', '/checks/1/failure/exchanges/0/url must be a URI'],
  ['checks.1.failure.at', 'agent', '/checks/1/failure/at must be a JSON Pointer'],
  ['checks.1.failure', undefined, "/checks/1 must have required property 'failure'"],
  ['checks.0.failure', { expected: '', actual: '', exchanges: [] }, '/checks/0/failure does not belong here'],
  ['checks.2.reason', undefined, "/checks/2 must have required property 'reason'"],
  ['checks.3.supply', 'x', '/checks/3/supply does not belong here'],
  ['checks.0.status', 'passed', '/checks/0/status must be one of'],
  ['checks.0.endpoint', 'delete-agent', '/checks/0/endpoint must be one of'],
  ['checks.0.notes', 'x', '/checks/0 must have no property "notes"'],
  ['outcome', 'green', '/outcome must be one of'],
  ['counts.pass', -1, '/counts/pass must be >= 0'],
  ['tool.name', 'other', '/tool/name must be "agent-contract"'],
  ['baseline', { verdict: 'news', known: [], news: [{ kind: 'x', check: 'a', says: 'b' }] }, '/baseline/news/0/kind'],
])('a report whose %s is %j is invalid, and the error says where', (path, value, message) => {
  const said = misfits('report', having(path, value)).map(({ at, says }) => `${at} ${says}`);
  expect(said).toContainEqual(expect.stringContaining(message));
});

test('a baseline is validated too, including its dates', () => {
  const entry = { check: 'a', reason: 'b' };
  expect(misfits('baseline', { $schema: 'x', entries: [{ ...entry, at: '/a/*', expires: '2026-12-31' }] })).toEqual([]);
  const wrong = [{ ...entry, expires: '2026-02-30' }, { check: 'a' }, { ...entry, at: 'a' }, { ...entry, until: 'x' }];
  expect(misfits('baseline', { entries: wrong }).map(({ at, says }) => `${at} ${says}`)).toEqual([
    '/entries/0/expires must be a day such as 2026-12-31',
    "/entries/1 must have required property 'reason'",
    '/entries/2/at must be a JSON Pointer such as /results/*/createdAt',
    '/entries/3 must have no property "until"',
  ]);
});
