import type { BaselineEntry, CheckReport, Reporter, Status } from '../report.ts';
import { knownEntry } from './known.ts';
import { lines, safeJson } from './safe-json.ts';
import { sectionTitles } from './sections.ts';

const ctrfStatuses = {
  pass: 'passed',
  fail: 'failed',
  'not-judged': 'skipped',
  error: 'other',
} as const satisfies Readonly<Record<Status, string>>;

/**
 * Common Test Report Format (https://ctrf.io). What was not judged is `skipped`, and where the runner itself broke is
 * `other`; `rawStatus` and `extra` have our own words.
 */
export const ctrfReporter: Reporter = (report) => {
  const { tool, target, seed, startedAt, durationMs, outcome, summary, counts, checks } = report;
  const start = Date.parse(startedAt) || 0;
  const document = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: startedAt,
    generatedBy: `${tool.name} ${tool.version}`,
    results: {
      tool: { name: tool.name, version: tool.version },
      summary: {
        tests: checks.length,
        passed: counts.pass,
        failed: counts.fail,
        skipped: counts.notJudged,
        pending: 0,
        other: counts.error,
        suites: new Set(checks.map((check) => suiteOf(check))).size,
        start,
        stop: start + Math.round(durationMs),
        duration: Math.round(durationMs),
        extra: { outcome, summary, ...(report.baseline && { baseline: report.baseline }) },
      },
      tests: checks.map((check) => testOf(check, knownEntry(report, check))),
      environment: { testEnvironment: target.baseUrl, extra: { seed } },
    },
  };
  return safeJson(document);
};

function testOf(check: CheckReport, known: BaselineEntry | undefined): object {
  const { id, title, status, durationMs, endpoint, requirements, provenBy, failure, reason, supply } = check;
  const exchanges = failure?.exchanges ?? [];
  return {
    name: title,
    testId: id,
    status: ctrfStatuses[status],
    rawStatus: status,
    duration: Math.round(durationMs),
    suite: [suiteOf(check)],
    type: 'api',
    tags: [endpoint, ...new Set(requirements.map(({ lane }) => lane))],
    ...(failure
      ? {
          message: `expected ${failure.expected}, met ${failure.actual}`,
          trace: lines(exchanges.map(({ curl }) => curl)),
        }
      : reason === undefined
        ? {}
        : { message: lines(reason.split('\n')) }),
    extra: {
      requirements,
      provenBy,
      ...(supply === undefined ? {} : { supply }),
      ...(known === undefined ? {} : { known }),
      ...(failure
        ? {
            expected: failure.expected,
            actual: failure.actual,
            ...(failure.at === undefined ? {} : { at: failure.at }),
            ...(failure.more === undefined ? {} : { more: failure.more }),
          }
        : {}),
    },
  };
}

function suiteOf({ requirements }: CheckReport): string {
  const number = requirements[0]?.section ?? '';
  return `${number} ${sectionTitles[number] ?? ''}`.trim() || 'Other';
}
