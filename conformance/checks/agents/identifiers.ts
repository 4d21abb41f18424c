import { endpoints, isCreatingAgents, type NewAgentEndpoint } from '../../../spec/index.ts';
import type { Finding, Judge } from '../../check.ts';
import { isAnswered, type Kept } from '../../http/exchange.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { MAX_FINDINGS } from './made.ts';

/** Judges that every new identifier is unique, among creations and given ids. */
export function judgeNewAgentIds({ agents, isForeign }: Facts, endpoint: NewAgentEndpoint): Judge {
  const findings: Finding[] = [];
  let made = 0;
  let others = 0;
  return {
    see(exchange) {
      if (exchange.method !== 'POST' || !isAnswered(exchange) || !exchange.answer.accepted) return;
      if (!isCreatingAgents(exchange.endpoint)) return;
      const id = stringAt(exchange.answer.json, 'agent', 'id');
      const fact = id === undefined ? undefined : agents.get(id);
      if (!fact) return;
      others++;
      if (exchange.endpoint !== endpoint) return;
      made++;
      // Tests that reset their data see the same identifiers again: then the first of the two was gone.
      if (isForeign === true && !(fact.made !== undefined && exchange.begun < fact.made)) return;
      if (fact.made !== exchange.n && findings.length < MAX_FINDINGS)
        findings.push(repeated(id, 'agent', fact.madeBy, exchange.kept));
    },
    verdict: () => ({
      findings,
      judged: others > 1 ? made : 0,
      missing: made > 0 && others < 2 ? { reason: 'The run saw no two agents whose id is a string.' } : undefined,
    }),
  };
}

/** The same for workspaces. */
export function judgeNewWorkspaceIds({ target, isForeign }: Facts): Judge {
  const seen = new Map<string, Kept | undefined>();
  /** The `n` of the answer that created each. */
  const places = new Map<string, number>();
  const findings: Finding[] = [];
  if (target.workspaceId !== undefined) seen.set(target.workspaceId, undefined);
  let made = 0;
  return {
    see(exchange) {
      if (endpoints[exchange.endpoint].holds !== 'workspace' || exchange.method !== 'POST' || !isAnswered(exchange))
        return;
      const id = exchange.answer.accepted ? stringAt(exchange.answer.json, 'workspace', 'id') : undefined;
      if (id === undefined || seen.size > 2000) return;
      made++;
      const place = places.get(id);
      if (place === undefined) places.set(id, exchange.n);
      if (!seen.has(id)) seen.set(id, exchange.kept);
      else if (isForeign === true && !(place !== undefined && exchange.begun < place)) return;
      else if (findings.length < MAX_FINDINGS) findings.push(repeated(id, 'workspace', seen.get(id), exchange.kept));
    },
    verdict: () => ({
      findings,
      judged: made > 1 ? made : 0,
      missing:
        made < 2
          ? {
              reason: 'The run saw no two workspaces whose id is a string.',
              supply: 'a token that may create workspaces',
            }
          : undefined,
    }),
  };
}

const repeated = (id: string | undefined, what: string, first: Kept | undefined, kept: Kept): Finding => ({
  expected: `an identifier that no other ${what} has`,
  actual: `${show(id)}, which ${first ? 'an earlier answer held' : `another ${what} has`}`,
  at: `/${what}/id`,
  exchanges: first ? [first, kept] : [kept],
});
