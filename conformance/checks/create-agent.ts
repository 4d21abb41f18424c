import type { Check } from '../check.ts';
import { agentParts, judgesShape } from './shape.ts';

/** Section 4.1. */
export const createAgentChecks: readonly Check[] = [
  judgesShape('create-agent', ['create-agent-answer', 'answers-are-json', 'answers-use-version-6', ...agentParts]),
];
