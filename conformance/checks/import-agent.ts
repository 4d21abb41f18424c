import type { Check } from '../check.ts';
import {
  acceptsValidBody,
  canBeRead,
  givesNewIds,
  isInTheWorkspace,
  keepsWhatWasSent,
  readsAsAnswered,
} from './new-agent.ts';
import { agentParts, judgesShape } from './shape.ts';

/** Section 4.2. What becomes of a body in the version 5 form is not shown, so it is observed and never judged. */
export const importAgentChecks: readonly Check[] = [
  {
    id: 'import-agent-accepts-valid-body',
    title: 'Import agent accepts a workspaceId and an agent of version 6',
    endpoint: 'import-agent',
    verifies: ['import-agent-works', 'accepts-json-requests', 'path-prefix'],
    provenBy: ['import-agent-refused'],
    run: (t) => acceptsValidBody(t, 'import-agent'),
  },
  judgesShape('import-agent', [
    'import-agent-answer',
    'answers-are-json',
    'answers-use-version-6',
    ...agentParts,
    'sharing-shape',
  ]),
  {
    id: 'import-agent-gives-new-ids',
    title: 'Every imported agent has an identifier of its own',
    endpoint: 'import-agent',
    verifies: ['import-agent-new-id'],
    provenBy: ['import-agent-repeats-id'],
    run: (t) => givesNewIds(t, 'import-agent'),
  },
  {
    id: 'import-agent-keeps-what-was-sent',
    title: 'An imported agent holds what was sent',
    endpoint: 'import-agent',
    verifies: ['import-agent-keeps-content'],
    provenBy: [
      'import-agent-loses-name',
      'import-agent-loses-groups',
      'import-agent-loses-events',
      'import-agent-loses-edges',
      'import-agent-loses-variables',
      'import-agent-loses-theme',
      'import-agent-loses-settings',
      'import-agent-loses-description',
      'import-agent-loses-tags',
    ],
    run: (t) => keepsWhatWasSent(t, 'import-agent'),
  },
  {
    id: 'import-agent-in-the-workspace',
    title: 'An imported agent belongs to the workspace named in the request',
    endpoint: 'import-agent',
    verifies: ['import-agent-in-workspace'],
    provenBy: ['import-agent-ignores-workspace'],
    run: (t) => isInTheWorkspace(t, 'import-agent'),
  },
  {
    id: 'imported-agent-can-be-read',
    title: 'An imported agent can be read under the identifier that was answered',
    endpoint: 'import-agent',
    verifies: ['imported-agent-readable'],
    provenBy: ['imported-agent-not-stored'],
    run: (t) => canBeRead(t, 'import-agent'),
  },
  {
    id: 'imported-agent-reads-as-answered',
    title: 'An imported agent reads as it was answered',
    endpoint: 'import-agent',
    verifies: ['imported-agent-readable'],
    provenBy: ['imported-agent-reads-otherwise'],
    run: (t) => readsAsAnswered(t, 'import-agent'),
  },
];
