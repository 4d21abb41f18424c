import type { EndpointId, GapId, RequirementId, ViolationId } from '../spec/index.ts';
import type { Baseline } from '../conformance/report/baseline.ts';
import type { WayToAlter } from '../mock/faults/altered.ts';

/** One of the four questions about a client. */
export const aspects = ['sent', 'freedom', 'faults', 'needs'] as const;
export type Aspect = (typeof aspects)[number];

/** Something to mend in a client or its tests. */
export interface ClientFinding {
  /** The same thing has the same id in every run: `freedom:page-filling=short`. */
  readonly id: string;
  readonly aspect: Aspect;
  /** What is wrong, as a sentence. */
  readonly says: string;
  /** What the specification says or leaves open, and its section. */
  readonly why: string;
  readonly section: string;
  /** What to do about it. */
  readonly remedy: string;
  /** The tests that show it. */
  readonly tests: readonly string[];
  /** A line for a shell that shows it again. */
  readonly again?: string;
  /** How often it happened, of what was sent. */
  readonly count?: number;
  /** It looks bad on purpose, or a baseline knows it: it does not fail the run. The text says why. */
  readonly accepted?: string;
  /** A hint that never fails the run. */
  readonly isNote?: boolean;
  /** Of a fault: how much harm it does to a user, from 5 (somebody else's data) to 1. */
  readonly harm?: number;
  /** Of a fault: no test needs what differs, so that it does harm only to a client that reads it all the same. */
  readonly isUnread?: boolean;
}

/** What the tests asked and met, and what they never did. */
export interface RequestCoverage {
  readonly endpoints: Readonly<
    Partial<Record<EndpointId, { readonly requests: number; readonly parameters: readonly string[] }>>
  >;
  /** Answers and states, in words. */
  readonly met: readonly string[];
  readonly neverMet: readonly string[];
}

/** What became of the violations that a server can commit. */
export interface FaultScore {
  readonly noticed: readonly ViolationId[];
  readonly unnoticed: readonly ViolationId[];
  /** They change no answer that the tests met. */
  readonly unreached: readonly ViolationId[];
  /** Reached, and not tried: no time was left, or a sample was asked for. */
  readonly untried: readonly ViolationId[];
  /** Violations that are noticed if they always happen, once more under the trigger that shows least. */
  readonly seldom: { readonly noticed: readonly string[]; readonly unnoticed: readonly string[] };
}

/** What a client depends on, as `client.needs.json` holds it. */
export interface ClientNeeds {
  readonly kind: 'agent-contract-needs';
  readonly version: 1;
  /** The name of the client. */
  readonly client: string;
  /** The day on which it was made. */
  readonly made: string;
  readonly endpoints: Readonly<Partial<Record<EndpointId, EndpointNeeds>>>;
  /** Choices with which the client does not work, of the gaps on which it leans. */
  readonly worksNotWith: Readonly<Partial<Record<GapId, readonly string[]>>>;
  /** Requirements whose violation its tests notice. */
  readonly requirements: readonly RequirementId[];
  /** How many choices, faults and fields were not decided, so that the client may need more. Missing if none. */
  readonly undecided?: number;
}

/** What a client needs of one endpoint. */
export interface EndpointNeeds {
  readonly parameters: readonly string[];
  /** By JSON Pointer template: how the field may not be altered. */
  readonly fields: Readonly<Record<string, readonly WayToAlter[]>>;
}

/** What is known of a client after its tests ran against the mock in many ways. */
export interface ClientReport {
  readonly tool: { readonly name: 'agent-contract'; readonly version: string };
  readonly kind: 'agent-contract-client-report';
  readonly client: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly runs: number;
  readonly asked: readonly Aspect[];
  readonly outcome: 'sound' | 'unsound' | 'partial';
  readonly tests: {
    readonly steady: readonly string[];
    readonly flaky: readonly string[];
    readonly failing: readonly string[];
    /** Milliseconds of the first run. */
    readonly durationMs: number;
  };
  readonly findings: readonly ClientFinding[];
  /** What was not tried or not decided, and why. */
  readonly open: readonly string[];
  readonly coverage?: RequestCoverage;
  /** Choices that show in the answers, and were tried. */
  readonly freedoms?: readonly string[];
  /** Choices that tests make themselves, and that stay there: each gap with these tests. */
  readonly held?: Readonly<Partial<Record<GapId, readonly string[]>>>;
  readonly faults?: FaultScore;
  readonly needs?: ClientNeeds;
  /** Entries of the baseline that match nothing any more. */
  readonly stale?: readonly string[];
}

/** Reached violations that the tests notice, in percent; `undefined` if none was tried. */
export function scoreOf({ noticed, unnoticed }: FaultScore): number | undefined {
  const tried = noticed.length + unnoticed.length;
  if (tried === 0) return undefined;
  return Math.floor((100 * noticed.length) / tried);
}

/** Whether a finding fails a run. */
export const fails = ({ accepted, isNote }: ClientFinding): boolean => accepted === undefined && isNote !== true;

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
