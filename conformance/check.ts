import type { EndpointId, RequirementId, ViolationId } from '../spec/index.ts';
import type { Finding } from './finding.ts';
import type { Asking } from './asking/asking.ts';
import type { Exchange } from './history/exchange.ts';
import type { Facts } from './history/facts.ts';

export type { Finding };

/** What a check makes of a history. */
export interface Verdict {
  /** None where the fact held wherever it was judged. */
  readonly findings: readonly Finding[];
  /** On how many exchanges, pairs or lists the fact was judged, such that a violation would have shown. */
  readonly judged: number;
  /** Where that is too little, or nothing: why, and what the user can supply. It makes a check without findings not judged. */
  readonly missing?: Missing | undefined;
}

export interface Missing {
  readonly reason: string;
  /** `--agent-id of an agent with results`. */
  readonly supply?: string | undefined;
}

/** Judges one history. */
export interface Judge {
  /** Sees every exchange once, in the order of completion, after the facts have. What it keeps is bounded. */
  see?(exchange: Exchange): void;
  /** At the end of the history. Nothing but the history and the facts bears on it. */
  verdict(): Verdict;
}

/**
 * When the requests of a check are sent: `first`, while lists are read beside what is created; `open` for what the
 * specification leaves open; `credentials` after that, since wrong ones may lock the caller out; `end` when all else was asked, to look at it once more.
 */
export type Phase = 'first' | 'open' | 'credentials' | 'end';

/** Sends what must be sent so that a fact can show; it judges nothing. @throws CannotAsk where the means are missing. */
export interface Ask {
  readonly phase: Phase;
  /** Asks of the lane `lists` go side by side; those of `making`, which create things, one at a time beside them. */
  readonly lane: 'lists' | 'making';
  readonly send: (t: Asking) => Promise<void>;
}

/** One fact about the target: a plain value. */
export interface Check {
  /** Says the fact: `list-results-newest-first`. */
  readonly id: string;
  /** The fact as a sentence. */
  readonly title: string;
  readonly endpoint: EndpointId;
  readonly verifies: readonly [RequirementId, ...RequirementId[]];
  /** The violations that make it fail, each of them under every trigger: a check that nothing can fail is no check. */
  readonly provenBy: readonly [ViolationId, ...ViolationId[]];
  /** Violations that make it fail where they are always committed, and may or may not under a trigger. */
  readonly alsoFailsOn?: readonly ViolationId[];
  /** Checks name the same ask where they need the same requests: it is sent once. */
  readonly asks?: readonly Ask[];
  judge(facts: Facts): Judge;
}
