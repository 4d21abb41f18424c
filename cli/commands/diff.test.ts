import type { CheckReport, Report } from '../../conformance/report/report.ts';
import { HOSTILE, sampleCheck, sampleReport } from '../../conformance/testing/sample-report.ts';
import { testFolder } from '../testing/test-io.ts';

const { run, write } = testFolder();
const diff = (before: Report, after: Report, ...argv: string[]): ReturnType<typeof run> =>
  run(['diff', write('a.json', before), write('b.json', after), ...argv]);

const check = (id: string, status: CheckReport['status']): CheckReport => ({
  ...sampleCheck(status, 0),
  id,
  title: id,
});
const reportOf = (checks: readonly CheckReport[], more: Partial<Report> = {}): Report =>
  sampleReport({}, { checks, ...more });

test('text and JSON agree, and the exit status says whether the second run is worse', async () => {
  const before = reportOf([check('a', 'pass'), check('b', 'fail'), check('c', 'pass')]);
  const after = reportOf([check('a', 'fail'), check('b', 'pass'), check('c', 'not-judged')]);
  const text = await diff(before, after);
  expect(text.status).toBe(1);
  expect(text.stdout).toContain('Newly failing\n  a  [a]\n    now     expected a string plain, got a number plain at');
  expect(text.stdout).toContain('Newly not judged\n  c  [c]\n    now     nothing to judge plain\n');
  expect(text.stdout).toContain('Fixed\n  b  [b]\n');
  expect(text.stdout).toMatch(/\nWORSE: 1 newly failing, 1 newly not judged, 1 fixed\n$/);
  const json = await diff(before, after, '--json');
  expect([json.status, JSON.parse(json.stdout)]).toMatchObject([
    1,
    { newlyFailing: [{ id: 'a' }], newlyNotJudged: [{ id: 'c' }], fixed: [{ id: 'b' }], isWorse: true },
  ]);
});

test('equal runs are not worse', async () => {
  const { status, stdout } = await diff(sampleReport(), sampleReport());
  expect([status, stdout.split('\n\n').length]).toEqual([0, 2]);
  expect(stdout).toMatch(/\nNOT WORSE: 0 newly failing, 0 newly not judged, 0 fixed\n$/);
});

type Told = CheckReport | undefined;
const failing = (expected: string, at: string): Told => ({
  ...check('a', 'fail'),
  failure: { expected, actual: 'none', at, exchanges: [] },
});
const unjudged: Told = { ...check('a', 'not-judged'), reason: 'no agent\nmore' };
const passing = check('a', 'pass');

test.each<[string, Told, Told, string]>([
  ['fails now', passing, failing('x', '/b'), 'Newly failing\n  a  [a]\n    now     expected x, got none at /b'],
  [
    'fails elsewhere',
    failing('x', '/a'),
    failing('x', ''),
    'Failing differently\n  a  [a]\n    before  expected x, got none at /a\n    now     expected x, got none at the whole body',
  ],
  ['is not judged now', passing, unjudged, 'Newly not judged\n  a  [a]\n    now     no agent'],
  ['is gone', passing, undefined, 'Newly not judged\n  a  [a]\n    now     no longer run'],
  ['passes now', failing('x', '/a'), passing, 'Fixed\n  a  [a]\n    before  expected x, got none at /a'],
  ['passes now after none', unjudged, passing, 'Newly passing, not judged before\n  a  [a]\n    before  no agent'],
])('of a check that %s, shows the change and nothing else', async (_, before, after, block) => {
  const report = (one: Told): Report => reportOf(one === undefined ? [] : [one]);
  const { stdout } = await diff(report(before), report(after));
  expect(stdout.split('\n\n').slice(1, -1)).toEqual(block === '' ? [] : [block]);
});

const of = (readOnly: boolean, strict: boolean): Report['options'] => ({ readOnly, strict });

test.each<[Report['options'], Report['options'], readonly string[]]>([
  [of(true, true), of(true, true), []],
  [of(true, false), undefined, []],
  [of(true, false), of(false, true), ['before, used --read-only.', 'after, used --strict.']],
])('of the options %j and %j, names those that only one run used', async (before, after, lines) => {
  const reportWith = (options: Report['options']): Report => reportOf([], { ...(options && { options }) });
  const { stdout } = await diff(reportWith(before), reportWith(after));
  expect(stdout.split('\n\n')[0]?.split('\n').slice(2)).toEqual(lines.map((line) => `Only one run, ${line}`));
});

test.each([
  [['created'], [], 'created → not observed'],
  [[], ['ok'], 'not observed → ok'],
])('of the observations %j and %j, shows what changed', async (before, after, words) => {
  const observed = { gap: 'success-status', section: '4.7', question: 'Which?', seen: '' } as const;
  const report = (choices: readonly string[]): Report =>
    reportOf([], { observations: choices.map((choice) => ({ ...observed, choice })) });
  const { status, stdout } = await diff(report(before), report(after));
  const block = `Observed choices that changed\n  4.7   Which? ${words}`;
  expect([status, stdout.split('\n\n').slice(1, -1)]).toEqual([0, [block]]);
});

test('contains nothing that a terminal executes', async () => {
  const { stdout } = await diff(
    sampleReport({ pass: 0 }, { text: HOSTILE }),
    sampleReport({ pass: 9, fail: 4 }, { text: HOSTILE }),
  );
  // oxlint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});
