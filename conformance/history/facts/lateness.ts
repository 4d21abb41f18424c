import { isReadingAgent } from '../../../spec/index.ts';
import { GONE } from '../../http/statuses.ts';
import type { Agents } from './agents.ts';
import { isAnswered, type Exchange } from '../../http/exchange.ts';

/** How long new agents could not be read. */
export interface Lateness {
  see(exchange: Exchange): void;
  /**
   * Milliseconds from the creating answer to the first reading that showed the agent; `undefined` if each showed at
   * once.
   */
  readonly longestMs: number | undefined;
}

const MAX_AGENTS = 1000;

export function createLateness(agents: Agents): Lateness {
  const hidden = new Set<string>();
  const shown = new Set<string>();
  const lateness = {
    longestMs: undefined as number | undefined,
    see(exchange: Exchange): void {
      const { endpoint, caller, agentId, sentAt } = exchange;
      if (!isReadingAgent(endpoint) || caller !== 'valid' || agentId === undefined || !isAnswered(exchange)) return;
      const creation = agents.creationOf(agentId);
      // An agent that disappears after a reading is lost, not late.
      if (!creation || shown.has(agentId)) return;
      if (GONE.has(exchange.answer.status) && hidden.size < MAX_AGENTS) hidden.add(agentId);
      if (!exchange.answer.accepted) return;
      if (shown.size < MAX_AGENTS) shown.add(agentId);
      // A stopped clock measures nothing.
      const ms = Math.round(sentAt - creation.answeredAt);
      if (hidden.delete(agentId) && ms > 0) lateness.longestMs = Math.max(lateness.longestMs ?? 0, ms);
    },
  };
  return lateness;
}
