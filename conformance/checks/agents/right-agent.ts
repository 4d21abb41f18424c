import type { Judge } from '../../check.ts';
import { mayBeVersion6 } from '../../history/facts/agents.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { field, isObject, stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { createVerdict } from '../verdict-builder.ts';
import { MAX_FINDINGS } from './created.ts';

/** Where an answer names its agent, and how a sentence does. */
const PLACES = {
  'get-agent': { holder: 'agent', name: 'id', expected: 'the agent', actual: 'the agent' },
  'get-published-agent': {
    holder: 'publicAgent',
    name: 'agentId',
    expected: 'the public form of',
    actual: 'that of',
  },
} as const;

/** Judges that the answered agent is the requested one. */
export function judgeRightAgent({ agents }: Facts, endpoint: keyof typeof PLACES): Judge {
  const { holder, name, expected, actual } = PLACES[endpoint];
  const verdict = createVerdict(MAX_FINDINGS);
  return {
    see({ agentId, answer, method, kept, ...exchange }) {
      if (exchange.endpoint !== endpoint || method !== 'GET' || !answer?.accepted || agentId === undefined) return;
      const agent = field(answer.json, holder);
      const id = stringAt(agent, name);
      if (id === undefined || !isObject(agent) || !mayBeVersion6(agent) || !agents.isId(agentId)) return;
      verdict.judged();
      if (id.toLowerCase() === agentId.toLowerCase()) return;
      verdict.found({
        expected: `${expected} ${show(agentId)}`,
        actual: `${actual} ${show(id)}`,
        at: `/${holder}/${name}`,
        exchanges: [kept],
      });
    },
    verdict: () => verdict.verdict(),
  };
}
