import type { ConversationResult } from '../../../spec/index.ts';
import type { JsonObject } from '../../../text/json.ts';

/** A partial result, completed as the service would (section 2.10); `at` is its default time. */
export function completedResult(given: Partial<ConversationResult>, agent: JsonObject, id: string, at: string) {
  const createdAt = given.createdAt ?? at;
  const { id: agentId, workspaceId } = agent;
  const owners = Object.entries({ agentId, workspaceId }).filter(([, owner]) => typeof owner === 'string');
  return {
    ...Object.fromEntries(owners),
    hasStarted: true,
    isCompleted: false,
    variables: [],
    answers: [],
    updatedAt: createdAt,
    ...given,
    createdAt,
    id: given.id ?? id,
  };
}
