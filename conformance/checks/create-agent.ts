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

/** Section 4.1. */
export const createAgentChecks: readonly Check[] = [
  {
    id: 'create-agent-accepts-valid-body',
    title: 'Create agent accepts a workspaceId and an agent',
    endpoint: 'create-agent',
    verifies: ['create-agent-works', 'accepts-json-requests', 'path-prefix'],
    provenBy: ['create-agent-refused'],
    run: (t) => acceptsValidBody(t, 'create-agent'),
  },
  judgesShape('create-agent', ['create-agent-answer', 'answers-are-json', 'answers-use-version-6', ...agentParts]),
  {
    id: 'create-agent-gives-new-ids',
    title: 'Every created agent has an identifier of its own',
    endpoint: 'create-agent',
    verifies: ['create-agent-new-id'],
    provenBy: ['create-agent-repeats-id'],
    run: (t) => givesNewIds(t, 'create-agent'),
  },
  {
    id: 'create-agent-keeps-what-was-sent',
    title: 'A created agent holds what was sent',
    endpoint: 'create-agent',
    verifies: ['create-agent-keeps-content'],
    provenBy: [
      'create-agent-loses-name',
      'create-agent-loses-groups',
      'create-agent-loses-events',
      'create-agent-loses-edges',
      'create-agent-loses-variables',
      'create-agent-loses-theme',
      'create-agent-loses-settings',
    ],
    run: (t) => keepsWhatWasSent(t, 'create-agent'),
  },
  {
    id: 'create-agent-in-the-workspace',
    title: 'A created agent belongs to the workspace named in the request',
    endpoint: 'create-agent',
    verifies: ['create-agent-in-workspace'],
    provenBy: ['create-agent-ignores-workspace'],
    run: (t) => isInTheWorkspace(t, 'create-agent'),
  },
  {
    id: 'created-agent-can-be-read',
    title: 'A created agent can be read under the identifier that was answered',
    endpoint: 'create-agent',
    verifies: ['created-agent-readable'],
    provenBy: ['created-agent-not-stored'],
    run: (t) => canBeRead(t, 'create-agent'),
  },
  {
    id: 'created-agent-reads-as-answered',
    title: 'A created agent reads as it was answered',
    endpoint: 'create-agent',
    verifies: ['created-agent-readable'],
    provenBy: ['created-agent-reads-otherwise'],
    run: (t) => readsAsAnswered(t, 'create-agent'),
  },
];
