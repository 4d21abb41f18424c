import type { CheckReport, Report } from '../../conformance/report/report.ts';

/** The verdict so far, and what a client has to send for the remaining checks. */
export interface RunningVerdict {
  readonly upstream: string;
  readonly outcome: Report['outcome'];
  readonly summary: string;
  readonly counts: Report['counts'];
  /** The number of judged exchanges. */
  readonly judged: number;
  /** How many exchanges were not judged, and why. */
  readonly leftOut: NonNullable<Report['traffic']>['leftOut'];
  readonly checks: readonly {
    readonly id: string;
    readonly title: string;
    readonly section: string;
    readonly status: CheckReport['status'];
    /** The number of exchanges, pairs or lists that it was judged on. */
    readonly judged: number;
    readonly expected?: string;
    readonly actual?: string;
    /** JSON Pointer into the answer. */
    readonly at?: string;
    /** Only if it was not judged: why, and which traffic it needs. */
    readonly reason?: string;
    readonly supply?: string;
  }[];
  /** Each finding once, with how often it occurred. */
  readonly findings: readonly Cause[];
}

export interface Cause {
  readonly says: string;
  readonly times: number;
}

export const verdictOf = (
  { target, outcome, summary, counts, checks, traffic }: Report,
  findings: readonly Cause[],
): RunningVerdict => ({
  upstream: target.baseUrl,
  outcome,
  summary,
  counts,
  judged: traffic?.judged ?? 0,
  leftOut: traffic?.leftOut ?? [],
  checks: checks.map(({ id, title, requirements, status, judged, failure, reason, supply }) => ({
    id,
    title,
    section: requirements[0]?.section ?? '',
    status,
    judged,
    ...(failure && {
      expected: failure.expected,
      actual: failure.actual,
      at: failure.at,
    }),
    ...(status !== 'not-judged' || reason === undefined ? {} : { reason }),
    supply,
  })),
  findings,
});
