import { baselineOf, withBaseline, type Baseline } from './baseline.ts';
import type { BaselineEntry, CheckReport, Report } from './report.ts';
import { sampleCheck, sampleReport } from '../testing/sample-report.ts';

const fails = (id: string, ...places: readonly (string | undefined)[]): CheckReport => {
  const findings = places.map((at) => ({ expected: 'a', actual: 'b', at }));
  const [first = { expected: 'a', actual: 'b' }, ...more] = findings;
  return { ...sampleCheck('pass', 0), id, status: 'fail', failure: { ...first, exchanges: [], more } };
};
const passes = (id: string): CheckReport => ({ ...sampleCheck('pass', 0), id });
const open = (id: string): CheckReport => ({ ...sampleCheck('not-judged', 0), id, reason: 'no agent' });
const reportOf = (...checks: readonly CheckReport[]): Report => sampleReport({}, { checks });
const entry = (check: string, more: object = {}): BaselineEntry => ({ check, reason: 'known', ...more });
const baseline = (...entries: readonly BaselineEntry[]): Baseline => ({ entries });

/** What is new, in short: kind, check and place. */
const newsOf = (report: Report, known: Baseline, options?: Parameters<typeof withBaseline>[2]) =>
  withBaseline(report, known, options).baseline?.news.map(({ kind, check, at }) => `${kind} ${check}${at ?? ''}`);

test('known failures are not new, and the outcome stays the same', () => {
  const report = reportOf(fails('a', '/x'), open('b'), passes('c'));
  const known = baseline(entry('a'), entry('b', { status: 'not-judged' }));
  const held = withBaseline(report, known);
  expect(held).toEqual({ ...report, baseline: { verdict: 'nothing-new', known: known.entries, news: [] } });
  expect(held.outcome).toBe('nonconformant');
});

const unjudged = { status: 'not-judged' } as const;
const late = { expires: '2026-11-20' };

test.each<readonly [string, readonly CheckReport[], readonly BaselineEntry[], readonly string[]]>([
  ['a failure that no entry knows', [fails('a', '/x')], [], ['new-failure a/x']],
  ['one without a place', [fails('a', undefined)], [entry('a', { at: '/x' })], ['new-failure a', 'matches-nothing a']],
  ['a second place of a known failure', [fails('a', '/x', '/y')], [entry('a', { at: '/x' })], ['new-failure a/y']],
  ['two known places', [fails('a', '/x', '/y')], [entry('a', { at: '/x' }), entry('a', { at: '/y' })], []],
  ['any index', [fails('a', '/results/7/id')], [entry('a', { at: '/results/*/id' })], []],
  ['deeper', [fails('a', '/r/7/id')], [entry('a', { at: '/r/*' })], ['new-failure a/r/7/id', 'matches-nothing a']],
  ['the whole body', [fails('a', '')], [entry('a', { at: '' })], []],
  ['a failure without details', [{ ...passes('a'), status: 'fail' }], [], []],
  ['a check with a known place that is not judged', [open('a')], [entry('a', { status: 'not-judged', at: '/x' })], []],
  ['a place that no longer fails', [fails('a', '/x')], [entry('a'), entry('a', { at: '/y' })], ['matches-nothing a']],
  ['a failure that is fixed', [passes('a')], [entry('a')], ['now-passes a']],
  ['a check that is now judged', [passes('a')], [entry('a', { status: 'not-judged' })], ['now-passes a']],
  ['a check that was not judged before either', [open('a')], [entry('a', { status: 'not-judged' })], []],
  ['a check that is no longer judged', [open('a')], [], ['new-not-judged a']],
  ['a known failure that is no longer judged', [open('a')], [entry('a')], ['new-not-judged a', 'matches-nothing a']],
  ['an unjudged one that fails', [fails('a', '/x')], [entry('a', unjudged)], ['new-failure a/x', 'matches-nothing a']],
  ['a check that was not run', [passes('a')], [entry('b')], []],
  ['a check that does not exist', [passes('a')], [entry('nonsense')], ['matches-nothing nonsense']],
  ['the last day of an entry', [fails('a', '/x')], [entry('a', { expires: '2026-11-21' })], []],
  ['the day after', [fails('a', '/x')], [entry('a', late)], ['expired a']],
  ['an expired entry whose failure is fixed', [passes('a')], [entry('a', late)], ['now-passes a']],
  ['beside another', [fails('a', '/x', '/y')], [entry('a', { at: '/x', ...late })], ['new-failure a/y', 'expired a']],
  ['an expired entry whose check is not judged', [open('a')], [entry('a', { ...unjudged, ...late })], ['expired a']],
])('%s', (_name, checks, entries, expected) => {
  const isCheck = (id: string): boolean => id !== 'nonsense';
  expect(newsOf(reportOf(...checks), { entries }, { isCheck })).toEqual(expected);
});

test('an unjudged check is not new if a partial run is allowed', () => {
  const report = reportOf(open('a'), open('b'), fails('c', '/x'));
  expect(newsOf(report, baseline(entry('b')), { allowPartial: true })).toEqual(['new-failure c/x']);
  const silent = { ...report, unanswered: ['Get agent answered no request.'] };
  expect(newsOf(silent, baseline(entry('b')), { allowPartial: true })).toContain('new-not-judged a');
});

test('each item says what happened', () => {
  const report = reportOf(fails('a', '/x'), passes('b'), open('c'));
  const { news = [] } =
    withBaseline(report, baseline(entry('a', { expires: '2020-01-01' }), entry('b'))).baseline ?? {};
  expect(news.map(({ says }) => says)).toEqual([
    'no agent',
    'This was accepted until 2020-01-01, but it fails at /x.',
    'It was known to fail, and now passes. Remove the entry.',
  ]);
});

describe('a new baseline', () => {
  test('contains everything that failed in the run, with one entry for all indexes', () => {
    const failing = [fails('a', '/r/0/id', '/r/1/id', '/name'), fails('b', undefined, '/x')];
    const report = reportOf(...failing, open('c'), passes('d'));
    const made = baselineOf(report);
    expect(made).toEqual({
      entries: [
        { check: 'a', at: '/r/*/id', reason: 'Since 2026-11-21: expected a, got b' },
        { check: 'a', at: '/name', reason: 'Since 2026-11-21: expected a, got b' },
        { check: 'b', reason: 'Since 2026-11-21: expected a, got b' },
        { check: 'c', status: 'not-judged', reason: 'Since 2026-11-21: no agent' },
      ],
    });
    expect(newsOf(report, made)).toEqual([]);
  });

  test('keeps the comments of entries that still apply or were not run, and drops the rest', () => {
    const still = entry('a', { reason: 'Ticket 7.', expires: '2027-01-01' });
    const elsewhere = entry('z');
    const before = baseline(still, elsewhere, entry('b'), entry('c', { expires: '2020-01-01' }));
    expect(baselineOf(reportOf(fails('a', '/x'), passes('b'), fails('c', '/y')), before).entries).toEqual([
      still,
      elsewhere,
      { check: 'c', at: '/y', reason: 'Since 2026-11-21: expected a, got b' },
    ]);
  });
});
