import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { endpointIds } from '../spec/index.ts';
import { createTargetApi } from './probes/api/api.ts';
import { createConfirmation } from './probes/confirm.ts';
import { createForms } from './probes/api/forms.ts';
import { hash } from './probes/draw.ts';
import { createRun, type Probe } from './probes/probe.ts';
import { sendProbes, usualRequests } from './probes/send-probes.ts';
import { checks as allChecks } from './checks/index.ts';
import { createCanary, withCanary } from './http/canary.ts';
import type { Exchange } from './http/exchange.ts';
import { createHttpTransport } from './http/http-transport.ts';
import { createJudgement } from './history/judgement.ts';
import { createMet } from './history/met.ts';
import { createObservations } from './observations/observe.ts';
import { observers } from './observations/index.ts';
import { aboutRun, checkReport, madeBy, statusOfAll, verdictOf } from './report/compose.ts';
import { withCauses } from './report/causes.ts';
import { recorderWithout } from './report/recorded.ts';
import { conditionsOf, latencyOf, levelsOf } from './report/scope.ts';
import { shownBy } from './report/shown.ts';
import { redactReport } from './report/redact-report.ts';
import type { CreatedOnTarget, Report } from './report/report.ts';
import { runSecrets, validateOptions, type RunOptions } from './run-options.ts';
import { selectChecks } from './select.ts';

/** A few more than a browser sends to one host in parallel: with fewer, a slow network waits for those. */
const DEFAULT_CONCURRENCY = 10;
/** The most requests of a round, whatever the target does. */
const MOST_REQUESTS = 450;
const MAX_BODY = 8 * 1024 * 1024;

export interface ProbingOptions extends RunOptions {
  /** Sent instead of the probes of checks and observers. What comes back is judged by the checks all the same. */
  readonly probes?: readonly Probe[] | undefined;
}

/**
 * Judges a target and resolves with a finished report, whatever the target does. The report holds no token. @throws
 * UsageError for invalid options.
 */
export async function runConformance(options: ProbingOptions): Promise<Report> {
  validateOptions(options);
  const { now, readOnly = false, strict = false, timeoutMs = 10_000, signal } = options;
  const { token, seed = randomInt(2 ** 31), concurrency = DEFAULT_CONCURRENCY, ca, insecure } = options;
  const width = Math.max(1, Math.floor(concurrency));
  const selected = selectChecks(allChecks, options);
  const startedAt = now ?? Date.now();
  const began = performance.now();
  const fresh = createCanary();
  const canary = { ...fresh, value: options.canary ?? fresh.value };
  const secrets = [...runSecrets(options), canary];

  // What comes back is judged as it arrives.
  const judgement = createJudgement(selected, { target: options, strict, now, maxRate: options.maxRate });
  const { facts } = judgement;
  const observations = createObservations(observers, facts);
  const created: CreatedOnTarget[] = [];
  const met = createMet(facts);
  const confirmation = createConfirmation();
  const { only, observe = only === undefined } = options;
  const own = [...selected, ...(observe ? observers : [])].flatMap((one) => one.probes ?? []);
  const { probes = own } = options;
  // What a run without creations leaves out differs too much.
  const about = readOnly ? undefined : usualRequests(probes);
  let round = 1;
  // Facts come before judges.
  const onExchange = (exchange: Exchange, body?: Uint8Array): void => {
    for (const part of [judgement, met, confirmation, observations]) part.see(exchange);
    const item = madeBy(exchange);
    if (item) created.push(item);
    options.onExchange?.(exchange, body);
    const { requests } = api.statistics;
    options.onProgress?.({ requests, about, endpoint: exchange.endpoint, failing: judgement.failing(), round });
  };

  // Waits, but not beyond the end of the run, so that the process can exit.
  const { sleep = (ms) => delay(ms, undefined, { signal }).catch(() => undefined) } = options;
  const isLong = options.durationMs !== undefined || (options.repeat ?? 1) > 1;
  const forms = createForms({ agents: facts.agents, draw: (label, below) => hash(`${seed} ${label}`) % below, isLong });
  const http = createHttpTransport({ timeoutMs, maxBytes: MAX_BODY, concurrency: width, ca, insecure });
  const headers = Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  const api = createTargetApi({
    ...options,
    headers: Object.fromEntries(headers),
    timeoutMs,
    maxTimeMs: options.maxTimeMs ?? 300_000,
    sleep,
    concurrency: width,
    transport: withCanary(options.transport ?? http, canary),
    keep: (isKept) => http.keep(isKept),
    clock: () => now ?? Date.now(),
    onExchange,
    forms,
  });

  // Round after round, each drawn anew from the seed; the first error of each probe that failed is kept.
  const failed = new Map<Probe, unknown>();
  try {
    for (; round === 1 || mayRepeat(options, round, began); round++) {
      // The first round is that of a run without repetition.
      if (round > 1) forms.goOn();
      const roundSeed = round === 1 ? seed : hash(`${seed} round ${round}`);
      const tag = tagOf(roundSeed, startedAt);
      const of = { target: options, token, tag, round, seed: roundSeed, sleep, concurrency: width };
      const run = createRun({ api, facts, ...of });
      api.allow(MOST_REQUESTS);
      await sendProbes(probes, run, {
        concurrency: width,
        onFailed: (probe, error) => void (failed.has(probe) || failed.set(probe, error)),
      });
      await api.askAgain();
    }
    // Only where something failed: it takes a whole judgement.
    const crashes = endpointIds.some((endpoint) => facts.failures.always(endpoint).length > 0);
    if (judgement.failing() > 0 || crashes) await confirmation.send(api, () => judgement.suspicions());
  } finally {
    await http.close();
  }

  const record = recorderWithout(secrets);
  const reports = judgement.conclude().map((judged) => {
    const errors = judged.check.probes?.map((probe) => failed.get(probe)).filter((error) => error !== undefined);
    return checkReport(judged, errors ?? [], record);
  });
  const checks = withCauses(reports);
  for (const check of checks) options.onCheck?.(check);
  const shown = shownBy(facts);
  const report: Report = {
    ...aboutRun(options),
    seed,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(performance.now() - began),
    ...verdictOf(checks, shown, { ...api.statistics, everyStatus: statusOfAll(facts.traffic) }, record),
    scope: { checks: checks.length, of: allChecks.length },
    conditions: conditionsOf(options, created.length, met.triggers),
    met: { combinations: [...forms.covered()], kinds: [...met.kinds()], triggers: [...met.triggers] },
    checks,
    levels: levelsOf(checks, allChecks, { claimed: options.levels, showsVersion5: shown.showsVersion5 }),
    latency: latencyOf(facts.traffic),
    ...observations.conclude(),
    created,
    requests: api.statistics.requests,
  };
  return redactReport(report, secrets);
}

function mayRepeat({ repeat = 1, durationMs, signal }: RunOptions, round: number, began: number): boolean {
  if (signal?.aborted === true) return false;
  return round <= repeat || (durationMs !== undefined && performance.now() - began < durationMs);
}

/** Names a round by its seed and the time, so that one seed can be used twice on a target. */
export function tagOf(seed: number, startedAt: number): string {
  return hash(`${seed} ${startedAt}`).toString(36).padStart(7, '0');
}
