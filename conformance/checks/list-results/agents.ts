import type { Check } from '../../check.ts';
import type { Excerpt } from '../../http/exchange.ts';
import { otherAgents, plan, readings } from '../../probes/plan.ts';
import { show } from '../../show.ts';
import { AGENT_WITH_RESULTS } from './pages.ts';

export const belongToTheAgent: Check = {
  id: 'list-results-belong-to-the-agent',
  title: 'Every result listed belongs to the agent in the path',
  endpoint: 'list-results',
  verifies: ['results-of-the-agent'],
  provenBy: ['results-of-another-agent'],
  probes: [...readings, plan.walkInManySizes, ...otherAgents],
  judge: ({ agents }) => ({
    page({ page, list: { agentId } }, verdict) {
      if (!agents.isId(agentId)) return;
      verdict.judged += page.rows.filter((row) => row.agentId !== undefined).length;
      const index = page.rows.findIndex((row) => row.agentId !== undefined && row.agentId !== agentId);
      if (index < 0) return;
      verdict.findings.push({
        expected: `results of the agent ${show(agentId)}`,
        actual: `one of ${show(page.rows[index]?.agentId)}`,
        at: `/results/${index}/agentId`,
        exchanges: [page.excerpt],
      });
    },
    missing: { reason: 'No result shows an agentId.', supply: AGENT_WITH_RESULTS },
  }),
};

interface Owner {
  readonly agentId: string;
  readonly createdAt: unknown;
  readonly excerpt: Excerpt;
}

const MAX_KNOWN = 100_000;

export const agentsShareNone: Check = {
  id: 'list-results-agents-share-none',
  title: 'A new agent lists no results of another agent',
  endpoint: 'list-results',
  verifies: ['results-of-the-agent'],
  provenBy: ['results-same-for-every-agent'],
  probes: [...readings, ...otherAgents],
  judge({ agents, policy }) {
    const owners = new Map<string, Owner>();
    const isNew = (agentId: string): boolean => agents.creationOf(agentId) !== undefined;
    return {
      page({ page, list: { agentId } }, verdict) {
        if (isNew(agentId)) verdict.judged++;
        for (const [index, { id, createdAt, agentId: of }] of page.rows.entries()) {
          const owner = owners.get(id);
          if (!owner) {
            if (owners.size < MAX_KNOWN) owners.set(id, { agentId, createdAt, excerpt: page.excerpt });
            continue;
          }
          // Results of two agents may share identifiers, but a new agent has no results.
          if (owner.agentId === agentId || (!isNew(agentId) && !isNew(owner.agentId))) continue;
          // An agent that was new may have got results from others, with the same identifiers.
          if (policy.isShared && (owner.createdAt !== createdAt || of === agentId)) continue;
          verdict.findings.push({
            expected: `no result of another agent in the list of a new one`,
            actual: `result ${show(id)} in the lists of ${show(owner.agentId)} and ${show(agentId)}`,
            at: `/results/${index}`,
            exchanges: [owner.excerpt, page.excerpt],
          });
          return;
        }
      },
      missing: {
        reason: 'The run read no list of an agent that it made.',
        supply: 'a token that may create agents',
      },
      conclude(verdict) {
        if (owners.size === 0) verdict.missing = { reason: 'No agent has results.', supply: AGENT_WITH_RESULTS };
      },
    };
  },
};
