import type { Baseline } from '../conformance/report/baseline.ts';
import { failing, withOutcome, type ClientReport } from './report.ts';

/**
 * The report with what a baseline accepts. An entry whose finding is gone, or whose day has passed, is stale, and fails the
 * run like a finding.
 */
export function withKnownFindings(report: ClientReport, { entries }: Baseline): ClientReport {
  const today = report.startedAt.slice(0, 10);
  const asked = entries.filter(({ check }) => report.asked.some((aspect) => check.startsWith(`${aspect}:`)));
  const isOver = ({ expires = today }: Baseline['entries'][number]): boolean => expires < today;
  const findings = report.findings.map((one) => {
    const entry = asked.find(({ check }) => check === one.id);
    if (one.accepted !== undefined || !entry || isOver(entry)) return one;
    return { ...one, accepted: `known: ${entry.reason}` };
  });
  // Without enough time nobody knows whether a finding is gone.
  const stale = asked.filter((entry) => {
    const isThere = report.findings.some(({ id }) => id === entry.check);
    return isOver(entry) || (!isThere && report.open.length === 0);
  });
  return withOutcome({ ...report, findings, stale: stale.map(({ check }) => check) });
}

/** A baseline with every finding that fails a run. Entries that it has already keep their text. */
export function knownFindings(report: ClientReport, before: Baseline = { entries: [] }): Baseline {
  const reason = `Since ${report.startedAt.slice(0, 10)}.`;
  return {
    entries: failing(report).map(
      ({ id, says }) => before.entries.find(({ check }) => check === id) ?? { check: id, reason: `${reason} ${says}` },
    ),
  };
}
