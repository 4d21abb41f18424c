import type { Reporter } from '../report/report.ts';
import { orNothing } from '../collections.ts';
import { testsOf, type ReportedTest } from './tests.ts';
import { lines, safeJson } from './wording/safe-json.ts';
import { basisOf } from './wording/wording.ts';

const statuses = {
  passed: 'passed',
  failed: 'failed',
  known: 'skipped',
  'not-judged': 'skipped',
  broken: 'other',
} as const satisfies Readonly<Record<ReportedTest['result'], string>>;

/** Common Test Report Format (https://ctrf.io): unjudged and known failures are `skipped`, broken checks `other`. */
export const ctrfReporter: Reporter = (report) => {
  const { tool, target, seed, startedAt, durationMs, outcome, summary, baseline } = report;
  const start = Date.parse(startedAt) || 0;
  const tests = testsOf(report).map(entryOf);
  const counts = { passed: 0, failed: 0, skipped: 0, pending: 0, other: 0 };
  for (const { status } of tests) counts[status]++;
  return safeJson({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: startedAt,
    generatedBy: `${tool.name} ${tool.version}`,
    results: {
      tool: { name: tool.name, version: tool.version },
      summary: {
        tests: tests.length,
        ...counts,
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

function entryOf({ id, title, suite, result, says, known, check }: ReportedTest) {
  const test = { name: title, testId: id, status: statuses[result], duration: 0, suite: [suite], type: 'api' };
  const message = orNothing(says) && lines(says);
  if (!check) return { ...test, message };
  const { status, judged, endpoint, requirements, provenBy, failure, supply } = check;
  const { expected, actual, at, more } = failure ?? {};
  return {
    ...test,
    rawStatus: status,
    tags: [endpoint, ...new Set(requirements.map(({ lane }) => lane))],
    message,
    trace: failure && lines(failure.exchanges.toReversed().map(({ curl }) => curl)),
    extra: { judged, requirements, provenBy, supply, known, expected, actual, at, more },
  };
}
