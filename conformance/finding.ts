import type { RequirementId } from '../spec/index.ts';
import type { Excerpt } from './http/exchange.ts';

/** What a requirement demands in one place, and what came instead. */
export interface Finding {
  /** In words. */
  readonly expected: string;
  readonly actual: string;
  /** JSON Pointer into the body of the decisive answer. */
  readonly at?: string;
  /** How many findings differ from it only in their values, itself among them. Default: it is the only one. */
  readonly times?: number;
  /** The broken requirement. Default: the first that the check verifies. */
  readonly requirement?: RequirementId;
  /** The exchanges that show it, the decisive one last. */
  readonly exchanges: readonly Excerpt[];
}
