import { isCreatingAgents } from '../../../spec/index.ts';
import type { Call } from '../../call.ts';
import { originOf } from '../../store/overlay.ts';
import type { Store } from '../../store/store.ts';

/** Agents that requests made after the one with this id. */
export function madeAfter(store: Store, id: string): readonly string[] {
  const { agents } = store.created();
  const place = agents.indexOf(id);
  if (place < 0) return [];
  return agents.slice(place + 1);
}

/** Whether a request to the creation's endpoint made something before. */
export function hasMadeOne({ endpoint }: Pick<Call, 'endpoint'>, store: Store): boolean {
  if (!isCreatingAgents(endpoint)) return store.created().workspaces.length > 0;
  const origin = originOf(endpoint);
  return store.created().agents.some((id) => store.agent(id)?.origin === origin);
}
