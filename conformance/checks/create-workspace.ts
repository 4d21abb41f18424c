import type { Check } from '../check.ts';
import { judgesShape } from './shape.ts';

/** Section 4.6. */
export const createWorkspaceChecks: readonly Check[] = [
  judgesShape('create-workspace', ['create-workspace-answer', 'answers-are-json', 'workspace-shape']),
];
