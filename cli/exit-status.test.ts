import type { Report } from '../conformance/report/report.ts';
import { sampleReport } from '../conformance/testing/sample-report.ts';
import { exitStatusOf } from './exit-status.ts';
import rows from './testing/exit-statuses.json';

test.each(rows)('a run that is $outcome ends with $status', (row) => {
  const { allowPartial = false, status, verdict, counts, ...rest } = row;
  const news = verdict === 'news' ? [{ kind: 'new-failure', check: 'a', says: 'It fails.' }] : [];
  const baseline = verdict && { verdict, known: [], news };
  const all = { pass: 0, fail: 0, notJudged: 0, error: 0, ...counts };
  const report = { ...sampleReport(), ...rest, counts: all, baseline } as Report;
  expect(exitStatusOf(report, { allowPartial })).toBe(status);
});
