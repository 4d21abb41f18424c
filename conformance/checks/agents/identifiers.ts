import { endpointIds, endpoints, type CreatingEndpoint } from '../../../spec/index.ts';
import type { Finding, Judge, Missing } from '../../check.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isAnswered, type Excerpt } from '../../http/exchange.ts';
import { stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { createVerdict } from '../verdict-builder.ts';
import { MAX_FINDINGS } from './created.ts';

/** Judges that every new identifier of an agent, or of a workspace, is unique among creations and given ids. */
export function judgeNewIds({ agents, workspaces, policy }: Facts, endpoint: CreatingEndpoint): Judge {
  const { holds } = endpoints[endpoint];
  const creators = endpointIds.filter((id) => endpoints[id].method === 'POST' && endpoints[id].holds === holds);
  const factOf = (id: string | undefined) => (holds === 'agent' ? agents.get(id) : workspaces.get(id));
  const verdict = createVerdict(MAX_FINDINGS);
  let ours = 0;
  let all = 0;
  return {
    see(exchange) {
      if (!creators.includes(exchange.endpoint) || exchange.method !== 'POST') return;
      if (!isAnswered(exchange) || !exchange.answer.accepted) return;
      const id = stringAt(exchange.answer.json, holds, 'id');
      const fact = factOf(id);
      if (!fact) return;
      all++;
      if (exchange.endpoint !== endpoint) return;
      ours++;
      const { creation } = fact;
      if (creation?.n === exchange.n) return;
      // Tests that reset their data see the same identifiers again: then the first of the two was gone.
      const isAtOnce = creation !== undefined && exchange.begun < creation.n;
      if (isAtOnce || !policy.isShared) verdict.found(repeated(id, holds, creation?.excerpt, exchange.excerpt));
    },
    verdict: () => ({
      ...verdict.verdict(),
      judged: all > 1 ? ours : 0,
      missing: all > 1 ? undefined : missingOf(holds, ours),
    }),
  };
}

function missingOf(holds: string, ours: number): Missing | undefined {
  if (holds === 'agent') {
    if (ours === 0) return undefined;
    return { reason: 'The run saw no two agents whose id is a string.' };
  }
  return {
    reason: 'The run saw no two workspaces whose id is a string.',
    supply: 'a token that may create workspaces',
  };
}

const repeated = (id: string | undefined, holds: string, first: Excerpt | undefined, excerpt: Excerpt): Finding => ({
  expected: `an identifier that no other ${holds} has`,
  actual: `${show(id)}, which ${first ? 'an earlier answer held' : `another ${holds} has`}`,
  at: `/${holds}/id`,
  exchanges: first ? [first, excerpt] : [excerpt],
});
