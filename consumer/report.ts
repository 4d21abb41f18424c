import type { Baseline } from '../conformance/report/baseline.ts';
import schema from './client-report.schema.json';
import type { Aspect, ClientFinding, ClientReport, FaultScore } from './generated/client-report.ts';

export type * from './generated/client-report.ts';

/** The questions about a client, in the order of their answers. */
export const aspects = schema.$defs.aspect.enum as readonly Aspect[];

/** Reached violations that the tests notice, in percent; `undefined` if none was tried. */
export function scoreOf({ noticed, unnoticed }: FaultScore): number | undefined {
  const tried = noticed.length + unnoticed.length;
  if (tried === 0) return undefined;
  return Math.floor((100 * noticed.length) / tried);
}

/** Whether a finding fails a run. */
export const fails = ({ accepted }: ClientFinding): boolean => accepted === undefined;

/** Of what may be well meant, or matters only to some. */
export const HINT = 'a hint, which fails no run';

/** The findings that fail a run. */
export const failing = ({ findings }: Pick<ClientReport, 'findings'>): readonly ClientFinding[] =>
  findings.filter(fails);

/** The report with the outcome that follows from the rest of it. */
export function withOutcome(report: ClientReport): ClientReport {
  const { open, stale = [] } = report;
  let outcome: ClientReport['outcome'] = 'sound';
  if (open.length > 0) outcome = 'partial';
  if (failing(report).length + stale.length > 0) outcome = 'unsound';
  return { ...report, outcome };
}

/**
 * The report with what a baseline accepts. An entry whose finding is gone, or whose day has passed, is stale, and fails the
 * run like a finding.
 */
export function withKnownFindings(report: ClientReport, { entries }: Baseline): ClientReport {
  const today = report.startedAt.slice(0, 10);
  const asked = entries.filter(({ check }) => report.asked.some((aspect) => check.startsWith(`${aspect}:`)));
  const over = asked.filter(({ expires = today }) => expires < today);
  const findings = report.findings.map((one) => {
    const entry = asked.find(({ check }) => check === one.id);
    if (one.accepted !== undefined || !entry || over.includes(entry)) return one;
    return { ...one, accepted: `known: ${entry.reason}` };
  });
  // Without enough time nobody knows whether a finding is gone.
  const stale = asked.filter((entry) => {
    const isThere = report.findings.some(({ id }) => id === entry.check);
    return over.includes(entry) || (!isThere && report.open.length === 0);
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
