import { endpoints, violationIds, type EndpointId } from '../../spec/index.ts';
import type { Check } from '../check.ts';
import { present } from '../collections.ts';
import { plainRequests } from '../probes/plan.ts';
import { counted, optional } from '../show.ts';

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
      const { title } = endpoints[endpoint];
      const always = failures.always(endpoint);
      const { served } = failures.of(endpoint);
      verdict.judged = served.length + always.length;
      for (const { excerpt, times, sibling } of always)
        verdict.findings.push({
          expected: `this request of ${title} is answered${optional`, as others of ${sibling && title} are`}`,
          actual: `${excerpt.failure ?? excerpt.status}, each of the ${counted(times.length, 'time')} it was sent`,
          exchanges: present(sibling, excerpt),
        });
      if (always.length > 0) verdict.trace = { failed: always.flatMap(({ times }) => times), held: served };
      for (const { endpoint: its, failed, of, excerpt } of failures.sometimes())
        if (its === endpoint && failed > of * maxRate)
          verdict.findings.push({
            expected: `at most ${maxRate * 100} % of the answers of ${title} fail`,
            actual: `${failed} of ${counted(of, 'answer')} (${excerpt.failure ?? excerpt.status}); repeated, they were right`,
            exchanges: [excerpt],
          });
    },
  }),
});
