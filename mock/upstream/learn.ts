import type { ConversationResult, EndpointId } from '../../spec/index.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Origin } from '../store/overlay.ts';
import type { Store } from '../store/store.ts';

/** What an upstream has returned. */
export interface Returned {
  readonly endpoint: EndpointId;
  /** The agent that the path names; empty if it names none. */
  readonly agentId: string;
  readonly body: JsonObject;
}

/**
 * Copies what an upstream has returned into a store: agents, published forms, results, workspaces. What is the store's own
 * stays. `origin` says where agents come from that are not there yet. Gives how many results were left out, since their
 * `createdAt` is no instant that the mock can read.
 */
export function learn(store: Store, { endpoint, agentId, body }: Returned, origin: Origin): number {
  const { agent, publicAgent, workspace, results } = body;
  const isOwn = (kind: 'agent' | 'workspace', id: string): boolean => origin === 'upstream' && store.isKnown(kind, id);
  if (isNamed(agent) && !isOwn('agent', agent.id))
    store.putAgent(agent.id, agent, store.agent(agent.id)?.origin ?? origin);
  if (isNamed(workspace) && !isOwn('workspace', workspace.id)) {
    if (origin === 'upstream') store.putLearned(workspace.id, workspace);
    else store.putWorkspace(workspace.id, workspace);
  }
  if (agentId === '' || isOwn('agent', agentId)) return 0;
  if (endpoint === 'get-published-agent' && isObject(publicAgent)) store.putPublished(agentId, publicAgent);
  if (endpoint !== 'list-results' || !Array.isArray(results)) return 0;
  const readable = results.filter(isResult);
  if (readable.length > 0) store.replaceResults(agentId, readable.toReversed());
  return results.length - readable.length;
}

const isNamed = (value: Json | undefined): value is JsonObject & { readonly id: string } =>
  isObject(value) && typeof value['id'] === 'string' && value['id'] !== '' && value['id'].length <= 200;

const isResult = (value: Json): value is JsonObject & ConversationResult =>
  isNamed(value) && typeof value['createdAt'] === 'string' && Number.isFinite(Date.parse(value['createdAt']));
