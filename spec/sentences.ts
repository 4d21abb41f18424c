import type { GapId, RequirementId } from './ledger.ts';
import rows from './sentences.json';

/** One statement of the specification, in our own words, and what became of it. Apart from the ledger: it is long. */
export interface Sentence {
  /** `0` is the introduction, which has no number. */
  readonly section: string;
  readonly says: string;
  /** The requirements that demand it. */
  readonly requirements?: readonly RequirementId[];
  /** The questions that it leaves open. */
  readonly gaps?: readonly GapId[];
  /** Why it asks nothing of a server that a client of the six endpoints could see; stands alone. */
  readonly nothingTestable?: string;
}

/** Every statement of the specification, in its order. */
export const sentences = rows as readonly Sentence[];
