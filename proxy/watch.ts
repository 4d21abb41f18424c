import { checks } from '../conformance/checks/index.ts';
import { createForeignJudge } from '../conformance/foreign/judge-foreign.ts';
import type { Met } from '../conformance/foreign/met.ts';
import { reportForeign } from '../conformance/foreign/report-foreign.ts';
import { visible, type Secret } from '../conformance/report/redact.ts';
import type { Report } from '../conformance/report/report.ts';
import { selectChecks } from '../conformance/select.ts';
import { createClean } from './clean.ts';
import { ADMIN, createAdmin, type Admin } from './live/admin.ts';
import { createTraffic } from './live/traffic.ts';
import { createOnlook, type Onlook } from './onlook.ts';
import { createTeller, type Terminal } from './tell.ts';

export interface WatchOptions {
  readonly terminal: Terminal;
  /** Every credential that passes is added. */
  readonly secrets: Secret[];
  readonly upstream: string;
  /** Answers 502 in place of what breaks the contract. */
  readonly isStrict: boolean;
  readonly strictNull: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly record: ((met: Met) => void) | undefined;
}

/** The judge that looks on while something passes, and what tells of it. */
export interface Watch {
  readonly onlook: Onlook;
  readonly admin: Admin;
  /** Where the admin answers. */
  readonly path: string;
  /** On all that has passed. */
  readonly report: () => Report;
  /** Tells the rest. */
  readonly end: () => void;
}

/** @throws UsageError for a check that is none. */
export function createWatch(options: WatchOptions): Watch {
  const { terminal, secrets, upstream, isStrict, strictNull, only, skip, record } = options;
  const by = { checks: selectChecks(checks, { only, skip }), strictNull, secrets };
  const judge = createForeignJudge({ ...by, baseUrl: upstream.replace(/\/+$/, '') });
  const clean = createClean(secrets);
  const teller = createTeller(judge, terminal, clean);
  const traffic = createTraffic(clean);
  let isBroken = false;
  const onlook = createOnlook({
    judge,
    isStrict,
    clean,
    record,
    onPassed(passed) {
      const { met, found } = passed;
      traffic.add(passed);
      if (typeof found === 'string') return;
      if (found.length > 0) teller.found(found, met);
      teller.stir();
    },
    onBroken(error) {
      const why = visible(clean.text(String(error)));
      if (!isBroken) terminal.write(`error: The judge broke; what passes is forwarded all the same: ${why}\n`);
      isBroken = true;
    },
  });
  const report = (): Report => reportForeign(judge, by);
  return {
    onlook,
    admin: createAdmin({ report, causes: () => teller.causes(), traffic }),
    path: ADMIN,
    report() {
      onlook.flush();
      return report();
    },
    end() {
      onlook.flush();
      teller.end();
    },
  };
}
