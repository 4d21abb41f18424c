import type { Finding, Missing, Verdict } from '../check.ts';

/** Most findings that a check of lists keeps; the rest say the same. */
const MAX_FINDINGS = 5;

/** Counts what a check judged, and keeps its first findings. */
export interface VerdictBuilder {
  judged(times?: number): void;
  found(finding: Finding): void;
  /** `missing` is reported if nothing was judged. */
  verdict(missing?: Missing): Verdict;
}

export function createVerdict(most = MAX_FINDINGS): VerdictBuilder {
  const findings: Finding[] = [];
  let judged = 0;
  return {
    judged(times = 1) {
      judged += times;
    },
    found(finding) {
      if (findings.length < most) findings.push(finding);
    },
    verdict: (missing) => ({ findings, judged, missing: judged === 0 ? missing : undefined }),
  };
}
