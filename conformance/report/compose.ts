import { version } from '../../package.json';
import { endpointIds, endpoints, requirements, violations } from '../../spec/index.ts';
import type { ApiStatistics } from '../probes/api/api.ts';
import { CannotProbe } from '../probes/cannot-probe.ts';
import type { Check, Finding } from '../check.ts';
import { isAnswered, type Exchange } from '../http/exchange.ts';
import type { Facts } from '../history/facts/facts.ts';
import { field, stringAt } from '../json.ts';
import type { Judged } from '../history/judgement.ts';
import { count } from '../show.ts';
import type { TargetOptions } from '../target-options.ts';
import type { Secret } from './redact.ts';
import { causesOf } from './causes.ts';
import { recorded } from './recorded.ts';
import type { CheckReport, CreatedOnTarget, FailureReport, Outcome, Report, ServerErrors } from './report.ts';
import type { Evidence } from '../shape/evidence.ts';

/** A check in a report. `failed` holds the errors of its probes. */
export function checkReport(judged: Judged, failed: readonly unknown[], secrets: readonly Secret[]): CheckReport {
  const { id, title, endpoint, verifies, provenBy } = judged.check;
  return {
    id,
    title,
    endpoint,
    requirements: verifies.map((requirement) => {
      const { section, lane, statement } = requirements[requirement];
      return { id: requirement, section, lane, statement };
    }),
    provenBy: provenBy.map((violation) => ({ id: violation, does: violations[violation].does })),
    ...resultOf(judged, failed, secrets),
  };
}

type Result = Pick<CheckReport, 'status' | 'judged' | 'failure' | 'reason' | 'supply'>;

function resultOf(judged: Judged, failed: readonly unknown[], secrets: readonly Secret[]): Result {
  if (!('verdict' in judged)) return { status: 'error', judged: 0, reason: brokenBy(judged.error) };
  const { findings, judged: on, missing } = judged.verdict;
  const [first, ...more] = findings;
  if (first) return { status: 'fail', judged: on, failure: failureOf(first, more, judged.check, secrets) };
  const broken = failed.find((error) => !(error instanceof CannotProbe));
  if (broken !== undefined) return { status: 'error', judged: on, reason: brokenBy(broken) };
  if (on > 0 && !missing) return { status: 'pass', judged: on };
  const { probes = [] } = judged.check;
  const cannot = failed.find((error) => error instanceof CannotProbe);
  const unasked = cannot && { reason: cannot.message, supply: cannot.supply };
  // If nothing could be sent, or one probe failed for a reason that nobody can fix, that is the reason.
  const isWhy = failed.length >= probes.length || (cannot !== undefined && cannot.supply === undefined);
  const { reason, supply } = (isWhy ? unasked : undefined) ?? missing ?? unasked ?? { reason: 'No exchange shows it.' };
  const helps = supply ?? cannot?.supply;
  return { status: 'not-judged', judged: on, reason, supply: helps };
}

const brokenBy = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

function failureOf(
  { requirement, exchanges, ...finding }: Finding,
  more: readonly Finding[],
  check: Check,
  secrets: readonly Secret[],
): FailureReport {
  return {
    requirement: requirement ?? check.verifies[0],
    ...finding,
    exchanges: exchanges.map((exchange) => recorded(exchange, secrets)),
    ...(more.length === 0
      ? {}
      : {
          more: more.map(({ expected, actual, at }) => ({ expected, actual, at })),
        }),
  };
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

/** What an exchange created on the target. */
export function madeBy(exchange: Exchange): CreatedOnTarget | undefined {
  const { holds: kind, method } = endpoints[exchange.endpoint];
  if (method !== 'POST' || (kind !== 'agent' && kind !== 'workspace')) return undefined;
  if (exchange.method !== 'POST' || !isAnswered(exchange) || !exchange.answer.accepted) return undefined;
  const { answer, sent } = exchange;
  const name = stringAt(answer.json, kind, 'name') ?? field(sent, ...(kind === 'agent' ? ['agent', 'name'] : ['name']));
  return {
    kind,
    id: cut(stringAt(answer.json, kind, 'id') ?? '(not answered)', 200),
    name: typeof name === 'string' ? cut(name, 200) : '(none)',
  };
}

/** The facts that a report states. */
export interface ReportedFacts extends Pick<Facts['traffic'], 'serverErrors' | 'serverErrorCount'> {
  readonly evidence: readonly Evidence[];
  /** The status of every answer to the token, if it was always 401 or always 403. */
  readonly refused: number | undefined;
  /** How long a new agent could not be read, in milliseconds. */
  readonly latestMs: number | undefined;
}

export const reportedFacts = ({
  shapes,
  traffic,
  lateness,
}: Pick<Facts, 'shapes' | 'traffic' | 'lateness'>): ReportedFacts => ({
  evidence: shapes.evidence(),
  refused: refusedEverywhere(traffic),
  serverErrors: traffic.serverErrors,
  serverErrorCount: traffic.serverErrorCount,
  latestMs: lateness.longestMs,
});

/** The result of a run, without its settings. */
export function verdictOf(
  checks: readonly CheckReport[],
  told: ReportedFacts,
  { requests, answers, lastFailure, givenUp }: Pick<ApiStatistics, 'requests' | 'answers' | 'lastFailure' | 'givenUp'>,
  secrets: readonly Secret[],
): Pick<Report, 'outcome' | 'summary' | 'counts' | 'causes' | 'serverErrors' | 'readableAfterMs'> {
  const counts = {
    pass: checks.filter(({ status }) => status === 'pass').length,
    fail: checks.filter(({ status }) => status === 'fail').length,
    notJudged: checks.filter(({ status }) => status === 'not-judged').length,
    error: checks.filter(({ status }) => status === 'error').length,
  };
  const { refused, evidence } = told;
  const outcome: Outcome =
    counts.fail > 0
      ? 'nonconformant'
      : (requests > 0 && answers === 0) || refused !== undefined
        ? 'unreachable'
        : counts.notJudged > 0 || counts.error > 0 || counts.pass === 0
          ? 'partial'
          : 'conformant';
  const causes = causesOf(checks);
  const unreachable =
    refused === undefined
      ? `No request was answered. ${lastFailure ?? ''}`.trim()
      : `Every answer was ${refused}. Is this the right token?`;
  const stopped = givenUp === undefined || outcome === 'unreachable' ? '' : ` ${givenUp}`;
  const says = outcome === 'unreachable' ? unreachable : summaryOf(outcome, counts, checks, causes.length);
  return {
    outcome,
    summary: `${says}${stopped}${seenOf(evidence)}${serverErrorsSaid(told)}${latenessSaid(told)}`,
    counts,
    ...(causes.length === 0 ? {} : { causes }),
    ...(told.serverErrorCount === 0 ? {} : { serverErrors: serverErrorsOf(told, secrets) }),
    readableAfterMs: told.latestMs,
  };
}

function refusedEverywhere(traffic: Facts['traffic']): number | undefined {
  const statuses = new Set(endpointIds.flatMap((endpoint) => [...traffic.of(endpoint).statuses.keys()]));
  const [status] = statuses;
  return statuses.size === 1 && (status === 401 || status === 403) ? status : undefined;
}

function summaryOf(
  outcome: Exclude<Outcome, 'unreachable'>,
  { pass, fail, notJudged, error }: Report['counts'],
  checks: readonly CheckReport[],
  causes: number,
): string {
  const total = count(checks.length, 'check');
  switch (outcome) {
    case 'nonconformant': {
      const grouped = causes < fail ? `, with ${count(causes, 'cause')}` : '';
      return `${fail} of ${total} failed${grouped}${notJudged + error > 0 ? `; ${notJudged + error} could not be judged` : ''}.`;
    }
    case 'conformant':
      return `All ${total} passed.`;
    case 'partial': {
      const supplies = new Set(checks.flatMap(({ supply }) => (supply === undefined ? [] : [supply])));
      const broke = error > 0 ? ` The runner itself broke in ${count(error, 'check')}.` : '';
      const remedy = supplies.size > 0 ? ` To judge more: ${[...supplies].slice(0, 6).join('; ')}.` : '';
      return `Nothing failed, but only ${pass} of ${total} could be judged.${broke}${remedy}`;
    }
  }
}

function serverErrorsSaid({ serverErrorCount, serverErrors }: ReportedFacts): string {
  const [first] = serverErrors;
  if (!first) return '';
  const titles = [...new Set(serverErrors.map(({ endpoint }) => endpoints[endpoint].title))];
  return ` ${count(serverErrorCount, 'answer')} had a status above 499 (${first.status} first), at ${titles.join(', ')}.`;
}

function latenessSaid({ latestMs }: ReportedFacts): string {
  return latestMs === undefined ? '' : ` A new agent could not be read for up to ${latestMs} ms after its creation.`;
}

function serverErrorsOf({ serverErrorCount, serverErrors }: ReportedFacts, secrets: readonly Secret[]): ServerErrors {
  return {
    count: serverErrorCount,
    shown: serverErrors.map(({ endpoint, status, kept }) => ({ endpoint, status, curl: recorded(kept, secrets).curl })),
  };
}

function seenOf(evidence: readonly Evidence[]): string {
  const typed = evidence.reduce((sum, one) => sum + one.typed, 0);
  const seen = typed - evidence.reduce((sum, { neverSeen }) => sum + neverSeen.length, 0);
  return seen === 0 ? '' : ` ${seen} of ${typed} documented places were seen in answers.`;
}

/** The options of a run that its report shows. */
interface ShownOptions extends TargetOptions {
  readonly baseUrl: string;
  readonly readOnly?: boolean | undefined;
  readonly strictNull?: boolean | undefined;
  readonly repeat?: number | undefined;
}

/** What was judged, and how. */
export function aboutRun(options: ShownOptions): Pick<Report, 'tool' | 'target' | 'options'> {
  const { baseUrl, workspaceId, agentId, publishedAgentId, v5AgentId, readOnly, strictNull, repeat } = options;
  return {
    tool: { name: 'agent-contract', version },
    target: {
      baseUrl,
      workspaceId,
      agentId,
      publishedAgentId,
      v5AgentId,
    },
    options: {
      readOnly: readOnly === true,
      strictNull: strictNull === true,
      repeat,
    },
  };
}
