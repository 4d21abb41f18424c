import { endpoints, type NewAgentEndpoint, type ViolationId } from '../../../spec/index.ts';
import { newAgentProbes } from '../../probes/plan.ts';
import type { Check } from '../../check.ts';
import { agentParts, judgesShape } from '../shape.ts';
import { createAcceptance, judgeAcceptance } from './acceptance.ts';
import { judgeContent, judgeReadings, judgeWorkspace } from './content.ts';
import { origins } from './created.ts';
import { judgeNewIds } from './identifiers.ts';
import { judgeReadable } from './readable.ts';

/** Parts of an agent that a server may lose, replace or mix up, under the names in its violations. */
const losses = [
  'name',
  'groups',
  'events',
  'edges',
  'variables',
  'theme',
  'settings',
  'blocks',
  'positions',
  'variable-values',
  'long-values',
  'leading-zeros',
] as const;

const manglings = [
  'rejoins-edges',
  'breaks-references',
  'escapes-non-ascii',
  'escapes-markup',
  'replaces-four-byte-characters',
  'turns-false-to-true',
  'turns-zero-to-null',
  'turns-empty-to-null',
] as const;

/** What both endpoints lose, so that no answer gives it away. */
export const lostByBoth = [
  'new-agents-lose-starts-of-edges',
  'new-agents-merge-equal-items',
  'new-agents-write-numbers-as-texts',
  'new-agents-add-times-to-dates',
  'new-agents-drop-dotted-columns',
  'new-agents-lose-deep-levels',
] as const;

interface OwnViolations {
  readonly refusal: ViolationId;
  readonly ids: readonly ViolationId[];
  readonly content: readonly ViolationId[];
  readonly readings: readonly ViolationId[];
  /** Losses that break a requirement of the other endpoint. */
  readonly alsoLost: readonly ViolationId[];
}

/** The checks of Create agent (section 4.1), and of Import agent (section 4.2). */
export function newAgentChecks(endpoint: NewAgentEndpoint, own: OwnViolations): readonly Check[] {
  const origin = origins[endpoint];
  const a = endpoint === 'import-agent' ? 'An imported' : 'A created';
  const shared = { endpoint, probes: newAgentProbes[endpoint] };
  return [
    {
      ...shared,
      id: `${endpoint}-accepts-valid-body`,
      title: `${endpoints[endpoint].title} accepts a workspaceId and an agent${endpoint === 'import-agent' ? ' of version 6' : ''}`,
      verifies: [`${endpoint}-works`, 'accepts-json-requests', 'path-prefix'],
      provenBy: [`${endpoint}-refused`, `${endpoint}-not-there`, own.refusal],
      judge(facts) {
        const { created, used } = facts.workspaces;
        return judgeAcceptance(facts, {
          endpoint,
          request: endpoints[endpoint].title,
          option: 'workspaceId',
          acceptance: createAcceptance(endpoint),
          // If a new workspace accepts no agent at all, a check of Create workspace fails instead.
          isOurs: ({ workspaceId = '' }) => !created.has(workspaceId) || used.has(workspaceId) || used.size === 0,
        });
      },
    },
    judgesShape(endpoint, [`${endpoint}-answer`, 'answers-are-json', 'answers-use-version-6', ...agentParts]),
    {
      ...shared,
      id: `${endpoint}-gives-new-ids`,
      title: `Every ${origin} agent has its own identifier`,
      verifies: [`${endpoint}-new-id`],
      provenBy: [`${endpoint}-repeats-id`, ...own.ids],
      judge: (facts) => judgeNewIds(facts, endpoint),
    },
    {
      ...shared,
      id: `${endpoint}-keeps-what-was-sent`,
      title: `${a} agent holds what the request sent`,
      verifies: [`${endpoint}-keeps-content`],
      provenBy: [
        `${endpoint}-repeats-content`,
        ...losses.map((part) => `${endpoint}-loses-${part}` as const),
        ...manglings.map((mangling) => `${endpoint}-${mangling}` as const),
        ...own.content,
      ],
      alsoFailsOn: own.alsoLost,
      judge: (facts) => judgeContent(facts, endpoint),
    },
    {
      ...shared,
      id: `${endpoint}-in-the-workspace`,
      title: `${a} agent belongs to the workspace named in the request`,
      verifies: [`${endpoint}-in-workspace`],
      provenBy: [`${endpoint}-ignores-workspace`],
      judge: (facts) => judgeWorkspace(facts, endpoint),
    },
    {
      ...shared,
      id: `${origin}-agent-can-be-read`,
      title: `${a} agent can be read by the identifier from the answer, from then on`,
      verifies: [`${origin}-agent-readable`],
      provenBy: [`${origin}-agent-not-stored`, `${origin}-agent-forgotten`],
      judge: (facts) => judgeReadable(facts, endpoint),
    },
    {
      ...shared,
      id: `${origin}-agent-reads-as-answered`,
      title: `${a} agent reads as the answer showed it, whatever is made after it`,
      verifies: [`${origin}-agent-readable`],
      provenBy: [
        `${origin}-agent-reads-otherwise`,
        `${origin}-agent-reads-in-another-workspace`,
        `${origin}-agent-reads-without-variables`,
        `${origin}-agents-exchange-content`,
        ...own.readings,
      ],
      judge: (facts) => judgeReadings(facts, endpoint),
    },
  ];
}
