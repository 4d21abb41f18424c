import { endpoints, violationIds, type EndpointId } from '../../spec/index.ts';
import type { Check, Finding } from '../check.ts';
import { present } from '../collections.ts';
import type { FailedRequest, Unsteady } from '../history/facts/failures.ts';
import { plainRequests } from '../probes/plan.ts';
import { counted } from '../show.ts';

/** Judges that no valid request fails each time it is sent; the only check of what fails inside the server. */
export const doesNotFail = (endpoint: EndpointId): Check => ({
  id: `${endpoint}-does-not-fail`,
  title: `${endpoints[endpoint].title} answers every valid request, and completely`,
  endpoint,
  verifies: [`${endpoint}-works`],
  provenBy: [`${endpoint}-crashes`, ...violationIds.filter((id) => id.startsWith(`${endpoint}-crashes-`))],
  probes: [plainRequests[endpoint]],
  judge: ({ failures, policy, maxRate = 1 }) => ({
    conclude(verdict) {
      if (!policy.asksAgain) {
        verdict.missing = { reason: 'Nobody sent what failed again, so it may have been an accident.' };
        return;
      }
      const always = failures.always(endpoint);
      verdict.judged = failures.of(endpoint).served.length + always.length;
      verdict.findings.push(...always.map((failed) => alwaysFails(endpoint, failed)));
      if (always.length > 0)
        verdict.trace = { failed: always.flatMap(({ times }) => times), held: failures.of(endpoint).served };
      const unsteady = failures.sometimes().find((one) => one.endpoint === endpoint);
      if (unsteady && unsteady.failed > unsteady.of * maxRate) verdict.findings.push(failsTooOften(unsteady, maxRate));
    },
  }),
});

function alwaysFails(endpoint: EndpointId, { excerpt, times, sibling }: FailedRequest): Finding {
  const { title } = endpoints[endpoint];
  const others = sibling ? `, as others of ${title} are` : '';
  return {
    expected: `this request of ${title} is answered${others}`,
    actual: `${excerpt.failure ?? excerpt.status}, each of the ${counted(times.length, 'time')} it was sent`,
    exchanges: present(sibling, excerpt),
  };
}

function failsTooOften({ endpoint, failed, of, excerpt }: Unsteady, maxRate: number): Finding {
  return {
    expected: `at most ${maxRate * 100} % of the answers of ${endpoints[endpoint].title} fail`,
    actual: `${failed} of ${counted(of, 'answer')} (${excerpt.failure ?? excerpt.status}); repeated, they were right`,
    exchanges: [excerpt],
  };
}
