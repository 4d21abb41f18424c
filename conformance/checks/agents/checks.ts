import { endpoints, type RequirementId, type ViolationId } from '../../../spec/index.ts';
import { newAgentProbes } from '../../probes/agents.ts';
import type { Check } from '../../check.ts';
import { createAcceptance, judgeAcceptance } from './acceptance.ts';
import { judgeContent, judgeReadings, judgeWorkspace } from './content.ts';
import { judgeNewAgentIds } from './identifiers.ts';
import type { NewAgentEndpoint } from './made.ts';
import { judgeForeignReadable } from './foreign/reading.ts';
import { judgeReadable } from './readable.ts';

/** How creation and import differ. */
export interface NewAgentCheck {
  readonly id: string;
  readonly title: string;
  readonly verifies: readonly [RequirementId, ...RequirementId[]];
  readonly provenBy: readonly [ViolationId, ...ViolationId[]];
  readonly alsoFailsOn?: readonly ViolationId[];
}

/** Judges of the checks that Create agent (section 4.1) and Import agent (section 4.2) share. */
const judges = {
  accepts: (endpoint) => (facts) =>
    judgeAcceptance(
      facts,
      createAcceptance(endpoint, () => true),
      {
        endpoint,
        request: endpoints[endpoint].title,
        option: 'workspaceId',
        // If a new workspace accepts no agent at all, a check of Create workspace fails instead.
        isOurs: ({ workspaceId = '' }) =>
          !facts.workspaces.made.has(workspaceId) ||
          facts.workspaces.used.has(workspaceId) ||
          facts.workspaces.used.size === 0,
      },
    ),
  ids: (endpoint) => (facts) => judgeNewAgentIds(facts, endpoint),
  content: (endpoint) => (facts) => judgeContent(facts, endpoint),
  workspace: (endpoint) => (facts) => judgeWorkspace(facts, endpoint),
  readable: (endpoint) => (facts) =>
    facts.isForeign === true ? judgeForeignReadable(facts, endpoint) : judgeReadable(facts, endpoint),
  readings: (endpoint) => (facts) => judgeReadings(facts, endpoint),
} satisfies Record<string, (endpoint: NewAgentEndpoint) => Check['judge']>;

export const newAgentCheck = (endpoint: NewAgentEndpoint, fact: keyof typeof judges, check: NewAgentCheck): Check => ({
  ...check,
  endpoint,
  probes: newAgentProbes[endpoint],
  judge: judges[fact](endpoint),
});

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

/** The violations of one endpoint that show in the content of its answer. */
export const contentViolations = <E extends NewAgentEndpoint>(
  endpoint: E,
): readonly [`${E}-repeats-content`, ...(`${E}-loses-${(typeof losses)[number]}` | `${E}-${Mangling}`)[]] => [
  `${endpoint}-repeats-content`,
  ...losses.map((name) => `${endpoint}-loses-${name}` as const),
  ...manglings.map((name) => `${endpoint}-${name}` as const),
];

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
type Mangling = (typeof manglings)[number];
