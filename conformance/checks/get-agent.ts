import type { Check } from '../check.ts';
import { agentParts, judgesShape } from './shape.ts';

/** Section 4.3. */
export const getAgentChecks: readonly Check[] = [
  judgesShape('get-agent', ['get-agent-answer', 'answers-are-json', 'user-mode-closed-set', ...agentParts]),
];
