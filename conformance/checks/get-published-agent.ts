import type { Check } from '../check.ts';
import { judgesShape } from './shape.ts';

/** Section 4.4. */
export const getPublishedAgentChecks: readonly Check[] = [
  judgesShape('get-published-agent', [
    'get-published-agent-answer',
    'answers-are-json',
    'public-agent-shape',
    'event-shape',
    'group-shape',
    'edge-shape',
    'variable-shape',
    'theme-shape',
    'settings-shape',
  ]),
];
