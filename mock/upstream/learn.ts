import { endpoints, type ConversationResult } from '../../spec/index.ts';
import type { Call } from '../call.ts';
import { isObject, type Json, type JsonObject } from '../../text/json.ts';
import type { Origin } from '../store/overlay.ts';
import type { Store } from '../store/store.ts';

/** Copies an answer into a store, and replaces none of its own. @returns how many results it cannot read, and leaves out */
export function learn(
  store: Store,
  { endpoint, agentId }: Pick<Call, 'endpoint' | 'agentId'>,
  body: JsonObject,
  origin: Origin,
): number {
  const { agent, publicAgent, workspace, results } = body;
  const { holds } = endpoints[endpoint];
  const isOwn = (kind: 'agent' | 'workspace', id: string): boolean => origin === 'upstream' && store.isKnown(kind, id);
  if (isNamed(agent) && !isOwn('agent', agent.id))
    store.putAgent(agent.id, agent, store.agent(agent.id)?.origin ?? origin);
  const from = origin === 'upstream' ? origin : undefined;
  if (isNamed(workspace) && !isOwn('workspace', workspace.id)) store.putWorkspace(workspace.id, workspace, from);
  if (agentId === '' || isOwn('agent', agentId)) return 0;
  if (holds === 'publicAgent' && isObject(publicAgent)) store.putPublished(agentId, publicAgent);
  if (holds !== 'results' || !Array.isArray(results)) return 0;
  const readable = results.filter(
    (one): one is JsonObject & ConversationResult =>
      isNamed(one) && typeof one['createdAt'] === 'string' && Number.isFinite(Date.parse(one['createdAt'])),
  );
  if (readable.length > 0) store.addResults(agentId, readable.toReversed(), 'upstream');
  return results.length - readable.length;
}

const isNamed = (value: Json | undefined): value is JsonObject & { readonly id: string } =>
  isObject(value) && typeof value['id'] === 'string' && value['id'] !== '' && value['id'].length <= 200;
