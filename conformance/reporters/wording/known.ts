import type { BaselineEntry, CheckReport, Report } from '../../report/report.ts';

/**
 * The baseline entry that covers a check's failure; `undefined` without a baseline, or if any part of the failure is
 * new.
 */
export function knownEntry(
  { baseline }: Pick<Report, 'baseline'>,
  { id, status }: CheckReport,
): BaselineEntry | undefined {
  if (!baseline || status !== 'fail') return undefined;
  if (baseline.news.some(({ kind, check }) => check === id && (kind === 'new-failure' || kind === 'expired')))
    return undefined;
  return baseline.known.find((entry) => entry.check === id && (entry.status ?? 'fail') === 'fail');
}

/** `the reason (until 2026-12-31)`. */
export function reasonOf({ reason, expires }: BaselineEntry): string {
  if (expires === undefined) return reason;
  return `${reason} (until ${expires})`;
}
