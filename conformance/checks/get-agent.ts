import { getAgentProbes, modeProbes } from '../probes/agents.ts';
import type { Check } from '../check.ts';
import { judgeForeignReading } from './agents/foreign/reading.ts';
import { judgeModes, judgeReadingWorks, judgeRightAgent } from './agents/reading.ts';
import { acceptedRequest, agentParts, judgesShape } from './shape.ts';

/** Section 4.3. */
export const getAgentChecks: readonly Check[] = [
  {
    id: 'get-agent-accepts-valid-request',
    title: 'Get agent returns an existing agent',
    endpoint: 'get-agent',
    verifies: ['get-agent-works', 'path-prefix'],
    provenBy: ['get-agent-refused', 'get-agent-not-there'],
    probes: [acceptedRequest('get-agent'), ...getAgentProbes],
    judge: (facts) => (facts.isForeign === true ? judgeForeignReading : judgeReadingWorks)(facts, 'get-agent'),
  },
  judgesShape('get-agent', ['get-agent-answer', 'answers-are-json', 'user-mode-closed-set', ...agentParts]),
  {
    id: 'get-agent-answers-the-agent-asked-for',
    title: 'Get agent returns the agent whose identifier is in the path',
    endpoint: 'get-agent',
    verifies: ['get-agent-right-agent'],
    provenBy: ['get-agent-answers-another'],
    probes: getAgentProbes,
    judge: (facts) => judgeRightAgent(facts, 'get-agent'),
  },
  {
    id: 'get-agent-mode-matches-token',
    title: 'currentUserMode reports the access of the token',
    endpoint: 'get-agent',
    verifies: ['user-mode-reports-access'],
    provenBy: ['get-agent-mode-always-write', 'get-agent-mode-always-guest'],
    probes: modeProbes,
    judge: judgeModes,
  },
];
