import type { BaselineEntry, CheckReport, Report } from '../report.ts';

/**
 * The entry of the baseline by which a check's failure is known; `undefined` where the run has no baseline, or where
 * the check fails in a way that no entry knows.
 */
export function knownEntry({ baseline }: Report, { id, status }: CheckReport): BaselineEntry | undefined {
  if (!baseline || status !== 'fail') return undefined;
  if (baseline.news.some(({ kind, check }) => check === id && (kind === 'new-failure' || kind === 'expired')))
    return undefined;
  return baseline.known.find((entry) => entry.check === id && (entry.status ?? 'fail') === 'fail');
}

/** `the reason (until 2026-12-31)`. */
export function reasonOf({ reason, expires }: BaselineEntry): string {
  return expires === undefined ? reason : `${reason} (until ${expires})`;
}
