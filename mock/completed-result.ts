import type { ConversationResult } from '../spec/index.ts';

/** A result that is given in part, with what the service would fill in (section 2.10); `at` is when, unless it says so. */
export function completedResult(given: Partial<ConversationResult>, id: string, at: string): ConversationResult {
  const createdAt = given.createdAt ?? at;
  return {
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
