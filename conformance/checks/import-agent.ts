import type { Check } from '../check.ts';
import { agentParts, judgesShape } from './shape.ts';

/** Section 4.2. */
export const importAgentChecks: readonly Check[] = [
  judgesShape('import-agent', ['import-agent-answer', 'answers-are-json', 'answers-use-version-6', ...agentParts]),
];
