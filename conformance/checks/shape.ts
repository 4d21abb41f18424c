import { endpoints, type EndpointId } from '../../spec/index.ts';
import type { Judge, Missing } from '../check.ts';
import type { Facts } from '../history/facts/facts.ts';

/** Judges every accepted answer of an endpoint in the whole history, to the last item of the last page. */
export const judgeShape = ({ shapes }: Facts, endpoint: EndpointId): Judge => ({
  conclude(verdict) {
    const { broken, judged } = shapes.seen(endpoint);
    verdict.judged = judged;
    verdict.findings.push(...broken);
    verdict.missing = missingOf(endpoint, shapes);
  },
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
