import type { Report } from '../conformance/report/report.ts';

export const exitStatus = {
  conformant: 0,
  nonconformant: 1,
  /** A flag, a file or a value is wrong; nothing was run. */
  usage: 2,
  /** Nothing failed, and something could not be judged. */
  partial: 3,
  /** The target could not be reached, or the run itself broke or was stopped. */
  broken: 4,
} as const;

/** `allowPartial` makes a partial run a success if something passed and all was answered; a baseline, if nothing is new. */
export function exitStatusOf(
  { outcome, counts, baseline, unanswered }: Report,
  { allowPartial }: { readonly allowPartial: boolean },
): number {
  if (baseline !== undefined && outcome !== 'unreachable') {
    if (baseline.news.length > 0) return exitStatus.nonconformant;
    if (counts.error > 0) return exitStatus.broken;
    return exitStatus.conformant;
  }
  if (outcome === 'nonconformant') return exitStatus.nonconformant;
  if (outcome === 'unreachable' || counts.error > 0) return exitStatus.broken;
  if (outcome === 'conformant') return exitStatus.conformant;
  if (allowPartial && counts.pass > 0 && !unanswered) return exitStatus.conformant;
  return exitStatus.partial;
}
