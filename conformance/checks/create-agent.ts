import type { Check } from '../check.ts';
import { contentViolations, newAgentCheck } from './agents/checks.ts';
import { agentParts, judgesShape } from './shape.ts';

/** Section 4.1. */
export const createAgentChecks: readonly Check[] = [
  newAgentCheck('create-agent', 'accepts', {
    id: 'create-agent-accepts-valid-body',
    title: 'Create agent accepts a workspaceId and an agent',
    verifies: ['create-agent-works', 'accepts-json-requests', 'path-prefix'],
    provenBy: ['create-agent-refused', 'create-agent-not-there'],
  }),
  judgesShape('create-agent', ['create-agent-answer', 'answers-are-json', 'answers-use-version-6', ...agentParts]),
  newAgentCheck('create-agent', 'ids', {
    id: 'create-agent-gives-new-ids',
    title: 'Every created agent has its own identifier',
    verifies: ['create-agent-new-id'],
    provenBy: ['create-agent-repeats-id', 'create-agent-repeats-imported-id'],
  }),
  newAgentCheck('create-agent', 'content', {
    id: 'create-agent-keeps-what-was-sent',
    title: 'A created agent holds what the request sent',
    verifies: ['create-agent-keeps-content'],
    provenBy: contentViolations('create-agent'),
  }),
  newAgentCheck('create-agent', 'workspace', {
    id: 'create-agent-in-the-workspace',
    title: 'A created agent belongs to the workspace named in the request',
    verifies: ['create-agent-in-workspace'],
    provenBy: ['create-agent-ignores-workspace'],
  }),
  newAgentCheck('create-agent', 'readable', {
    id: 'created-agent-can-be-read',
    title: 'A created agent can be read by the identifier from the answer, from then on',
    verifies: ['created-agent-readable'],
    provenBy: ['created-agent-not-stored', 'created-agent-forgotten'],
  }),
  newAgentCheck('create-agent', 'readings', {
    id: 'created-agent-reads-as-answered',
    title: 'A created agent reads as the answer showed it, whatever is made after it',
    verifies: ['created-agent-readable'],
    provenBy: [
      'created-agent-reads-otherwise',
      'created-agent-reads-in-another-workspace',
      'created-agent-reads-without-variables',
      'created-agents-exchange-content',
      'agents-overwrite-each-other',
    ],
  }),
];
