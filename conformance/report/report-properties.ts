import type {
  Cause,
  ServerErrors,
  BaselineEntry,
  BaselineNews,
  BaselineReport,
  CheckReport,
  CreatedOnTarget,
  FailureReport,
  Observation,
  RecordedExchange,
  Report,
} from './report.ts';
import type { Evidence } from '../shape/evidence.ts';

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

// Only the keys matter: in a record, a property that a report has and this list lacks does not compile.
const names: Readonly<Record<PropertyName, null>> = {
  id: null,
  kind: null,
  tool: null,
  name: null,
  version: null,
  target: null,
  baseUrl: null,
  workspaceId: null,
  agentId: null,
  publishedAgentId: null,
  v5AgentId: null,
  options: null,
  readOnly: null,
  strictNull: null,
  repeat: null,
  causes: null,
  traffic: null,
  leftOut: null,
  examples: null,
  serverErrors: null,
  readableAfterMs: null,
  count: null,
  shown: null,
  judged: null,
  requirement: null,
  seed: null,
  startedAt: null,
  outcome: null,
  summary: null,
  counts: null,
  pass: null,
  fail: null,
  notJudged: null,
  error: null,
  requests: null,
  baseline: null,
  verdict: null,
  title: null,
  endpoint: null,
  gap: null,
  status: null,
  section: null,
  lane: null,
  statement: null,
  does: null,
  question: null,
  choice: null,
  seen: null,
  check: null,
  says: null,
  reason: null,
  expires: null,
  supply: null,
  expected: null,
  actual: null,
  at: null,
  curl: null,
  method: null,
  url: null,
  requestHeaders: null,
  requestBody: null,
  headers: null,
  body: null,
  durationMs: null,
  requirements: null,
  failure: null,
  exchanges: null,
  more: null,
  provenBy: null,
  schema: null,
  typed: null,
  seenValid: null,
  seenNull: null,
  neverSeen: null,
  known: null,
  news: null,
  entry: null,
  checks: null,
  observations: null,
  observedProfile: null,
  evidence: null,
  created: null,
};

/** Every property of a report, in the order in which they are written: summaries come first. */
export const reportProperties: readonly string[] = Object.keys(names);
