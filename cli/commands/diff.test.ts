import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CheckReport, Report } from '../../conformance/report/report.ts';
import { HOSTILE, sampleCheck, sampleReport } from '../../conformance/reporters/sample-report.ts';
import { run, temporaryFolder } from '../testing/test-io.ts';

const folder = temporaryFolder();
const write = (name: string, report: Report): string => {
  writeFileSync(path.join(folder, name), JSON.stringify(report));
  return name;
};
const diff = (before: Report, after: Report, ...argv: string[]): ReturnType<typeof run> =>
  run(['diff', write('a.json', before), write('b.json', after), ...argv], { cwd: folder });

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
  expect(text.stdout).toContain(
    'Newly failing\n  a  [a]\n      now     expected a string plain, got a number plain at',
  );
  expect(text.stdout).toContain('Newly not judged\n  c  [c]\n      now     nothing to judge plain\n');
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

test('shows changed observations, and options that differ', async () => {
  const [observation] = sampleReport().observations;
  const seen = (choice: string): Partial<Report> => ({
    observations: observation === undefined ? [] : [{ ...observation, choice }],
  });
  const { status, stdout } = await diff(
    reportOf([], { ...seen('created'), options: { readOnly: false, strictNull: false } }),
    reportOf([], { ...seen('ok'), options: { readOnly: true, strictNull: false } }),
  );
  expect(status).toBe(0);
  expect(stdout).toContain('Observed choices that changed\n  4.7   Which status? created → ok\n');
  expect(stdout).toContain('Only one run, after, used --read-only.');
});

test('contains nothing that a terminal executes', async () => {
  const { stdout } = await diff(
    sampleReport({ pass: 0 }, { text: HOSTILE }),
    sampleReport({ pass: 9, fail: 4 }, { text: HOSTILE }),
  );
  // oxlint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('refuses a file that is not a report', async () => {
  writeFileSync(path.join(folder, 'c.json'), '{"checks": 5}');
  const { status, stderr } = await run(['diff', write('a.json', sampleReport()), 'c.json'], { cwd: folder });
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^error: c\.json is not a report of agent-contract/)]);
});

test('reads a report of a later version with more members', async () => {
  const later = { ...sampleReport(), later: true } as Report;
  expect((await diff(sampleReport(), later)).status).toBe(0);
});
