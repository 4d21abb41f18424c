import { checks } from '../conformance/checks/index.ts';
import { createForeignJudge } from '../conformance/foreign/judge-foreign.ts';
import { reportForeign } from '../conformance/foreign/report-foreign.ts';
import { visible, type Secret } from '../conformance/report/redact.ts';
import type { Report } from '../conformance/report/report.ts';
import { selectChecks } from '../conformance/select.ts';
import { createClean } from './clean.ts';
import { createLivePages, LIVE } from './live/pages.ts';
import { createTraffic } from './live/traffic.ts';
import { createInspector, GATE, type InspectorOptions, type Timing } from './inspect.ts';
import type { Backlog } from './backlog.ts';
import { createFindingsLog, type Terminal } from './findings-log.ts';

export interface WatchOptions {
  readonly terminal: Terminal;
  /** The judge adds every credential that it sees. */
  readonly secrets: Secret[];
  readonly upstream: string;
  /** Replaces an answer that breaks the contract with a 502. */
  readonly isStrict: boolean;
  /** What to do then with an answer that cannot be judged in time. Default: pass it. */
  readonly unjudged?: 'pass' | 'refuse' | undefined;
  readonly strictNull: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly record?: InspectorOptions['record'];
  /** Default: exchanges wait while traffic passes, and are judged after it. */
  readonly backlog?: Backlog;
  /** Default: by the clock of this machine. */
  readonly timing?: () => Timing;
}

/** The judge of passing traffic, and everything that shows its findings. @throws UsageError for an unknown check. */
export function createWatch(options: WatchOptions) {
  const { terminal, secrets, upstream, isStrict, unjudged, strictNull, only, skip, record, backlog, timing } = options;
  const by = { checks: selectChecks(checks, { only, skip }), strictNull, secrets };
  const judge = createForeignJudge({ ...by, baseUrl: upstream.replace(/\/+$/, '') });
  const clean = createClean(secrets);
  const log = createFindingsLog(judge, terminal, clean);
  const traffic = createTraffic(clean);
  let isBroken = false;
  let countUnjudged = 0;
  const inspector = createInspector({
    judge,
    isStrict,
    onUnjudged: () => ++countUnjudged > 0 && unjudged === 'refuse',
    clean,
    record,
    backlog,
    timing,
    onPassed(passed) {
      const { exchange, found } = passed;
      traffic.add(passed);
      if (typeof found === 'string') return;
      if (found.length > 0) log.add(found, exchange);
      log.trafficPassed();
    },
    onBroken(error) {
      const why = visible(clean.text(String(error)));
      if (!isBroken) terminal.write(`error: The judge broke. The proxy still forwards everything: ${why}\n`);
      isBroken = true;
    },
  });
  const report = (): Report => reportForeign(judge, by);
  return {
    inspector,
    live: createLivePages({ report, causes: () => log.causes(), traffic }),
    /** The path of the live pages. */
    path: LIVE,
    /** On all traffic so far. */
    report: (): Report => {
      inspector.flush();
      return report();
    },
    /** Judges the backlog, and prints the last findings. */
    end(): void {
      inspector.flush();
      log.end();
      if (countUnjudged === 0) return;
      const became = unjudged === 'refuse' ? 'refused' : 'passed before they were judged';
      const { longestMs, mostBytes } = GATE;
      terminal.write(
        `${countUnjudged} answers took over ${longestMs / 1000} s or ${mostBytes / 1024 ** 2} MiB, and were ${became}.\n`,
      );
    },
  };
}
