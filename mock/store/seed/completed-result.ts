import type { ConversationResult } from '../../../spec/index.ts';
import type { JsonObject } from '../../json.ts';

/** A result that is given in part, with what the service would fill in (section 2.10); `at` is when, unless it says so. */
export function completedResult(
  given: Partial<ConversationResult>,
  agent: JsonObject,
  id: string,
  at: string,
): ConversationResult {
  const createdAt = given.createdAt ?? at;
  const { id: agentId, workspaceId } = agent;
  return {
    ...(typeof agentId === 'string' ? { agentId } : {}),
    ...(typeof workspaceId === 'string' ? { workspaceId } : {}),
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
