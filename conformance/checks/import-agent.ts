import type { Check } from '../check.ts';
import { contentViolations, newAgentCheck } from './agents/checks.ts';
import { agentParts, judgesShape } from './shape.ts';

/**
 * Section 4.2. The specification does not show what happens to a body in the version 5 form, so that is only observed.
 */
export const importAgentChecks: readonly Check[] = [
  newAgentCheck('import-agent', 'accepts', {
    id: 'import-agent-accepts-valid-body',
    title: 'Import agent accepts a workspaceId and an agent of version 6',
    verifies: ['import-agent-works', 'accepts-json-requests', 'path-prefix'],
    provenBy: ['import-agent-refused', 'import-agent-not-there'],
  }),
  judgesShape('import-agent', ['import-agent-answer', 'answers-are-json', 'answers-use-version-6', ...agentParts]),
  newAgentCheck('import-agent', 'ids', {
    id: 'import-agent-gives-new-ids',
    title: 'Every imported agent has its own identifier',
    verifies: ['import-agent-new-id'],
    provenBy: ['import-agent-repeats-id', 'import-agent-repeats-created-id'],
  }),
  newAgentCheck('import-agent', 'content', {
    id: 'import-agent-keeps-what-was-sent',
    title: 'An imported agent holds what the request sent',
    verifies: ['import-agent-keeps-content'],
    provenBy: [...contentViolations('import-agent'), 'import-agent-loses-description', 'import-agent-loses-tags'],
  }),
  newAgentCheck('import-agent', 'workspace', {
    id: 'import-agent-in-the-workspace',
    title: 'An imported agent belongs to the workspace named in the request',
    verifies: ['import-agent-in-workspace'],
    provenBy: ['import-agent-ignores-workspace'],
  }),
  newAgentCheck('import-agent', 'readable', {
    id: 'imported-agent-can-be-read',
    title: 'An imported agent can be read by the identifier from the answer, from then on',
    verifies: ['imported-agent-readable'],
    provenBy: ['imported-agent-not-stored', 'imported-agent-forgotten'],
  }),
  newAgentCheck('import-agent', 'readings', {
    id: 'imported-agent-reads-as-answered',
    title: 'An imported agent reads as the answer showed it, whatever is made after it',
    verifies: ['imported-agent-readable'],
    provenBy: [
      'imported-agent-reads-otherwise',
      'imported-agent-reads-in-another-workspace',
      'imported-agent-reads-without-variables',
      'imported-agents-exchange-content',
    ],
  }),
];
