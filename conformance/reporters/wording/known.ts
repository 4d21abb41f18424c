import type { BaselineEntry, BaselineNews, CheckReport, Report } from '../../report/report.ts';

/**
 * The entry of the baseline by which a check's failure is known; `undefined` if the run has no baseline, or where the
 * check fails in a way that no entry knows.
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

/**
 * What fails a run beside its baseline though no check is shown as failed for it. Formats that know nothing but tests
 * show it as a test of its own, so that they are red where the run is.
 */
export function otherNews({ baseline, checks }: Report): readonly BaselineNews[] {
  const failed = new Set(checks.flatMap(({ id, status }) => (status === 'fail' ? [id] : [])));
  return (baseline?.news ?? []).filter(
    ({ kind, check }) => kind !== 'new-failure' && !(kind === 'expired' && failed.has(check)),
  );
}

/** The name of that test. */
export const OTHER_NEWS = 'The run matches the baseline';
