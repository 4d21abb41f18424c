import type { BaselineEntry, Report } from '../../report/report.ts';
import { ctrfReporter } from '../ctrf.ts';
import { githubReporter } from '../github.ts';
import { htmlReporter } from '../html/html.ts';
import { junitReporter } from '../junit.ts';
import { knownEntry, reasonOf } from './wording.ts';
import { markdownReporter } from '../markdown.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { sarifReporter } from '../sarif.ts';
import { tapReporter } from '../tap.ts';

const entry: BaselineEntry = { check: 'check-0', reason: 'being mended', expires: '2026-12-31' };

/** Two failures, of which the baseline knows the first, and an entry that matches nothing. */
const report: Report = sampleReport(
  { pass: 0, fail: 2, notJudged: 0, error: 0 },
  {
    baseline: {
      verdict: 'news',
      known: [entry],
      news: [
        { kind: 'new-failure', check: 'check-7', says: 'check-7 fails, and no entry knows it.' },
        { kind: 'matches-nothing', check: 'gone', says: 'gone matches nothing.', entry: { ...entry, check: 'gone' } },
      ],
    },
  },
);

test('a failure is known if a valid entry names its check, and nothing new was found there', () => {
  const [first, second] = report.checks;
  if (!first || !second) throw new Error('no checks');
  expect(knownEntry(report, first)).toBe(entry);
  expect(knownEntry(report, second)).toBeUndefined();
  expect(knownEntry({ ...report, baseline: undefined }, first)).toBeUndefined();
  expect(knownEntry(report, { ...first, status: 'not-judged' })).toBeUndefined();
  expect(reasonOf(entry)).toBe('being mended (until 2026-12-31)');
});

test('HTML and Markdown name what is new, and HTML keeps known failures closed', () => {
  const page = htmlReporter(report);
  const text = page.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
  expect(text).toContain('Compared with the baseline known check-0: being mended (until 2026-12-31) ');
  expect(text).toContain('matches nothing gone: gone matches nothing. 2 of these are new, and fail the run.');
  expect(text).toContain('known to the baseline: being mended (until 2026-12-31)');
  expect(page).toMatch(/data-id="check-7"\s+open=""/);
  expect(page).not.toMatch(/data-id="check-0"\s+open=""/);
  const output = markdownReporter(report);
  expect(output).toContain('**Compared with the baseline.** 2 of these are new, and fail the run.\n\n- known  check-0');
  expect(output).toContain('- **Known** to the baseline');
});

test('TAP has known failures as TODO, SARIF as suppressed', () => {
  const tap = tapReporter(report, { color: false });
  expect(tap).toContain('not ok 1 - check-0: Check 0 plain # TODO known: being mended (until 2026-12-31)\n');
  expect(tap).toContain('not ok 2 - check-7: Check 7 plain\n');
  expect(tap).toContain('not ok 3 - baseline: The run matches the baseline\n');
  const { runs } = JSON.parse(sarifReporter(report)) as { runs: readonly { results: readonly object[] }[] };
  expect(runs[0]?.results).toMatchObject([
    { baselineState: 'unchanged', suppressions: [{ kind: 'external', justification: reasonOf(entry) }] },
    { baselineState: 'new' },
  ]);
});

/** A single failure, which the baseline knows. */
const quiet: Report = {
  ...report,
  checks: report.checks.slice(0, 1),
  counts: { ...report.counts, fail: 1 },
  baseline: { verdict: 'nothing-new', known: [entry], news: [] },
};

interface Ctrf {
  readonly results: { readonly summary: object; readonly tests: readonly object[] };
}
const ctrf = (of: Report): Ctrf['results'] => (JSON.parse(ctrfReporter(of, { color: false })) as Ctrf).results;
const junit = (of: Report): string => junitReporter(of, { color: false });

test('CTRF and JUnit are green if all failures are known, and count them as skipped', () => {
  const { summary, tests } = ctrf(quiet);
  expect(summary).toMatchObject({ tests: 1, passed: 0, failed: 0, skipped: 1, other: 0 });
  const message = expect.stringMatching(/^known: being mended \(until 2026-12-31\)\nexpected a string/) as string;
  expect(tests).toMatchObject([
    { testId: 'check-0', status: 'skipped', rawStatus: 'fail', message, extra: { known: entry } },
  ]);
  expect(junit(quiet)).toMatch(/<testsuites [^>]*tests="1" failures="0" errors="0" skipped="1"/);
  expect(junit(quiet)).toMatch(/<skipped message="known: being mended \(until 2026-12-31\)"\/>\n<system-out>/);
  expect(junit(quiet)).toMatch(/<system-out>[^<]*actual    a number plain\n/);
});

test('CTRF and JUnit are red for new failures, and for entries that no longer apply', () => {
  const { summary, tests } = ctrf(report);
  expect(summary).toMatchObject({ tests: 3, passed: 0, failed: 2, skipped: 1, other: 0 });
  const message = '1 difference\nmatches-nothing: gone matches nothing.';
  expect(tests).toMatchObject([
    { status: 'skipped' },
    { status: 'failed' },
    { testId: 'baseline', status: 'failed', message },
  ]);
  expect(tests[1]).not.toHaveProperty('extra.known');
  expect(junit(report)).toMatch(/<testsuites [^>]*tests="3" failures="2" errors="0" skipped="1"/);
  expect(junit(report)).toMatch(/<testsuite name="Baseline"[^]*<failure [^>]*type="baseline"/);
});

test('CTRF and JUnit show expired entries once, at the failing check', () => {
  const expired = { kind: 'expired', check: 'check-0', says: 'check-0 was known until yesterday.', entry } as const;
  const late: Report = { ...quiet, baseline: { verdict: 'news', known: [entry], news: [expired] } };
  expect(ctrf(late).summary).toMatchObject({ tests: 1, failed: 1, skipped: 0 });
  expect(junit(late)).toMatch(/<testsuites [^>]*failures="1"/);
});

test('GitHub gets a notice for what is known, and errors for the rest', () => {
  const lines = githubReporter(report, { color: false }).trimEnd().split('\n');
  expect(lines.map((line) => line.slice(0, line.indexOf('::', 2)))).toEqual([
    '::error title=agent-contract%3A Something new (by itself%3A nonconformant)',
    '::notice title=check-0',
    '::error title=check-7',
    '::error title=baseline',
  ]);
});
