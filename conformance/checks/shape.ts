import { endpoints, type EndpointId, type RequirementId } from '../../spec/index.ts';
import type { CheckRow, Missing } from '../check.ts';
import { plainRequests } from '../probes/plan.ts';
import type { Facts } from '../history/facts/facts.ts';

/** The parts of an agent's definition, published or not (sections 2.2 to 2.7). */
export const definitionParts = [
  'event-shape',
  'group-shape',
  'edge-shape',
  'variable-shape',
  'theme-shape',
  'settings-shape',
] as const satisfies readonly RequirementId[];

/** The requirements on every agent in an answer (sections 2.1 to 2.8). */
export const agentParts = [
  'agent-id-in-answers',
  'agent-shape',
  'agent-version-6',
  ...definitionParts,
  'sharing-shape',
] as const satisfies readonly RequirementId[];

/** Judges every accepted answer of an endpoint in the whole history, to the last item of the last page. */
export const judgesShape = (endpoint: EndpointId, verifies: CheckRow['verifies']): CheckRow => ({
  id: `${endpoint}-answer-shape`,
  title: `Every answer of ${endpoints[endpoint].title} is JSON in the documented shape`,
  endpoint,
  verifies,
  probes: [plainRequests[endpoint]],
  judge: ({ shapes }) => ({
    conclude(verdict) {
      const { broken, judged } = shapes.seen(endpoint);
      verdict.judged = judged;
      verdict.findings.push(...broken);
      verdict.missing = missingOf(endpoint, shapes);
    },
  }),
});

function missingOf(endpoint: EndpointId, shapes: Facts['shapes']): Missing | undefined {
  const { answers, judged } = shapes.seen(endpoint);
  if (answers === 0) return undefined;
  if (judged === 0)
    return {
      reason:
        'Every answer had the documented envelope, but none showed version "6", and the rest is documented only for version 6.',
      supply:
        endpoints[endpoint].holds === 'publicAgent'
          ? '--published-agent-id of an agent of version 6'
          : '--agent-id of version 6',
    };
  if (endpoints[endpoint].does === 'lists' && !shapes.saw(endpoint, '/results/*'))
    return { reason: 'No answer held a result.', supply: '--agent-id of an agent with results' };
  return undefined;
}
