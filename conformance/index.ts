/** Judges any server that claims to be the Agent Builder Service. */
export { runConformance } from './run.ts';
export type { Progress, RunOptions } from './run-options.ts';
export { checks } from './checks/index.ts';
export { createJudgement, type Judged, type Judgement } from './history/judgement.ts';
export type { Answer, Answered, Exchange, Excerpt } from './http/exchange.ts';
export type { ReadBody } from './http/read-body.ts';
export type { Check, Finding, Judge, Verdict } from './check.ts';
export type { Probe } from './probes/probe.ts';
export type { TargetOptions } from './target-options.ts';
export type * from './report/report.ts';
export { TransportError, type TransportFailure } from '../http/explain-failure.ts';
export type { HttpAnswer, HttpExchange, HttpRequest, Transport } from '../http/exchange.ts';
export { createHttpTransport, type HttpTransport, type HttpTransportOptions } from './http/http-transport.ts';
export { UsageError } from './usage-error.ts';
export { isReportFormat, reportFormats, reporters } from './reporters/index.ts';
export type { RegisteredReporter, ReportFormat } from './reporters/index.ts';
export { baselineOf, withBaseline, type Baseline } from './report/baseline.ts';
export { diffReports, type CheckChange, type ObservationChange, type ReportDiff } from './report/diff.ts';
