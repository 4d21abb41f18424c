import type { EndpointId, RequirementId, ViolationId } from '../spec/index.ts';
import type { Finding } from './finding.ts';
import type { Probe } from './probes/probe.ts';
import type { Exchange } from './http/exchange.ts';
import type { Trace } from './history/conditions.ts';
import type { Facts } from './history/facts/facts.ts';
import type { PagePosition } from './history/facts/lists.ts';

export type { Probe, Finding };

/** The verdict of a check on a history, which grows with it. */
export interface Verdict {
  /** Empty if the fact held everywhere. */
  findings: Finding[];
  /** The number of exchanges, pairs or lists on which the fact was judged, and where a violation would have shown. */
  judged: number;
  /**
   * If that is too little, or nothing: why, and what the user can supply. A check with this and without findings is not
   * judged.
   */
  missing?: Missing | undefined;
  /** On which exchanges it failed and held, if only the check knows. Otherwise what it judged as it saw them tells. */
  trace?: Trace | undefined;
  /** Under which condition the fact fails, as a sentence. */
  condition?: string | undefined;
}

export interface Missing {
  readonly reason: string;
  /** `--agent-id of an agent with results`. */
  readonly supply?: string | undefined;
}

/** Judges one history. It keeps its findings in the verdict, of which those of the most frequent kinds count. */
export interface Judge {
  /** Sees every served or refused exchange once, in the order of completion, after the facts. What it keeps is bounded. */
  see?(exchange: Exchange, verdict: Verdict): void;
  /** Sees instead a request that failed, or that was told to come back later. It shows nothing about the request. */
  unserved?(exchange: Exchange): void;
  /** Sees every page of results once, with its place in its list. */
  page?(position: PagePosition, verdict: Verdict): void;
  /** At the end of the history so far: adds what only the whole shows. It depends only on the history and the facts. */
  conclude?(verdict: Verdict): void;
  /** Why nothing was judged, if that is so. */
  readonly missing?: Missing;
}

/** Most findings of a check that are kept: one of a kind, if there are more. */
export const MAX_FINDINGS = 25;

/** Most things of a kind that a check remembers of a history, whatever its length. */
export const MOST_KEPT = 1_000;

/** Adds something that was judged, and broke the contract. */
export function addFailure(verdict: Verdict, finding: Finding): void {
  verdict.judged++;
  verdict.findings.push(finding);
}

/** One fact about the target: a plain value. */
export interface Check {
  /** Says the fact: `list-results-newest-first`. */
  readonly id: string;
  /** The fact as a sentence. */
  readonly title: string;
  readonly endpoint: EndpointId;
  readonly verifies: readonly [RequirementId, ...RequirementId[]];
  /** The violations that make it fail, each under every trigger. A check that nothing can fail is not a check. */
  readonly provenBy: readonly [ViolationId, ...ViolationId[]];
  /** Violations that make it fail if the server always commits them, and may or may not under a trigger. */
  readonly alsoFailsOn?: readonly ViolationId[];
  /** Checks that need the same requests name the same probe, which runs once. */
  readonly probes?: readonly Probe[];
  /** Why nothing was judged, if the judge knows no better reason. */
  readonly missing?: Missing | undefined;
  judge(facts: Facts): Judge;
}

/** A check as it is written. Without `provenBy`, it is the violations that no check names, of what it verifies. */
export type CheckRow = Omit<Check, 'provenBy'> & Partial<Pick<Check, 'provenBy'>>;
