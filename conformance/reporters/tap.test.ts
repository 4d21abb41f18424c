import { visible } from '../report/redact.ts';
import type { Status } from '../report/report.ts';
import { HOSTILE, sampleReport } from '../testing/sample-report.ts';
import { tapReporter } from './tap.ts';

const LINE = /^(not )?ok (\d+) - ((?:\\.|[^#\\])*?)(?: # SKIP (.*))?$/;

/** The test points by description. Anything outside TAP 14 is an error. */
function read(output: string): { readonly plan: string; readonly points: Map<string, Status>; readonly bail: boolean } {
  const lines = output.trimEnd().split('\n');
  expect(lines.shift()).toBe('TAP version 14');
  const points = new Map<string, Status>();
  let plan = '';
  let bail = false;
  let last = '';
  let isInYaml = false;
  for (const line of lines) {
    if (isInYaml) {
      if (line === '  ...') isInYaml = false;
      else {
        expect(line).toMatch(/^ {2}\S| {4}- /);
        const [, name = '', text = ''] = /^ {2}(\w+): (".*")$/.exec(line) ?? [];
        if (name !== '') JSON.parse(text);
        if (line === '  status: error') points.set(last, 'error');
      }
      continue;
    }
    if (line === '  ---') isInYaml = true;
    else if (/^\d+\.\.\d+/.test(line)) plan = line;
    else if (line.startsWith('Bail out!')) bail = true;
    else if (!line.startsWith('# ')) {
      const [whole, not, number, description = '', skip] = LINE.exec(line) ?? [];
      expect(whole).toBe(line);
      expect(Number(number)).toBe(points.size + 1);
      last = description.replace(/\\(.)/g, '$1');
      points.set(last, skip === undefined ? (not === undefined ? 'pass' : 'fail') : 'not-judged');
    }
  }
  expect(isInYaml).toBe(false);
  return { plan, points, bail };
}

test.each([
  ['of every status', sampleReport()],
  ['with hostile text', sampleReport({ pass: 9, fail: 8, notJudged: 7, error: 6 }, { text: `# SKIP \\# ${HOSTILE}` })],
  ['with a forged line', sampleReport({}, { text: 'x\nok 99 - forged\n  ...\nBail out!' })],
])('the TAP report of a run %s, read back, has the same verdicts', (_name, report) => {
  const { plan, points, bail } = read(tapReporter(report, { color: false }));
  expect(plan).toBe(`1..${report.checks.length}`);
  expect([...points]).toEqual(report.checks.map(({ id, title, status }) => [visible(`${id}: ${title}`), status]));
  expect(bail).toBe(false);
});

test.each<[string, Partial<Record<Status, number>>]>([
  ['passed', { pass: 1 }],
  ['failed', { fail: 1 }],
  ['broke', { error: 1 }],
  ['passed, and one that failed', { pass: 1, fail: 1 }],
  ['passed, and one that threw', { pass: 1, error: 1 }],
  ['failed, and two that threw', { fail: 1, error: 2 }],
])('a check that %s is a judged test point', (_name, { pass = 0, fail = 0, error = 0 }) => {
  const report = sampleReport({ pass, fail, notJudged: 2, error });
  expect(read(tapReporter(report, { color: false })).bail).toBe(false);
});

test.each([
  ['that judged nothing', sampleReport({ pass: 0, fail: 0, notJudged: 2, error: 0 })],
  ['without a check', sampleReport({ pass: 0, fail: 0, notJudged: 0, error: 0 })],
  ['that reached nothing', sampleReport({ pass: 0, fail: 0, notJudged: 2, error: 0 }, { outcome: 'unreachable' })],
])('the TAP report of a run %s is not green', (_name, report) => {
  expect(read(tapReporter(report, { color: false })).bail).toBe(true);
});
