import type {
  Cause,
  ServerErrors,
  BaselineEntry,
  BaselineNews,
  BaselineReport,
  CheckReport,
  CreatedOnTarget,
  Evidence,
  FailureReport,
  Observation,
  RecordedExchange,
  Report,
} from './report.ts';

type PropertyName =
  | keyof Report
  | keyof Report['tool']
  | keyof Report['target']
  | keyof NonNullable<Report['options']>
  | keyof Report['counts']
  | keyof CheckReport
  | keyof CheckReport['requirements'][number]
  | keyof CheckReport['provenBy'][number]
  | keyof FailureReport
  | keyof RecordedExchange
  | keyof Observation
  | keyof Evidence
  | keyof CreatedOnTarget
  | keyof BaselineReport
  | keyof BaselineEntry
  | keyof BaselineNews
  | keyof NonNullable<Report['traffic']>
  | keyof NonNullable<Report['traffic']>['leftOut'][number]
  | keyof Cause
  | keyof ServerErrors;

// A record and not a list, so that a property which is added to a report and forgotten here does not compile.
const names: Readonly<Record<PropertyName, true>> = {
  id: true,
  kind: true,
  tool: true,
  name: true,
  version: true,
  target: true,
  baseUrl: true,
  workspaceId: true,
  agentId: true,
  publishedAgentId: true,
  v5AgentId: true,
  options: true,
  readOnly: true,
  strictNull: true,
  repeat: true,
  causes: true,
  traffic: true,
  leftOut: true,
  examples: true,
  serverErrors: true,
  readableAfterMs: true,
  count: true,
  shown: true,
  judged: true,
  requirement: true,
  seed: true,
  startedAt: true,
  outcome: true,
  summary: true,
  counts: true,
  pass: true,
  fail: true,
  notJudged: true,
  error: true,
  requests: true,
  baseline: true,
  verdict: true,
  title: true,
  endpoint: true,
  gap: true,
  status: true,
  section: true,
  lane: true,
  statement: true,
  does: true,
  question: true,
  choice: true,
  seen: true,
  check: true,
  says: true,
  reason: true,
  expires: true,
  supply: true,
  expected: true,
  actual: true,
  at: true,
  curl: true,
  method: true,
  url: true,
  requestHeaders: true,
  requestBody: true,
  headers: true,
  body: true,
  durationMs: true,
  requirements: true,
  failure: true,
  exchanges: true,
  more: true,
  provenBy: true,
  schema: true,
  typed: true,
  seenValid: true,
  seenNull: true,
  neverSeen: true,
  known: true,
  news: true,
  entry: true,
  checks: true,
  observations: true,
  observedProfile: true,
  evidence: true,
  created: true,
};

/** Every property that occurs in a report, in the order in which they are written: what sums up stands first. */
export const reportProperties: readonly string[] = Object.keys(names);
