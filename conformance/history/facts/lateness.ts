import { isReadingAgent } from '../../../spec/index.ts';
import { GONE } from '../../http/statuses.ts';
import type { AgentCreation, Agents } from './agents.ts';
import { isAnswered, type Exchange } from '../../http/exchange.ts';

const MAX_AGENTS = 1000;
/** Milliseconds that a new agent or workspace may take until every replica finds it. */
export const MAX_LAG_MS = 3000;

/** Whether what a creation made was so new when a request was sent that its denial shows nothing yet. */
export function isWithinLag(
  creation: Pick<AgentCreation, 'answeredAt'> | undefined,
  { sentAt }: Pick<Exchange, 'sentAt'>,
): boolean {
  return creation !== undefined && sentAt - creation.answeredAt <= MAX_LAG_MS;
}

/** The same where the clock goes: a stopped one shows no lag. */
export const isLagging = (creation: AgentCreation | undefined, exchange: Exchange): boolean =>
  isWithinLag(creation, exchange) && exchange.sentAt !== creation?.answeredAt;

export function createLateness(agents: Agents) {
  const hidden = new Map<string, number>();
  const shown = new Set<string>();
  const lateness = {
    /**
     * The longest time for which a new agent could not be read, in milliseconds from the answer that made it: it lies between the
     * last denial and the first reading. `undefined` if each showed at once.
     */
    longest: undefined as { readonly deniedMs: number; readonly readMs: number } | undefined,
    see(exchange: Exchange): void {
      const { endpoint, caller, agentId, sentAt } = exchange;
      if (!isReadingAgent(endpoint) || caller !== 'valid' || agentId === undefined || !isAnswered(exchange)) return;
      const creation = agents.creationOf(agentId);
      // An agent that disappears after a reading is lost, not late.
      if (!creation || shown.has(agentId)) return;
      const ms = Math.round(sentAt - creation.answeredAt);
      if (GONE.has(exchange.answer.status) && hidden.size < MAX_AGENTS) hidden.set(agentId, ms);
      if (!exchange.answer.accepted) return;
      if (shown.size < MAX_AGENTS) shown.add(agentId);
      const deniedMs = hidden.get(agentId);
      // A stopped clock measures nothing.
      if (deniedMs === undefined || ms <= 0 || deniedMs < (lateness.longest?.deniedMs ?? 0)) return;
      lateness.longest = { deniedMs, readMs: ms };
    },
  };
  return lateness;
}
