import { otherAgents, readings, sizes } from '../../probes/lists.ts';
import type { Check } from '../../check.ts';
import type { Kept } from '../../http/exchange.ts';
import { show } from '../../show.ts';
import { AGENT_WITH_RESULTS, createVerdict } from './verdict-builder.ts';

export const belongToTheAgent: Check = {
  id: 'list-results-belong-to-the-agent',
  title: 'Every result listed belongs to the agent in the path',
  endpoint: 'list-results',
  verifies: ['results-of-the-agent'],
  provenBy: ['results-of-another-agent'],
  probes: [...readings, sizes, ...otherAgents],
  judge({ lists, agents, isForeign }) {
    const verdict = createVerdict();
    return {
      see(exchange) {
        const placed = lists.placeOf(exchange);
        const page = placed?.list.pages[placed.index];
        if (!placed || !page) return;
        const { agentId } = placed.list;
        // Foreign clients may address an agent by something other than its identifier.
        if (isForeign === true && !agents.isId(agentId)) return;
        verdict.judged(page.rows.filter((row) => row.agentId !== undefined).length);
        const index = page.rows.findIndex((row) => row.agentId !== undefined && row.agentId !== agentId);
        if (index < 0) return;
        verdict.found({
          expected: `results of the agent ${show(agentId)}`,
          actual: `one of ${show(page.rows[index]?.agentId)}`,
          at: `/results/${index}/agentId`,
          exchanges: [page.kept],
        });
      },
      verdict: () => verdict.verdict({ reason: 'No result shows an agentId.', supply: AGENT_WITH_RESULTS }),
    };
  },
};

const MAX_KNOWN = 100_000;

export const agentsShareNone: Check = {
  id: 'list-results-agents-share-none',
  title: 'A new agent lists no results of another agent',
  endpoint: 'list-results',
  verifies: ['results-of-the-agent'],
  provenBy: ['results-same-for-every-agent'],
  probes: [...readings, ...otherAgents],
  judge({ lists, agents, isForeign }) {
    const verdict = createVerdict();
    const owner = new Map<string, { readonly agentId: string; readonly createdAt: unknown; readonly kept: Kept }>();
    const isNew = (agentId: string): boolean => agents.get(agentId)?.made !== undefined;
    return {
      see(exchange) {
        const placed = lists.placeOf(exchange);
        const page = placed?.list.pages[placed.index];
        if (!placed || !page) return;
        const { agentId } = placed.list;
        if (isNew(agentId)) verdict.judged();
        for (const [index, { id, createdAt, agentId: of }] of page.rows.entries()) {
          const known = owner.get(id);
          if (!known) {
            if (owner.size < MAX_KNOWN) owner.set(id, { agentId, createdAt, kept: page.kept });
            continue;
          }
          // Results of two agents may share identifiers, but a new agent has no results.
          if (known.agentId === agentId || (!isNew(agentId) && !isNew(known.agentId))) continue;
          // In foreign traffic, an agent that was new may have results by now, with the same identifiers.
          if (isForeign === true && (known.createdAt !== createdAt || of === agentId)) continue;
          verdict.found({
            expected: `no result of another agent in the list of a new one`,
            actual: `result ${show(id)} in the lists of ${show(known.agentId)} and ${show(agentId)}`,
            at: `/results/${index}`,
            exchanges: [known.kept, page.kept],
          });
          return;
        }
      },
      verdict() {
        const judged = verdict.verdict({
          reason: 'The run read no list of an agent that it made.',
          supply: 'a token that may create agents',
        });
        return owner.size > 0
          ? judged
          : { ...judged, missing: { reason: 'No agent has results.', supply: AGENT_WITH_RESULTS } };
      },
    };
  },
};
