import { endpoints, type EndpointId, type RequirementId } from '../../spec/index.ts';
import type { Check, CheckContext } from '../check.ts';
import { CannotJudge, Violation } from '../expect.ts';

/** What every agent in an answer must keep to (sections 2.1 to 2.7). */
export const agentParts = [
  'agent-id-in-answers',
  'agent-shape',
  'agent-version-6',
  'event-shape',
  'group-shape',
  'edge-shape',
  'variable-shape',
  'theme-shape',
  'settings-shape',
] as const satisfies readonly RequirementId[];

/** Judges every accepted answer that an endpoint gave in the whole run, to the last item of the last page. */
export const judgesShape = (
  endpoint: EndpointId,
  verifies: Check['verifies'],
): Pick<Check, 'id' | 'title' | 'endpoint' | 'verifies' | 'provenBy' | 'sweeps' | 'run'> => ({
  id: `${endpoint}-answer-shape`,
  title: `Every answer of ${endpoints[endpoint].title} is JSON of the documented shape`,
  endpoint,
  verifies,
  provenBy: [`${endpoint}-answer-misshapen`, `${endpoint}-answer-not-json`],
  sweeps: true,
  run: (t) => shapeOf(endpoint, t),
});

async function shapeOf(endpoint: EndpointId, { given, shapes }: CheckContext): Promise<void> {
  if (shapes.seen(endpoint).answers === 0) await given.accepted(endpoint);
  const { broken, judged } = shapes.seen(endpoint);
  const [first, ...more] = broken;
  if (first)
    throw new Violation(
      first.finding,
      [first.exchange],
      more.map(({ finding }) => finding),
    );
  if (judged === 0)
    throw new CannotJudge(
      'Every answer kept to the documented envelope, but none showed the version "6" for which the rest is documented.',
      endpoint === 'get-published-agent' ? '--published-agent-id of an agent of version 6' : '--agent-id of version 6',
    );
  if (endpoint === 'list-results' && !shapes.saw(endpoint, '/results/*'))
    throw new CannotJudge('No answer held a result.', '--agent-id of an agent with results');
}
