import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { version } from '../package.json';
import { requirements, violations, type EndpointId } from '../spec/index.ts';
import type { Answer } from './answer.ts';
import { createApi, type ApiStatistics, type CallParameters } from './api.ts';
import { createCanary, withCanary } from './canary.ts';
import type { Check, CheckContext } from './check.ts';
import { checks as allChecks } from './checks/index.ts';
import { CannotJudge, Violation, count, field, stringAt } from './expect.ts';
import { explorationCheck } from './explore.ts';
import { createGiven, type TargetOptions } from './given.ts';
import { createHttpTransport } from './http-transport.ts';
import { createObservations, observedProfile } from './observe.ts';
import { probe } from './probes.ts';
import { recorded } from './recorded.ts';
import { redactReport } from './redact-report.ts';
import type { Secret } from './redact.ts';
import type { CheckReport, CreatedOnTarget, Evidence, FailureReport, Outcome, Report } from './report.ts';
import { selectChecks } from './select.ts';
import { createShapeLedger } from './shape.ts';
import type { Transport } from './transport.ts';
import { UsageError } from './usage-error.ts';

export interface RunOptions extends TargetOptions {
  /** What the documented paths are appended to (they begin with /api/v1). */
  readonly baseUrl: string;
  /** Without one nothing can be judged. */
  readonly token?: string | undefined;
  /** Sends no POST, so that nothing is created on the target. */
  readonly readOnly?: boolean | undefined;
  /** Ids of checks, requirements or endpoints, or sections, with `*` as a wildcard: these alone. */
  readonly only?: readonly string[] | undefined;
  /** Likewise: all but these. */
  readonly skip?: readonly string[] | undefined;
  /** Takes null for a documented optional field for a failure, which it otherwise is not. */
  readonly strictNull?: boolean | undefined;
  /** Milliseconds that one exchange may take. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that the run may take; what is not judged by then is reported as such. Default: 300,000. */
  readonly maxTimeMs?: number | undefined;
  /** Requests per second. Default: as many as come. */
  readonly rps?: number | undefined;
  /** Checks, and requests, under way at once. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Certificates (PEM) to trust. */
  readonly ca?: string | undefined;
  readonly insecure?: boolean | undefined;
  /** Decimal; repeats the random choices of a run. Default: a random one. */
  readonly seed?: number | undefined;
  /** Looks, with some twenty more requests, at what the specification leaves open. Default: yes, unless `only` is given. */
  readonly probes?: boolean | undefined;
  /**
   * Adds the check `agents-hold-in-any-order`: so many sequences of requests in random order. One sends about eight
   * requests and creates two or three agents. Default: none.
   */
  readonly explore?: number | undefined;
  /** A secret of no worth, sent in a header of every request and kept out of the report. Default: a random one. */
  readonly canary?: string | undefined;
  /** The clock of the target, in epoch milliseconds. Default: what its answers say. */
  readonly now?: number | undefined;
  /** Waits. For tests. */
  readonly sleep?: ((ms: number) => Promise<void>) | undefined;
  /** In place of HTTP over the network. */
  readonly transport?: Transport | undefined;
  /** Called as each check is done, with its verdict; `total` counts all that were selected. */
  readonly onCheck?:
    ((check: CheckReport, progress: { readonly done: number; readonly total: number }) => void) | undefined;
  /** Stops the run; what was not judged by then is reported as such. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Judges a target and resolves with a finished report, whatever the target does. The report holds no token.
 * @throws UsageError for options that make no sense.
 */
export async function runConformance(options: RunOptions): Promise<Report> {
  validateOptions(options);
  const { explore } = options;
  if (explore === undefined && [...(options.only ?? []), ...(options.skip ?? [])].includes(explorationCheck.id))
    throw new UsageError(`${explorationCheck.id} runs only where it is asked for: --explore 50, for example.`);
  const selected = selectChecks(explore === undefined ? allChecks : [...allChecks, explorationCheck], options);
  const startedAt = options.now ?? Date.now();
  const began = performance.now();
  const seed = options.seed ?? randomInt(2 ** 31);
  const tag = tagOf(seed, startedAt);
  const sleep = options.sleep ?? ((ms: number) => pause(ms, options.signal));
  const timeoutMs = options.timeoutMs ?? 10_000;
  const canary = { ...createCanary(), ...(options.canary === undefined ? {} : { value: options.canary }) };
  const secrets = [...secretsOf(options), canary];

  const concurrency = Math.max(1, Math.floor(options.concurrency ?? DEFAULT_CONCURRENCY));

  const { observe, observations } = createObservations();
  const shapes = createShapeLedger({ strictNull: options.strictNull === true, observe });
  const created: CreatedOnTarget[] = [];
  const http = options.transport
    ? undefined
    : createHttpTransport({ timeoutMs, maxBytes: MAX_BODY, concurrency, ca: options.ca, insecure: options.insecure });
  const api = createApi({
    baseUrl: options.baseUrl,
    token: options.token,
    transport: withCanary(options.transport ?? http ?? unreachable(), canary),
    headers: lowerCased(options.headers ?? {}),
    readOnly: options.readOnly === true,
    rps: options.rps,
    timeoutMs,
    maxTimeMs: options.maxTimeMs ?? 300_000,
    signal: options.signal,
    sleep,
    now: options.now,
    accepted(answer, parameters) {
      const made = madeBy(answer, parameters);
      if (made) {
        created.push(made);
        if (made.kind === 'agent') shapes.ownAgents.add(made.id);
      }
      if (parameters.probe !== true) shapes.inspect(answer);
    },
  });
  const given = createGiven(api, { target: options, token: options.token, tag, sleep });
  const exploring = explore === undefined ? undefined : { sequences: explore, seed };
  const context: CheckContext = { api, given, observe, shapes, exploring };

  const reports = new Map<Check, CheckReport>();
  const runOne = async (check: Check): Promise<void> => {
    const report = await runCheck(check, context, secrets);
    reports.set(check, report);
    options.onCheck?.(report, { done: reports.size, total: selected.length });
  };
  try {
    // Lists are read beside everything else. What creates things is done one at a time, so that the order of the network
    // has no say in which check meets what another one left behind.
    const first = selected.filter(({ sweeps, explores }) => !sweeps && !explores);
    if (concurrency === 1) await inParallel(first, 1, runOne);
    else
      await Promise.all([
        inParallel(
          first.filter(({ endpoint }) => endpoint !== 'list-results'),
          1,
          runOne,
        ),
        inParallel(
          first.filter(({ endpoint }) => endpoint === 'list-results'),
          concurrency - 1,
          runOne,
        ),
      ]);
    if (options.probes ?? options.only === undefined) await probe(context);
    for (const check of selected) if (check.explores) await runOne(check);
    await inParallel(
      selected.filter(({ sweeps }) => sweeps),
      concurrency,
      runOne,
    );
  } finally {
    await http?.close();
  }

  const checks = selected.flatMap((check) => reports.get(check) ?? []);
  const counts = {
    pass: checks.filter(({ status }) => status === 'pass').length,
    fail: checks.filter(({ status }) => status === 'fail').length,
    notJudged: checks.filter(({ status }) => status === 'not-judged').length,
    error: checks.filter(({ status }) => status === 'error').length,
  };
  const outcome = outcomeOf(counts, api.statistics);
  if (api.statistics.limited.length > 0)
    observe('rate-limit', 'bursts', `${count(api.statistics.limited.length, 'answer')} of 429 or 503`);
  else if (api.statistics.answers > 0)
    observe('rate-limit', 'none', `none in ${count(api.statistics.answers, 'answer')}`);
  shapes.conclude();
  const evidence = shapes.evidence();
  const observed = observations();
  const report: Report = {
    tool: { name: 'agent-contract', version },
    target: targetOf(options),
    options: {
      readOnly: options.readOnly === true,
      strictNull: options.strictNull === true,
      ...(explore === undefined ? {} : { explore }),
    },
    seed,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(performance.now() - began),
    outcome,
    summary: `${summaryOf(outcome, counts, checks, api.statistics)}${seenOf(evidence)}`,
    counts,
    checks,
    observations: observed,
    observedProfile: observedProfile(observed),
    evidence,
    created,
    requests: api.statistics.requests,
  };
  return redactReport(report, secrets);
}

function targetOf({ baseUrl, workspaceId, agentId, publishedAgentId, v5AgentId }: RunOptions): Report['target'] {
  return {
    baseUrl,
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(publishedAgentId === undefined ? {} : { publishedAgentId }),
    ...(v5AgentId === undefined ? {} : { v5AgentId }),
  };
}

/** Waits, but not beyond the end of the run, so that nothing keeps the process alive. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);

/** Fewer than a browser would send at once. */
const DEFAULT_CONCURRENCY = 4;

/** The largest body that is read. */
const MAX_BODY = 8 * 1024 * 1024;

async function runCheck(check: Check, context: CheckContext, secrets: readonly Secret[]): Promise<CheckReport> {
  const { id, title, endpoint, verifies, provenBy } = check;
  const began = performance.now();
  const result = await Promise.resolve()
    .then(() => check.run(context))
    .then(
      (): Pick<CheckReport, 'status'> => ({ status: 'pass' }),
      (error: unknown): Pick<CheckReport, 'status' | 'failure' | 'reason' | 'supply'> => {
        if (error instanceof Violation) return { status: 'fail', failure: failureOf(error, secrets) };
        if (error instanceof CannotJudge)
          return {
            status: 'not-judged',
            reason: error.message,
            ...(error.supply === undefined ? {} : { supply: error.supply }),
          };
        return { status: 'error', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
      },
    );
  return {
    id,
    title,
    endpoint,
    requirements: verifies.map((requirement) => {
      const { section, lane, statement } = requirements[requirement];
      return { id: requirement, section, lane, statement };
    }),
    durationMs: tenths(performance.now() - began),
    provenBy: provenBy.map((violation) => ({ id: violation, does: violations[violation].does })),
    ...result,
  };
}

function failureOf({ finding, exchanges, more }: Violation, secrets: readonly Secret[]): FailureReport {
  return {
    ...finding,
    exchanges: exchanges.map((exchange) => recorded(exchange, secrets)),
    ...(more.length === 0 ? {} : { more }),
  };
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

const MAKES: Readonly<Partial<Record<EndpointId, 'agent' | 'workspace'>>> = {
  'create-agent': 'agent',
  'import-agent': 'agent',
  'create-workspace': 'workspace',
};

function madeBy(answer: Answer, { body, method }: CallParameters): CreatedOnTarget | undefined {
  const kind = MAKES[answer.endpoint];
  if (kind === undefined || method !== undefined) return undefined;
  const name = stringAt(answer.json, kind, 'name') ?? field(body, ...(kind === 'agent' ? ['agent', 'name'] : ['name']));
  return {
    kind,
    id: cut(stringAt(answer.json, kind, 'id') ?? '(not answered)', 200),
    name: typeof name === 'string' ? cut(name, 200) : '(none)',
  };
}

function outcomeOf(counts: Report['counts'], { requests, answers }: ApiStatistics): Outcome {
  if (counts.fail > 0) return 'nonconformant';
  if (requests > 0 && answers === 0) return 'unreachable';
  return counts.notJudged > 0 || counts.error > 0 || counts.pass === 0 ? 'partial' : 'conformant';
}

function summaryOf(
  outcome: Outcome,
  { pass, fail, notJudged, error }: Report['counts'],
  checks: readonly CheckReport[],
  { lastFailure, givenUp }: ApiStatistics,
): string {
  const total = count(checks.length, 'check');
  const stopped = givenUp === undefined ? '' : ` ${givenUp}`;
  switch (outcome) {
    case 'unreachable':
      return `No request was answered. ${lastFailure ?? ''}`.trim();
    case 'nonconformant':
      return `${fail} of ${total} failed${notJudged + error > 0 ? `; ${notJudged + error} could not be judged` : ''}.${stopped}`;
    case 'conformant':
      return `All ${total} passed.`;
    case 'partial': {
      const supplies = new Set(checks.flatMap(({ supply }) => (supply === undefined ? [] : [supply])));
      const broke = error > 0 ? ` The runner itself broke in ${count(error, 'check')}.` : '';
      const remedy = supplies.size > 0 ? ` To judge more: ${[...supplies].slice(0, 6).join('; ')}.` : '';
      return `Nothing failed, but only ${pass} of ${total} could be judged.${stopped}${broke}${remedy}`;
    }
  }
}

function seenOf(evidence: readonly Evidence[]): string {
  const typed = evidence.reduce((sum, one) => sum + one.typed, 0);
  const seen = typed - evidence.reduce((sum, { neverSeen }) => sum + neverSeen.length, 0);
  return seen === 0 ? '' : ` Of ${typed} documented places in answers ${seen} were seen.`;
}

/** Names the run: from the seed and the time, so that a seed can be used twice on one target. */
function tagOf(seed: number, startedAt: number): string {
  let hash = 0x811c9dc5;
  for (const character of `${seed} ${startedAt}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, '0');
}

function secretsOf({ token, readToken, guestToken, headers }: RunOptions): readonly Secret[] {
  const secrets: Secret[] = [];
  if (token !== undefined) secrets.push({ value: token, placeholder: '$TOKEN' });
  if (readToken !== undefined) secrets.push({ value: readToken, placeholder: '$READ_TOKEN' });
  if (guestToken !== undefined) secrets.push({ value: guestToken, placeholder: '$GUEST_TOKEN' });
  for (const [name, value] of Object.entries(headers ?? {}))
    if (/auth|cookie|key|secret|token|password/i.test(name))
      secrets.push({ value, placeholder: `$${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}` });
  return secrets;
}

function validateOptions({ baseUrl, token, readToken, guestToken, headers, ...options }: RunOptions): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`The base URL must begin with http:// or https://; it is ${JSON.stringify(baseUrl)}.`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError('The base URL must hold no user name or password.');
  if (url.search !== '' || url.hash !== '') throw new UsageError('The base URL must hold neither ? nor #.');
  for (const [name, value] of Object.entries({ token, readToken, guestToken, ...headers }))
    if (value !== undefined && !/^[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/.test(value))
      throw new UsageError(`${name} is empty or holds characters that no HTTP header can hold.`);
  for (const name of ['timeoutMs', 'maxTimeMs', 'rps', 'concurrency'] as const) {
    const value = options[name];
    if (value !== undefined && !(value > 0)) throw new UsageError(`${name} must be above 0; it is ${value}.`);
  }
  const { explore } = options;
  if (explore !== undefined && !(Number.isSafeInteger(explore) && explore > 0))
    throw new UsageError(`explore must be a whole number above 0; it is ${explore}.`);
  if (options.seed !== undefined && !Number.isSafeInteger(options.seed))
    throw new UsageError(`The seed must be a whole number; it is ${options.seed}.`);
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function unreachable(): never {
  throw new Error('there is no transport');
}
