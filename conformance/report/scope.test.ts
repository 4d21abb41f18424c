import { triggerIds } from '../../spec/index.ts';
import { checks as allChecks } from '../checks/index.ts';
import { reporters } from '../reporters/index.ts';
import type { ReportFormat } from '../reporters/index.ts';
import { verdictWords } from '../reporters/wording/wording.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { judgeTiny } from '../testing/test-run.ts';
import type { Report, Status } from './report.ts';
import { conditionsOf, contractOf, latencyOf, levelsOf } from './scope.ts';

const passed = { pass: 27, fail: 0, notJudged: 0, error: 0 };

const options = { readOnly: false, strict: false, levels: ['results'] } as const;
const partly = 'Conformant for 3 of 93 checks';

test.each<[string, Partial<Report>, string]>([
  ['all checks', { scope: { checks: 93, of: 93 } }, 'Conformant'],
  ['some', { scope: { checks: 27, of: 93 } }, 'Conformant for 27 of 93 checks'],
  ['a level', { scope: { checks: 31, of: 93 }, options }, 'Conformant (results)'],
  ['a part of a level', { scope: { checks: 3, of: 93 }, options: { ...options, only: ['limit-*'] } }, partly],
  ['a report of an earlier version', { scope: undefined }, 'Conformant'],
  ['a baseline', { baseline: { verdict: 'nothing-new', known: [], news: [] } }, 'Nothing new (by itself: conformant)'],
])('the verdict about %s names what it is about', (_, part, words) => {
  expect(verdictWords(sampleReport(passed, { outcome: 'conformant', ...part }))).toBe(words);
});

test.each(Object.keys(reporters) as ReportFormat[])('%s says that a part of the checks was asked', (format) => {
  const report = sampleReport(passed, {
    outcome: 'conformant',
    scope: { checks: 27, of: 93 },
    conditions: ['Read-only: nothing was created.'],
  });
  const text = reporters[format]
    .reporter(report, { color: false })
    .replace(/&#58;|\\:/g, ':')
    .replaceAll('\\-', '-');
  const says = format === 'json' ? /"checks": 27,\s+"of": 93/ : /conformant for 27 of 93 checks/i;
  expect(text).toMatch(says);
  const isShort = format === 'badge' || format === 'shields';
  expect(text.includes('Read-only: nothing was created.')).toBe(!isShort);
});

const run = (statuses: Partial<Record<string, Status>>) =>
  allChecks.map(({ id, endpoint }) => ({ endpoint, status: statuses[id] ?? statuses[endpoint] ?? 'pass' }));
const statesOf = (statuses: Partial<Record<string, Status>>, showsVersion5 = true) =>
  levelsOf(run(statuses), allChecks, { claimed: ['results'], showsVersion5 }).map(({ status }) => status);

test.each<[string, ReturnType<typeof statesOf>, string]>([
  ['all passed', statesOf({}), 'held held held held'],
  ['no answer had version 5', statesOf({}, false), 'held held held not-judged'],
  ['a check of lists failed', statesOf({ 'list-results-newest-first': 'fail' }), 'held broken held held'],
  ['one of lists was not judged', statesOf({ 'list-results-newest-first': 'not-judged' }), 'held not-judged held held'],
  ['get agent failed', statesOf({ 'get-agent': 'fail' }), 'broken held held broken'],
  ['imports broke the runner', statesOf({ 'import-agent': 'error' }), 'held held not-judged held'],
])('levels, where %s', (_, states, expected) => {
  expect(states.join(' ')).toBe(expected);
});

test('a level of which only a part was asked is not judged, and a claim is marked', () => {
  const asked = run({}).filter((_, index) => allChecks[index]?.id !== 'list-results-newest-first');
  const [, results] = levelsOf(asked, allChecks, { claimed: ['results'], showsVersion5: true });
  expect(results).toMatchObject({ claimed: true, status: 'not-judged', missing: '1 check not judged' });
});

test('a run says its selection, conditions, levels, contract and latency', async () => {
  const report = await judgeTiny({ levels: ['results'], concurrency: 1, product: { name: 'Tiny', version: '1.2' } });
  expect(report).toMatchObject({
    contract: contractOf(),
    target: { product: { name: 'Tiny', version: '1.2' } },
    options: { levels: ['results'], concurrency: 1, credentials: expect.arrayContaining(['token']) as string[] },
    scope: { checks: allChecks.filter(({ endpoint }) => endpoint === 'list-results').length, of: allChecks.length },
  });
  expect(new Set(report.checks.map(({ endpoint }) => endpoint))).toEqual(new Set(['list-results']));
  expect(report.levels?.filter(({ claimed }) => claimed).map(({ id }) => id)).toEqual(['results']);
  expect(report.conditions).toContain('One request at a time (--concurrency 1): nothing overlapped.');
  expect(report.latency?.find(({ endpoint }) => endpoint === 'list-results')?.answers).toBeGreaterThan(10);
});

test('each condition that was not met is said', () => {
  const target = { baseUrl: 'http://a.test' };
  expect(conditionsOf({ ...target, readOnly: true, only: ['4.5'], skip: ['a'], rps: 2, concurrency: 1 }, 0)).toEqual([
    'Only these checks were asked: 4.5.',
    'These checks were left out: a.',
    'Read-only: nothing was created.',
    'One request at a time (--concurrency 1): nothing overlapped.',
    'At most 2 requests a second.',
    'Without a token, a read token, a guest token.',
  ]);
  const tokens = { token: 'a', readToken: 'b', guestToken: 'c' };
  expect(conditionsOf({ ...target, ...tokens }, 1)).toEqual(['The run created 1 resource.']);
  expect(conditionsOf({ ...target, ...tokens }, 0, new Set())).toEqual(['The run created 0 resources.']);
  const [, unmet] = conditionsOf({ ...target, ...tokens }, 0, new Set(['first-page']));
  expect(unmet).toMatch(new RegExp(`: later-pages(, [a-z-]+){7}, and ${triggerIds.length - 9} more\\.$`));
});

test('latency has the middle and the slowest answer of each endpoint that answered', () => {
  const none = { took: [] };
  const of = (endpoint: string) => (endpoint === 'get-agent' ? { took: [3, 1, 2.04] } : none);
  expect(latencyOf({ of } as unknown as Parameters<typeof latencyOf>[0])).toEqual([
    { endpoint: 'get-agent', answers: 3, medianMs: 2, slowestMs: 3 },
  ]);
});
