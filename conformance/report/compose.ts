import { isStructure, type NeverShown } from '../content/places.ts';
import { version } from '../../package.json';
import { endpointIds, endpoints, requirements, violations } from '../../spec/index.ts';
import type { ApiStatistics } from '../probes/api/pauses.ts';
import { CannotProbe } from '../probes/cannot-probe.ts';
import { isAnswered, type Excerpt, type Exchange } from '../http/exchange.ts';
import { excuses } from '../history/facts/excuses.ts';
import type { Facts } from '../history/facts/facts.ts';
import { onlyOf, orNothing } from '../collections.ts';
import { stringAt } from '../json.ts';
import type { Judged } from '../history/judgement.ts';
import { counted, cutTo, named, optional } from '../show.ts';
import type { RunOptions } from '../run-options.ts';
import { causesOf } from './causes.ts';
import { contractOf } from './scope.ts';
import type { RecordExchange } from './recorded.ts';
import type { CheckReport, CreatedOnTarget, Outcome, Report, UnsteadyEndpoint } from './report.ts';
import { answersOf, summed, type Shown, type Tally } from './shown.ts';

/** A check in a report. `failed` holds the errors of its probes. */
export function checkReport(judged: Judged, failed: readonly unknown[], record: RecordExchange): CheckReport {
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
    ...resultOf(judged, failed, record),
  };
}

function resultOf(
  judged: Judged,
  failed: readonly unknown[],
  record: RecordExchange,
): Pick<CheckReport, 'status' | 'judged' | 'failure' | 'reason' | 'supply'> {
  if (!('verdict' in judged)) return { status: 'error', judged: 0, reason: brokenBy(judged.error) };
  const { judged: on, missing, condition, findings } = judged.verdict;
  const [first, ...others] = findings;
  if (first) {
    const { requirement = judged.check.verifies[0], exchanges, ...finding } = first;
    const more = orNothing(others.map(({ expected, actual, at, times }) => ({ expected, actual, at, times })));
    const failure = { requirement, ...finding, condition, exchanges: exchanges.map(record), more };
    return { status: 'fail', judged: on, failure };
  }
  const broken = failed.find((error) => !(error instanceof CannotProbe));
  if (broken !== undefined) return { status: 'error', judged: on, reason: brokenBy(broken) };
  if (on > 0 && !missing) return { status: 'pass', judged: on };
  const cannot = failed.find((error) => error instanceof CannotProbe);
  const unasked = cannot && { reason: cannot.message, supply: cannot.supply };
  // If nothing could be sent, or one probe failed for a reason that nobody can fix, that is the reason.
  const isWhy =
    failed.length >= (judged.check.probes?.length ?? 0) || (cannot !== undefined && cannot.supply === undefined);
  const { reason, supply } = (isWhy && unasked) || missing || unasked || { reason: NOTHING_SHOWS_IT };
  return { status: 'not-judged', judged: on, reason, supply: supply ?? cannot?.supply };
}

/** The reason of a check that knows no better one. */
export const NOTHING_SHOWS_IT = 'No exchange shows it.';

function brokenBy(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export function madeBy(exchange: Exchange): CreatedOnTarget | undefined {
  const { holds: kind, method } = endpoints[exchange.endpoint];
  if (method !== 'POST' || (kind !== 'agent' && kind !== 'workspace')) return undefined;
  if (exchange.method !== 'POST' || !isAnswered(exchange) || !exchange.answer.accepted) return undefined;
  const { answer, sent } = exchange;
  const sentName = stringAt(sent, ...(kind === 'agent' ? ['agent'] : []), 'name');
  const name = stringAt(answer.json, kind, 'name') ?? sentName;
  const id = stringAt(answer.json, kind, 'id');
  return { kind, id: cutTo(200, id ?? '(not answered)'), name: cutTo(200, name ?? '(none)') };
}

/** The result of a run, or of traffic, without its settings. */
export function verdictOf(
  checks: readonly CheckReport[],
  shown: Shown,
  statistics: Pick<ApiStatistics, 'requests' | 'answers'> &
    Partial<ApiStatistics> & { everyStatus?: number | undefined },
  record: RecordExchange,
) {
  const counts = { pass: 0, fail: 0, notJudged: 0, error: 0 };
  for (const { status } of checks) counts[status === 'not-judged' ? 'notJudged' : status]++;
  const { requests, answers, begun = 0, lastFailure = '', givenUp = '', spent = '', narrowed = '' } = statistics;
  const { everyStatus = 0 } = statistics;
  const isRefused = everyStatus === 401 || everyStatus === 403;
  // Answers that broke off are findings, and the target was reached.
  const isUnreachable = (requests > 0 && answers + begun === 0) || isRefused;
  const outcome = outcomeOf(counts, isUnreachable);
  const causes = causesOf(checks);
  const { evidence, late, serverErrorCount: count5xx } = shown;
  const recorded = <T extends { excerpt: Excerpt }>({ excerpt, ...one }: T) => ({ ...one, curl: record(excerpt).curl });
  const serverErrors = count5xx > 0 ? { count: count5xx, shown: shown.serverErrors.map(recorded) } : undefined;
  const unsteady = shown.unsteady.map((one): UnsteadyEndpoint => ({
    ...recorded(one),
    what: one.excerpt.failure ?? String(one.excerpt.status),
  }));
  const excused = shown.excused.map(([id, times]) => ({ id, count: times, why: excuses[id].excuses }));
  const unanswered = [...unansweredBy(shown), givenUp, spent, narrowed].filter(Boolean);
  const sentences = [...remarksOn(shown, { serverErrors, unsteady, excused })];
  if (outcome !== 'unreachable')
    sentences.unshift(summaryOf(outcome, counts, checks, causes.length, requests), ...unanswered);
  else if (isRefused) sentences.unshift(`Every answer was ${everyStatus}. Is this the right token?`);
  else sentences.unshift('No request was answered.', lastFailure);
  if (everyStatus >= 300 && everyStatus < 400)
    sentences.unshift(
      `Every answer was a redirect (${everyStatus}), which no run follows: give the base URL that it leads to.`,
    );
  return {
    outcome,
    summary: sentences.filter(Boolean).join(' '),
    counts,
    causes: orNothing(causes),
    serverErrors,
    unsteady: orNothing(unsteady),
    unanswered: orNothing(unanswered),
    excused: orNothing(excused),
    readableAfterMs: late?.readMs,
    deniedForMs: late?.deniedMs,
    evidence,
  };
}

function outcomeOf({ pass, fail, notJudged, error }: Report['counts'], isUnreachable: boolean): Outcome {
  if (fail > 0) return 'nonconformant';
  if (isUnreachable) return 'unreachable';
  if (notJudged > 0 || error > 0 || pass === 0) return 'partial';
  return 'conformant';
}

/** The status of every answer, if it was always the same. */
export function statusOfAll(traffic: Facts['traffic']): number | undefined {
  return onlyOf(new Set(endpointIds.flatMap((endpoint) => [...traffic.of(endpoint).statuses.keys()])));
}

function summaryOf(
  outcome: Exclude<Outcome, 'unreachable'>,
  { pass, fail, notJudged, error }: Report['counts'],
  checks: readonly CheckReport[],
  causes: number,
  requests: number,
): string {
  const total = counted(checks.length, 'check');
  if (outcome === 'conformant') return `All ${total} passed.`;
  if (outcome === 'nonconformant') {
    const grouped = optional`, with ${causes < fail && counted(causes, 'cause')}`;
    return `${fail} of ${total} failed${grouped}${optional`; ${notJudged + error} could not be judged`}.`;
  }
  const supplies = new Set(checks.flatMap(({ supply }) => supply ?? []));
  const sentences = [`Nothing failed, but only ${pass} of ${total} could be judged.`];
  if (error > 0) sentences.push(`The runner itself broke in ${counted(error, 'check')}.`);
  if (requests === 0 && supplies.size > 0) return `Nothing was asked. First of all this needs ${[...supplies][0]}.`;
  if (supplies.size > 0) sentences.push(`To judge more: ${[...supplies].slice(0, 6).join('; ')}.`);
  return sentences.join(' ');
}

/** What a summary says after the verdict. */
function* remarksOn(
  { evidence, late, neverShown, neverPublished, unaccepted }: Shown,
  { serverErrors, unsteady = [], excused = [] }: Pick<Report, 'serverErrors' | 'unsteady' | 'excused'>,
): Generator<string> {
  const typed = evidence.reduce((sum, one) => sum + one.typed, 0);
  const seen = typed - evidence.reduce((sum, { neverSeen }) => sum + neverSeen.length, 0);
  if (seen > 0) yield `${seen} of ${typed} documented places were seen in answers.`;
  for (const { endpoint, failed, of, what } of unsteady) {
    const were = optional`${failed === 1 && 'it was right'}` || 'they were right';
    yield `${failed} of ${counted(of, 'answer')} of ${endpoints[endpoint].title} failed (${what}); repeated, ${were}.`;
  }
  const [first] = serverErrors?.shown ?? [];
  if (serverErrors && first) {
    const titles = [...new Set(serverErrors.shown.map(({ endpoint }) => endpoints[endpoint].title))];
    const all = counted(serverErrors.count, 'answer');
    yield `${all} had a status above 499 (${first.status} first), at ${titles.join(', ')}.`;
  }
  if (late)
    yield `A new agent could not yet be read ${late.deniedMs} ms after its creation, and could after ${late.readMs} ms.`;
  const counts = Object.entries(excuses).flatMap(([id, { as }]) =>
    excused.filter((one) => one.id === id).map((one) => `${one.count} as ${as}`),
  );
  if (counts.length > 0) yield `Answers excused: ${counts.join(', ')}.`;
  if (unaccepted > 0) yield `${counted(unaccepted, 'answer')} came in a content coding that was not accepted.`;
  const [never, unpublished] = [neverShown, neverPublished].map(wordsOf);
  if (never) yield `Sent in creations, and shown by no answer: ${never}.`;
  if (unpublished) yield `Imported as published, and shown by no public form: ${unpublished}.`;
}

/** What was never shown and breaks no contract, with how often it was sent. Names in blocks are those of whoever sent them. */
function wordsOf(never: readonly NeverShown[]): string {
  const ofAgents = never.filter(({ kind }) => !isStructure(kind) && !kind.includes('/blocks/'));
  const times = summed(ofAgents.map((one): Tally[number] => [one.kind, one.times]));
  if (times.length === 0) return '';
  const words = times.map(([kind, sent]) => `${kind.replaceAll('/', '.')} (${sent} times)`);
  return named(words, 5);
}

/** Answers that ask to come back later, and none. */
const NO_ANSWERS: ReadonlySet<string> = new Set(['429', '503', 'none']);

function unansweredBy(shown: Shown): readonly string[] {
  return endpointIds.flatMap((id) => {
    const own = answersOf(shown, id);
    if (own.length === 0 || own.some(({ status }) => !NO_ANSWERS.has(status))) return [];
    const words = own.map(({ status, times }) => `${status} (${counted(times, 'time')})`);
    return `${endpoints[id].title} answered no request: ${words.join(', ')}.`;
  });
}

const PLAIN_OPTIONS = [
  ...(['repeat', 'only', 'skip', 'levels', 'observe', 'durationMs'] as const),
  ...(['timeoutMs', 'maxTimeMs', 'rps', 'concurrency', 'insecure'] as const),
] as const;
const TOKENS = ['token', 'readToken', 'guestToken'] as const;

/** What was judged, and how. */
export function aboutRun(options: RunOptions): Pick<Report, 'tool' | 'contract' | 'target' | 'options'> {
  const { baseUrl, workspaceId, agentId, publishedAgentId, v5AgentId, product } = options;
  const { readOnly = false, strict = false, headers } = options;
  const plain = Object.fromEntries(PLAIN_OPTIONS.map((name) => [name, options[name]]));
  return {
    tool: { name: 'agent-contract', version },
    contract: contractOf(),
    target: { baseUrl, workspaceId, agentId, publishedAgentId, v5AgentId, product },
    options: {
      ...(plain as Pick<RunOptions, (typeof PLAIN_OPTIONS)[number]>),
      readOnly,
      strict,
      headers: headers && Object.keys(headers),
      credentials: TOKENS.filter((name) => options[name] !== undefined),
    },
  };
}
