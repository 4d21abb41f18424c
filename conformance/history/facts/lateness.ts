import { GONE } from '../../http/statuses.ts';
import type { Agents } from './agents.ts';
import { isAnswered, type Exchange } from '../exchange.ts';

/** How long agents that were made could not be read at first. */
export interface Lateness {
  see(exchange: Exchange): void;
  /** From the answer that made one to the first reading that showed it, in milliseconds; `undefined` if each showed at once. */
  readonly longestMs: number | undefined;
}

const MAX_AGENTS = 1000;

export function createLateness(agents: Agents): Lateness {
  const hidden = new Set<string>();
  const shown = new Set<string>();
  let longestMs: number | undefined;
  return {
    get longestMs() {
      return longestMs;
    },
    see(exchange) {
      const { endpoint, caller, agentId, sentAt } = exchange;
      if (endpoint !== 'get-agent' || caller !== 'valid' || agentId === undefined || !isAnswered(exchange)) return;
      const fact = agents.get(agentId);
      // What is not found after it was shown is lost, and not late.
      if (fact?.made === undefined || shown.has(agentId)) return;
      if (GONE.has(exchange.answer.status) && hidden.size < MAX_AGENTS) hidden.add(agentId);
      if (!exchange.answer.accepted) return;
      if (shown.size < MAX_AGENTS) shown.add(agentId);
      // A clock that stands still measures nothing.
      const ms = Math.round(sentAt - fact.madeAt);
      if (hidden.delete(agentId) && ms > 0) longestMs = Math.max(longestMs ?? 0, ms);
    },
  };
}
