import type { BaselineEntry, BaselineNews, CheckReport, Reporter, Status } from '../report/report.ts';
import { knownEntry, OTHER_NEWS, otherNews, reasonOf } from './wording/known.ts';
import { lines, safeJson } from './wording/safe-json.ts';
import { sectionTitles } from './wording/sections.ts';
import { findingLine } from './wording/wording.ts';

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
  const { tool, target, seed, startedAt, durationMs, outcome, summary, checks } = report;
  const start = Date.parse(startedAt) || 0;
  const news = otherNews(report);
  const tests = [
    ...checks.map((check) => testOf(check, knownEntry(report, check))),
    ...(news.length > 0 ? [newsTest(news)] : []),
  ];
  const having = (status: CtrfStatus): number => tests.filter((test) => test.status === status).length;
  const document = {
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
        extra: { outcome, summary, ...(report.baseline && { baseline: report.baseline }) },
      },
      tests,
      environment: { testEnvironment: target.baseUrl, extra: { seed } },
    },
  };
  return safeJson(document);
};

type CtrfStatus = (typeof ctrfStatuses)[Status];

/** The status, as tests are counted. */
interface Test {
  readonly status: CtrfStatus;
  readonly suite: readonly string[];
  readonly [more: string]: unknown;
}

function newsTest(news: readonly BaselineNews[]): Test {
  return {
    name: OTHER_NEWS,
    testId: 'baseline',
    status: 'failed',
    duration: 0,
    suite: ['Baseline'],
    message: lines(news.map(({ says }) => says)),
  } as const;
}

function testOf(check: CheckReport, known: BaselineEntry | undefined): Test {
  const { id, title, status, judged, endpoint, requirements, provenBy, failure, reason, supply } = check;
  const exchanges = failure?.exchanges ?? [];
  return {
    name: title,
    testId: id,
    status: known === undefined ? ctrfStatuses[status] : 'skipped',
    rawStatus: status,
    duration: 0,
    suite: [suiteOf(check)],
    type: 'api',
    tags: [endpoint, ...new Set(requirements.map(({ lane }) => lane))],
    ...(failure
      ? {
          message: `${known === undefined ? '' : `known: ${reasonOf(known)}; `}${findingLine(failure)}`,
          trace: lines(exchanges.map(({ curl }) => curl)),
        }
      : reason === undefined
        ? {}
        : { message: lines(reason.split('\n')) }),
    extra: {
      judged,
      requirements,
      provenBy,
      supply,
      known,
      ...(failure
        ? {
            expected: failure.expected,
            actual: failure.actual,
            at: failure.at,
            more: failure.more,
          }
        : {}),
    },
  };
}

function suiteOf({ requirements }: CheckReport): string {
  const number = requirements[0]?.section ?? '';
  return `${number} ${sectionTitles[number] ?? ''}`.trim() || 'Other';
}
