import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createTargetApi, type TargetApi } from './probes/api/api.ts';
import { createRun, hash, type Run } from './probes/probe.ts';
import type { Check } from './check.ts';
import type { Probe } from './probes/probe.ts';
import { sendProbes } from './probes/send-probes.ts';
import { checks as allChecks } from './checks/index.ts';
import { createHistory, type History } from './history/history.ts';
import { createCanary, withCanary } from './http/canary.ts';
import { createHttpTransport } from './http/http-transport.ts';
import type { Transport } from '../http/exchange.ts';
import { createJudgement } from './history/judgement.ts';
import { createObservations } from './observations/observe.ts';
import { observers } from './observations/index.ts';
import { aboutRun, checkReport, madeBy, reportedFacts, verdictOf } from './report/compose.ts';
import { recorderWithout } from './report/recorded.ts';
import { redactReport } from './report/redact-report.ts';
import type { CreatedOnTarget, Report } from './report/report.ts';
import { runSecrets, validateOptions, type RunOptions } from './run-options.ts';
import { selectChecks } from './select.ts';

/** Fewer than a browser sends in parallel. */
const DEFAULT_CONCURRENCY = 4;
/** The largest body that is read. */
const MAX_BODY = 8 * 1024 * 1024;

/**
 * Judges a target and resolves with a finished report, whatever the target does. The report holds no token. @throws
 * UsageError for invalid options.
 */
export async function runConformance(options: RunOptions): Promise<Report> {
  validateOptions(options);
  const selected = selectChecks(allChecks, options);
  const startedAt = options.now ?? Date.now();
  const began = performance.now();
  const seed = options.seed ?? randomInt(2 ** 31);
  const canary = { ...createCanary(), ...(options.canary === undefined ? {} : { value: options.canary }) };
  const secrets = [...runSecrets(options), canary];

  const judgement = createJudgement(selected, {
    target: options,
    strictNull: options.strictNull === true,
    now: options.now,
  });
  const { facts } = judgement;
  const observations = createObservations(observers, facts);
  const created: CreatedOnTarget[] = [];
  const history = createHistory([
    judgement.see,
    (exchange) => observations.see(exchange),
    (exchange) => {
      const made = madeBy(exchange);
      if (made) created.push(made);
    },
    (exchange, body) => options.onExchange?.(exchange, body),
  ]);
  const http = options.transport ? undefined : httpTransport(options);
  const api = apiFor(options, withCanary(options.transport ?? http ?? unreachable(), canary), history);
  let failed: ReadonlyMap<Probe, unknown>;
  try {
    failed = await sendRounds(options, probesOf(options, selected), { api, facts, seed, startedAt, began });
  } finally {
    await http?.close();
  }

  const record = recorderWithout(secrets);
  const checks = judgement.conclude().map((judged) => {
    const errors = judged.check.probes?.map((probe) => failed.get(probe)).filter((error) => error !== undefined) ?? [];
    return checkReport(judged, errors, record);
  });
  for (const check of checks) options.onCheck?.(check);
  const evidence = facts.shapes.evidence();
  const report: Report = {
    ...aboutRun(options),
    seed,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(performance.now() - began),
    ...verdictOf(checks, { ...reportedFacts(facts), evidence }, api.statistics, record),
    checks,
    ...observations.conclude(),
    evidence,
    created,
    requests: api.statistics.requests,
  };
  return redactReport(report, secrets);
}

/** The probes of the checks and, if all checks run, those that show open choices. */
const probesOf = ({ observe, only }: RunOptions, selected: readonly Check[]): readonly Probe[] => [
  ...selected.flatMap((check) => check.probes ?? []),
  ...((observe ?? only === undefined) ? observers.flatMap((observer) => observer.probes ?? []) : []),
];

interface RoundsOf extends Omit<RoundOf, 'round'> {
  /** By the clock of `performance`. */
  readonly began: number;
}

/** Runs the probes, round after round; resolves with the first error of each probe that failed. */
async function sendRounds(
  options: RunOptions,
  probes: readonly Probe[],
  { began, seed, ...rest }: RoundsOf,
): Promise<ReadonlyMap<Probe, unknown>> {
  const failed = new Map<Probe, unknown>();
  for (let round = 1; round === 1 || mayRepeat(options, round, began); round++)
    await sendProbes(probes, runOf(options, { ...rest, seed: roundSeed(seed, round), round }), {
      concurrency: concurrencyOf(options),
      onProbed: () => options.onProgress?.({ requests: rest.api.statistics.requests, round }),
      onFailed: (probe, error) => void (failed.has(probe) || failed.set(probe, error)),
    });
  return failed;
}

const concurrencyOf = ({ concurrency = DEFAULT_CONCURRENCY }: RunOptions): number =>
  Math.max(1, Math.floor(concurrency));

const httpTransport = (options: RunOptions): ReturnType<typeof createHttpTransport> => {
  const { timeoutMs = 10_000, ca, insecure } = options;
  return createHttpTransport({ timeoutMs, maxBytes: MAX_BODY, concurrency: concurrencyOf(options), ca, insecure });
};

function apiFor(options: RunOptions, transport: Transport, history: History): TargetApi {
  const { baseUrl, token, readToken, guestToken, headers = {}, readOnly, rps, timeoutMs, maxTimeMs, signal } = options;
  const { now } = options;
  return createTargetApi({
    baseUrl,
    token,
    readToken,
    guestToken,
    transport,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    readOnly: readOnly === true,
    rps,
    timeoutMs: timeoutMs ?? 10_000,
    maxTimeMs: maxTimeMs ?? 300_000,
    signal,
    sleep: sleepOf(options),
    ...(now === undefined ? {} : { clock: () => now }),
    history,
  });
}

/** Waits, but not beyond the end of the run, so that the process can exit. */
const sleepOf = ({ sleep, signal }: RunOptions): ((ms: number) => Promise<void>) =>
  sleep ?? ((ms) => delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined));

interface RoundOf {
  readonly api: TargetApi;
  readonly facts: Run['facts'];
  readonly seed: number;
  readonly round: number;
  readonly startedAt: number;
}

function runOf(options: RunOptions, { startedAt, ...rest }: RoundOf): Run {
  const tag = tagOf(rest.seed, startedAt);
  return createRun({ ...rest, target: options, token: options.token, tag, sleep: sleepOf(options) });
}

function mayRepeat({ repeat = 1, durationMs, signal }: RunOptions, round: number, began: number): boolean {
  if (signal?.aborted === true) return false;
  return round <= repeat || (durationMs !== undefined && performance.now() - began < durationMs);
}

/** The first round uses the seed of the run. */
const roundSeed = (seed: number, round: number): number => (round === 1 ? seed : hash(`${seed} round ${round}`));

/** Names a round by its seed and the time, so that one seed can be used twice on a target. */
const tagOf = (seed: number, startedAt: number): string => hash(`${seed} ${startedAt}`).toString(36).padStart(7, '0');

function unreachable(): never {
  throw new Error('there is no transport');
}
