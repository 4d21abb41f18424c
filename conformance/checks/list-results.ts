import type { Check } from '../check.ts';
import { judgesShape } from './shape.ts';

/** Section 4.5. */
export const listResultsChecks: readonly Check[] = [
  judgesShape('list-results', ['list-results-answer', 'answers-are-json', 'result-shape', 'variable-shape']),
];
