import { endpoints, type EndpointId } from '../../../spec/index.ts';
import { pointerTokens } from '../../../spec/json-pointer.ts';
import type { Judge } from '../../check.ts';
import { mayBeVersion6 } from '../../history/facts/agents.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { field, isObject, stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { createVerdict } from '../verdict-builder.ts';
import { MAX_FINDINGS } from './created.ts';

/** Judges that the answered agent is the requested one. */
export function judgeRightAgent({ agents }: Facts, endpoint: EndpointId): Judge {
  const { holds, agentIdAt = '' } = endpoints[endpoint];
  const what = holds === 'publicAgent' ? 'the public form of' : 'the agent';
  const verdict = createVerdict(MAX_FINDINGS);
  return {
    see({ agentId, answer, method, excerpt, ...exchange }) {
      if (exchange.endpoint !== endpoint || method !== 'GET' || !answer?.accepted || agentId === undefined) return;
      const agent = field(answer.json, holds);
      const id = stringAt(answer.json, ...pointerTokens(agentIdAt));
      if (id === undefined || !isObject(agent) || !mayBeVersion6(agent) || !agents.isId(agentId)) return;
      verdict.judged();
      if (id.toLowerCase() === agentId.toLowerCase()) return;
      verdict.found({
        expected: `${what} ${show(agentId)}`,
        actual: `${what} ${show(id)}`,
        at: agentIdAt,
        exchanges: [excerpt],
      });
    },
    verdict: () => verdict.verdict(),
  };
}
