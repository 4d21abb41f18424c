import { diffReports } from './diff.ts';
import { placesOf } from './findings.ts';
import type { CheckReport, Report, Status } from './report.ts';
import { sampleCheck, sampleReport } from '../testing/sample-report.ts';
import cases from '../testing/report-changes.json';

const lists = ['newlyFailing', 'newlyNotJudged', 'fixed', 'failingDifferently', 'newlyPassing'] as const;

const one = (status: Status | null): Report =>
  sampleReport({}, { checks: status === null ? [] : [{ ...sampleCheck(status, 0), id: 'a' }] });

test.each(cases.verdicts as [Status | null, Status | null, (typeof lists)[number] | null, boolean][])(
  'from %s to %s: %s',
  (before, after, expected, isWorse) => {
    const diff = diffReports(one(before), one(after));
    const met = lists.filter((list) => diff[list].length > 0);
    expect([met, diff.isWorse]).toEqual([expected === null ? [] : [expected], isWorse]);
    // Traffic that held less is no alarm.
    const traffic = { judged: 1, leftOut: [] };
    const [earlier, other] = [before, after].map((status): Report => ({ ...one(status), traffic })) as [Report, Report];
    expect(diffReports(earlier, other).isWorse).toBe(isWorse && after !== 'not-judged');
    expect(diffReports(one(before), other).isWorse).toBe(isWorse);
    for (const list of met)
      expect(diff[list]).toEqual([
        expect.objectContaining({ id: 'a', ...(before && { before }), ...(after && { after }) }),
      ]);
  },
);

test('a failure at another place is another failure; one at another index or with another value is the same', () => {
  const failing = (at: string, actual = 'x'): Report => {
    const check: CheckReport = { ...sampleCheck('pass', 0), id: 'a', status: 'fail' };
    return sampleReport({}, { checks: [{ ...check, failure: { expected: 'e', actual, at, exchanges: [] } }] });
  };
  const different = (at: string, actual?: string): number =>
    diffReports(failing('/results/0/id'), failing(at, actual)).failingDifferently.length;
  expect([different('/results/9/id'), different('/results/0/id', 'y'), different('/results/0/name')]).toEqual([
    0, 0, 1,
  ]);
});

test('a change shows the old and the new value, if they exist and differ', () => {
  const reasoned = (reason: string): Report =>
    sampleReport({}, { checks: [{ ...sampleCheck('not-judged', 0), id: 'a', reason }] });
  const says = (before: Report, after: Report): unknown =>
    lists.flatMap((list) => diffReports(before, after)[list].map((change) => [change.said, change.says]));
  expect(says(one('pass'), reasoned('no agent\nat all'))).toEqual([[undefined, 'no agent']]);
  expect(says(reasoned('no agent'), one('pass'))).toEqual([['no agent', undefined]]);
  expect(says(reasoned('no agent'), one('fail'))).toEqual([
    ['no agent', 'expected a string plain, got a number plain at /agent/plain'],
  ]);
  const broke: Report = sampleReport({}, { checks: [{ ...sampleCheck('error', 0), id: 'a', reason: 'no agent' }] });
  expect(says(reasoned('no agent'), broke)).toEqual([[undefined, 'no agent']]);
});

test('a failure has the places of all its findings, and any other verdict has none', () => {
  expect(placesOf({})).toEqual(new Set());
  const more = [
    { expected: 'e', actual: 'a', at: '/results/3/id' },
    { expected: 'e', actual: 'a' },
  ];
  const failure = { expected: 'e', actual: 'a', at: '/results/0/id', exchanges: [], more };
  expect(placesOf({ failure })).toEqual(new Set(['/results/*/id', 'expected e']));
});

test('lists observations that changed, appeared or disappeared', () => {
  const [first, second] = sampleReport().observations;
  if (first === undefined || second === undefined) throw new Error('the sample has two observations');
  const observing = (...observations: Report['observations']): Report => sampleReport({}, { observations });
  const { gap, section, question } = first;
  const common = { gap, section, question };
  const changes = (before: Report, after: Report): unknown => diffReports(before, after).observations;
  expect(changes(observing(first), observing({ ...first, seen: 'other words' }))).toEqual([]);
  expect(changes(observing(first), observing({ ...first, choice: 'ok' }))).toEqual([
    { ...common, before: 'created', after: 'ok' },
  ]);
  expect(changes(observing(), observing(first))).toEqual([{ ...common, after: 'created' }]);
  expect(changes(observing(first), observing())).toEqual([{ ...common, before: 'created' }]);
});
