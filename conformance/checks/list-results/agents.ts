import { isReadingAgent } from '../../../spec/index.ts';
import { addFailure, MOST_KEPT, type Judge } from '../../check.ts';
import { valueFor } from '../../collections.ts';
import { mayBeVersion6 } from '../../history/facts/agents.ts';
import type { Facts } from '../../history/facts/facts.ts';
import type { ListedPage } from '../../history/facts/lists.ts';
import type { Excerpt } from '../../http/exchange.ts';
import { field, stringAt } from '../../json.ts';
import { show } from '../../show.ts';
import { isRead } from '../agents/created.ts';
import { AGENT_WITH_RESULTS } from './pages.ts';

/** Judges that every listed result belongs to the agent in the path, and to its workspace. */
export function judgeOwners({ agents, policy }: Facts): Judge {
  const homes = new Map<string, { readonly ids: Set<string>; readonly excerpt: Excerpt; last: number }>();
  const named = new Map<string, { agentId: string; workspaceId: string; index: number; page: ListedPage }>();
  return {
    see(exchange) {
      const { endpoint, agentId, answer, excerpt, n } = exchange;
      if (!isReadingAgent(endpoint) || !isRead(exchange) || agentId === undefined) return;
      const agent = field(answer?.json, 'agent');
      const workspaceId = stringAt(agent, 'workspaceId');
      // Nothing is known of the members of version 5.
      if (workspaceId === undefined || !mayBeVersion6(agent)) return;
      const home = valueFor(homes, agentId, () => ({ ids: new Set(), excerpt, last: n }), MOST_KEPT);
      home.ids.add(workspaceId);
      home.last = n;
    },
    page({ page, list: { agentId } }, verdict) {
      for (const [index, { workspaceId }] of page.rows.entries()) {
        const key = `${agentId} ${workspaceId}`;
        if (workspaceId === undefined || named.has(key) || named.size >= MOST_KEPT) continue;
        if (policy.isShared && !homes.has(agentId)) continue;
        named.set(key, { agentId, workspaceId, index, page });
      }
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
    conclude(verdict) {
      for (const { agentId, workspaceId, index, page } of named.values()) {
        const home = homes.get(agentId);
        if (!home || home.ids.has(workspaceId)) continue;
        // Others may move an agent, so it must have been there before and after.
        if (policy.isShared && home.last < page.n) continue;
        addFailure(verdict, {
          expected: `the workspace of the agent, ${[...home.ids].slice(0, 3).map(show).join(' or ')}`,
          actual: show(workspaceId),
          at: `/results/${index}/workspaceId`,
          exchanges: [home.excerpt, page.excerpt],
        });
      }
    },
  };
}

/** Judges that a new agent lists no results of another agent. */
export function judgeNewLists({ agents, policy }: Facts): Judge {
  const owners = new Map<string, Readonly<{ agentId: string; createdAt: unknown; excerpt: Excerpt }>>();
  return {
    page({ page, list: { agentId } }, verdict) {
      const isNew = agents.creationOf(agentId) !== undefined;
      if (isNew) verdict.judged++;
      for (const [index, { id, createdAt, agentId: of }] of page.rows.entries()) {
        const owner = owners.get(id);
        if (!owner) {
          if (owners.size < 100_000) owners.set(id, { agentId, createdAt, excerpt: page.excerpt });
          continue;
        }
        // Results of two agents may share identifiers, but a new agent has no results.
        if (owner.agentId === agentId || (!isNew && !agents.creationOf(owner.agentId))) continue;
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
    conclude(verdict) {
      if (owners.size === 0) verdict.missing = { reason: 'No agent has results.', supply: AGENT_WITH_RESULTS };
    },
  };
}
