import type { GapId, RequirementId } from '../ledger.ts';
import rows from '../sentences.json';

/**
 * One statement of the specification, in our own words, and what follows from it. Separate from the ledger, because it
 * is long.
 */
export interface Sentence {
  /** `0` is the introduction, which has no number. */
  readonly section: string;
  readonly says: string;
  readonly requirements?: readonly RequirementId[];
  readonly gaps?: readonly GapId[];
  /** Why it demands nothing of a server that a client of the six endpoints could see; if given, the only member. */
  readonly nothingTestable?: string;
}

/** Every statement of the specification, in its order. */
export const sentences = rows as readonly Sentence[];
