import type { AgentCreation } from './agents.ts';
import type { Exchange } from '../../http/exchange.ts';

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
