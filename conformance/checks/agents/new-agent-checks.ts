import { endpoints, violationIds, violations, type NewAgentEndpoint } from '../../../spec/index.ts';
import { newAgentProbes } from '../../probes/plan.ts';
import { checksOf, type CheckRow } from '../../check.ts';
import { agentParts, judgesShape } from '../shape.ts';
import { createAcceptance, judgeAcceptance } from './acceptance.ts';
import { judgeContent, judgeReadings, judgeWorkspace } from './content.ts';
import { origins } from './created.ts';
import { judgeNewIds } from './identifiers.ts';
import { judgeReadable } from './readable.ts';

/** An import may keep its dates. */
const newness = {
  'create-agent': {
    title: 'Every created agent has its own identifier, and the date of its creation',
    verifies: ['create-agent-new-id', 'creation-dated-when-made'],
  },
  'import-agent': { title: 'Every imported agent has its own identifier', verifies: ['import-agent-new-id'] },
} as const;

/** The checks of Create agent (section 4.1), and of Import agent (section 4.2). */
export function newAgentChecks(endpoint: NewAgentEndpoint): readonly CheckRow[] {
  const origin = origins[endpoint];
  const keepsContent = `${endpoint}-keeps-content` as const;
  // What is lost at both endpoints breaks a requirement of one of them.
  const alsoFailsOn = violationIds.filter((id) => {
    const { breaks, at } = violations[id];
    return breaks !== keepsContent && breaks.endsWith('-keeps-content') && at.includes(endpoint);
  });
  const a = endpoint === 'import-agent' ? 'An imported' : 'A created';
  const probes = newAgentProbes[endpoint];
  return checksOf(endpoint, [
    {
      id: `${endpoint}-accepts-valid-body`,
      title: `${endpoints[endpoint].title} accepts a workspaceId and an agent${endpoint === 'import-agent' ? ' of version 6' : ''}`,
      verifies: [`${endpoint}-works`, 'accepts-json-requests', 'path-prefix'],
      probes,
      judge(facts) {
        const { created, used } = facts.workspaces;
        return judgeAcceptance(facts, {
          endpoint,
          request: endpoints[endpoint].title,
          acceptance: createAcceptance(facts, endpoint),
          // If a new workspace accepts no agent at all, a check of Create workspace fails instead.
          isOurs: ({ workspaceId = '' }) => !created.has(workspaceId) || used.has(workspaceId) || used.size === 0,
        });
      },
    },
    judgesShape(endpoint, [`${endpoint}-answer`, 'answers-are-json', 'answers-use-version-6', ...agentParts]),
    { id: `${endpoint}-gives-new-ids`, ...newness[endpoint], probes, judge: judgeNewIds },
    {
      id: `${endpoint}-keeps-what-was-sent`,
      title: `${a} agent holds what the request sent`,
      verifies: [keepsContent],
      probes,
      alsoFailsOn,
      judge: judgeContent,
    },
    {
      id: `${endpoint}-in-the-workspace`,
      title: `${a} agent belongs to the workspace named in the request`,
      verifies: [`${endpoint}-in-workspace`],
      probes,
      judge: judgeWorkspace,
    },
    {
      id: `${origin}-agent-can-be-read`,
      title: `${a} agent can be read by the identifier from the answer, from then on`,
      verifies: [`${origin}-agent-readable`],
      probes,
      provenBy: [`${origin}-agent-not-stored`, `${origin}-agent-forgotten`],
      judge: judgeReadable,
    },
    {
      id: `${origin}-agent-reads-as-answered`,
      title: `${a} agent reads as the answer showed it, whatever is made after it`,
      verifies: [`${origin}-agent-readable`],
      probes,
      alsoFailsOn: endpoint === 'import-agent' ? ['get-agent-loses-preferences'] : [],
      judge: judgeReadings,
    },
  ]);
}
