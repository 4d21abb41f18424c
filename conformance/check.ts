import type { EndpointId, RequirementId, ViolationId } from '../spec/index.ts';
import type { Api } from './asking/api.ts';
import type { Given } from './asking/given.ts';
import type { Observe } from './observations/observe.ts';
import type { ShapeLedger } from './shape/shape.ts';

/** What a check works with. */
export interface CheckContext {
  readonly api: Api;
  /** What checks share: made with the first use, once in a run. */
  readonly given: Given;
  readonly observe: Observe;
  /** What was seen of the shape of every accepted answer of the run. */
  readonly shapes: ShapeLedger;
  /** Only where the user asked for it. */
  readonly exploring?: Exploring | undefined;
}

/** Leave to send sequences of requests in random order. */
export interface Exploring {
  readonly sequences: number;
  readonly seed: number;
}

/**
 * One fact about the target. A plain value: the runner owns timing, catching, order and reporting.
 *
 * `run` returns where the fact holds, throws Violation where it does not, and CannotJudge where the means are missing.
 */
export interface Check {
  /** Says the fact: `list-results-newest-first`. */
  readonly id: string;
  /** The fact as a sentence. */
  readonly title: string;
  readonly endpoint: EndpointId;
  readonly verifies: readonly [RequirementId, ...RequirementId[]];
  /** The violations that make it fail, each of them: a check that nothing can fail is no check. */
  readonly provenBy: readonly [ViolationId, ...ViolationId[]];
  /** Judges what all other checks met, so it runs after them. */
  readonly sweeps?: true;
  /** Sends very many requests, so it runs after all that need few. */
  readonly explores?: true;
  run(t: CheckContext): Promise<void>;
}
