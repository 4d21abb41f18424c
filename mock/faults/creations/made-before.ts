import type { Call } from '../../call.ts';
import type { Store } from '../../store/store.ts';

/** Agents that requests made after the one with this id. */
export function madeAfter(store: Store, id: string): readonly string[] {
  const { agents } = store.created();
  const place = agents.indexOf(id);
  return place < 0 ? [] : agents.slice(place + 1);
}

/** Whether a request to the creation's endpoint made something before. */
export function hasMadeOne({ endpoint }: Pick<Call, 'endpoint'>, store: Store): boolean {
  if (endpoint === 'create-workspace') return store.created().workspaces.length > 0;
  const origin = endpoint === 'create-agent' ? 'create' : 'import';
  return store.created().agents.some((id) => store.agent(id)?.origin === origin);
}
