import { basisOf } from './wording/wording.ts';
import type { CheckReport, Report, Reporter, Status } from '../report/report.ts';
import { knownEntry, OTHER_NEWS, otherNews, reasonOf } from './wording/known.ts';
import { lines, safeJson } from './wording/safe-json.ts';
import { sectionOf } from './wording/sections.ts';
import { findingLine } from '../report/findings.ts';

const ctrfStatuses = {
  pass: 'passed',
  fail: 'failed',
  'not-judged': 'skipped',
  error: 'other',
} as const satisfies Readonly<Record<Status, string>>;

/**
 * Common Test Report Format (https://ctrf.io). An unjudged check is `skipped`, and so is a failure that the baseline
 * knows. A check in which the runner broke is `other`. `rawStatus` and `extra` use our own terms. Any other difference
 * from the baseline is a failed test of its own.
 */
export const ctrfReporter: Reporter = (report) => {
  const { tool, target, seed, startedAt, durationMs, outcome, summary, checks, baseline } = report;
  const start = Date.parse(startedAt) || 0;
  const news = otherNews(report);
  const tests = checks.map((check) => testOf(check, report));
  if (news.length > 0)
    tests.push({
      name: OTHER_NEWS,
      testId: 'baseline',
      status: 'failed',
      duration: 0,
      suite: ['Baseline'],
      message: lines(news.map(({ says }) => says)),
    });
  const having = (status: Test['status']): number => tests.filter((test) => test.status === status).length;
  return safeJson({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: startedAt,
    generatedBy: `${tool.name} ${tool.version}`,
    results: {
      tool: { name: tool.name, version: tool.version },
      summary: {
        tests: tests.length,
        passed: having('passed'),
        failed: having('failed'),
        skipped: having('skipped'),
        pending: 0,
        other: having('other'),
        suites: new Set(tests.flatMap(({ suite }) => suite)).size,
        start,
        stop: start + Math.round(durationMs),
        duration: Math.round(durationMs),
        extra: { outcome, summary, baseline, ...basisOf(report) },
      },
      tests,
      environment: { testEnvironment: target.baseUrl, extra: { seed } },
    },
  });
};

/** The members by which tests are counted, and more. */
interface Test {
  readonly status: (typeof ctrfStatuses)[Status];
  readonly suite: readonly string[];
  readonly [more: string]: unknown;
}

function testOf(check: CheckReport, report: Report): Test {
  const { id, title, status, judged, endpoint, requirements, provenBy, failure, reason, supply } = check;
  const known = knownEntry(report, check);
  const { number, title: section } = sectionOf(check);
  const { expected, actual, at, more } = failure ?? {};
  return {
    name: title,
    testId: id,
    status: known ? 'skipped' : ctrfStatuses[status],
    rawStatus: status,
    duration: 0,
    suite: [`${number} ${section}`.trim() || 'Other'],
    type: 'api',
    tags: [endpoint, ...new Set(requirements.map(({ lane }) => lane))],
    message: failure
      ? `${known ? `known: ${reasonOf(known)}; ` : ''}${findingLine(failure)}`
      : reason && lines(reason.split('\n')),
    trace: failure && lines(failure.exchanges.toReversed().map(({ curl }) => curl)),
    extra: { judged, requirements, provenBy, supply, known, expected, actual, at, more },
  };
}
