/** Judges any server that claims to be the Agent Builder Service. */
export { runConformance, type RunOptions } from './run.ts';
export { checks } from './checks/index.ts';
export { explorationCheck } from './explore.ts';
export type { Check, CheckContext } from './check.ts';
export type { TargetOptions } from './asking/given.ts';
export type * from './report/report.ts';
export {
  TransportError,
  type Transport,
  type TransportFailure,
  type WireRequest,
  type WireResponse,
} from './http/transport.ts';
export { createHttpTransport, type HttpTransport, type HttpTransportOptions } from './http/http-transport.ts';
export { UsageError } from './usage-error.ts';
export { isReportFormat, reportFormats, reporters, type ReportFormat } from './reporters/index.ts';
export { baselineOf, withBaseline, type Baseline } from './report/baseline.ts';
export { diffReports, type CheckChange, type ObservationChange, type ReportDiff } from './report/diff.ts';
