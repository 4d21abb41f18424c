import type { ConversationResult, SchemaError } from '../../spec/index.ts';
import { withFields, type JsonObject } from '../../text/json.ts';
import type { Mode } from '../call.ts';
import { MockError } from '../mock-error.ts';
import { newResults } from '../store/new-results.ts';
import { wrongWith, wrongWithResult } from '../store/resource-errors.ts';
import { ownOrigin } from '../store/store.ts';
import type { Running } from './running.ts';

type AgentFlags = Partial<Record<'isPublished' | 'isArchived' | 'isClosed', boolean>>;

export interface Edits extends ReturnType<typeof createEdits> {}

const UNKNOWN_TOKEN =
  'The mock does not know this token. It prints its tokens when it starts, and GET /__admin/target lists them.';

/** Changes to the data of a session by hand, for which the service has no operations. */
export function createEdits(session: Running) {
  const { id, clock, beginning } = session;
  const { room, tokens } = beginning;

  const now = (): string => new Date(clock.now()).toISOString();
  const checkRoom = (size: number): void => {
    const refusal = room.refusal(id, size);
    if (refusal !== undefined) throw new MockError(refusal);
  };
  /** Counts what is written by hand. @throws MockError if there is no room. */
  const counted = (value: JsonObject): JsonObject => {
    const { length } = JSON.stringify(value);
    checkRoom(length);
    room.take(id, length);
    return value;
  };
  return {
    /** Sets flags of an agent; `isPublished` publishes or unpublishes it. False if there is no such agent. */
    setAgent(agentId: string, { isPublished, ...flags }: AgentFlags): boolean {
      const { store } = session;
      if (isPublished !== undefined) store.publish(agentId, isPublished ? now() : undefined);
      const stored = store.agent(agentId);
      if (!stored) return false;
      if (Object.keys(flags).length > 0)
        store.putAgent(agentId, { ...stored.agent, ...flags, updatedAt: now() }, ownOrigin(stored));
      return true;
    },
    /** Sets flags of a workspace; false if there is no such workspace. */
    setWorkspace(workspaceId: string, flags: { readonly isSuspended: boolean }): boolean {
      const workspace = session.store.workspace(workspaceId);
      if (workspace) session.store.putWorkspace(workspaceId, { ...workspace, ...flags, updatedAt: now() });
      return workspace !== undefined;
    },
    /** Sets the mode of a token for one agent; false if there is no such agent. @throws MockError for an unknown token. */
    setMode(agentId: string, mode: Mode, token: string): boolean {
      if (!tokens.has(token)) throw new MockError(UNKNOWN_TOKEN);
      if (!['guest', 'read', 'write'].includes(mode))
        throw new MockError(`A mode must be guest, read or write; this is ${JSON.stringify(mode)}.`);
      if (!session.store.agent(agentId)) return false;
      session.store.setMode(token, agentId, mode);
      return true;
    },
    /** Adds a number of generated results, the newest created now, or the given ones. @throws MockError @returns their ids. */
    addResults(agentId: string, results: number | readonly Partial<ConversationResult>[]): readonly string[] {
      checkRoom(0);
      const added = newResults(session.store, agentId, results, clock.now());
      session.store.addResults(agentId, added.toReversed());
      for (const result of added) room.take(id, JSON.stringify(result).length);
      return added.map((result) => result.id ?? '');
    },
    /** Replaces an agent under its id. If it does not match its schema, returns the errors and changes nothing. */
    replaceAgent(agentId: string, agent: JsonObject): readonly SchemaError[] | undefined {
      const stored = session.store.agent(agentId);
      if (!stored) return undefined;
      const errors = wrongWith('agent-in-response', agentId, agent);
      const value = { ...agent, id: agentId, updatedAt: now() };
      if (errors.length === 0) session.store.putAgent(agentId, counted(value), ownOrigin(stored));
      return errors;
    },
    /** As for an agent. Another `createdAt` moves the result in time. */
    replaceResult(agentId: string, resultId: string, result: JsonObject): readonly SchemaError[] | undefined {
      const { store } = session;
      if (!store.result(agentId, resultId)) return undefined;
      const errors = wrongWithResult(resultId, result);
      if (errors.length > 0) return errors;
      const value = counted({ ...result, id: resultId, updatedAt: now() });
      store.removeResult(agentId, resultId);
      store.addResults(agentId, [value]);
      return errors;
    },
    /** As for an agent. */
    replaceWorkspace(workspaceId: string, workspace: JsonObject): readonly SchemaError[] | undefined {
      if (!session.store.workspace(workspaceId)) return undefined;
      const errors = wrongWith('workspace', workspaceId, workspace);
      const value = { ...workspace, id: workspaceId, updatedAt: now() };
      if (errors.length === 0) session.store.putWorkspace(workspaceId, counted(value));
      return errors;
    },
    /** Copies an agent, unpublished and under a marked name. Returns the id of the copy; `undefined` for an unknown agent. */
    duplicateAgent(agentId: string): string | undefined {
      const stored = session.store.agent(agentId);
      if (!stored) return undefined;
      const copyId = session.store.newId('agent');
      const name = typeof stored.agent['name'] === 'string' ? `${stored.agent['name']} (copy)` : undefined;
      const fresh = { name, isPublished: false, publicId: undefined, publishedAt: undefined };
      const copy = withFields(stored.agent, { ...fresh, id: copyId, createdAt: now(), updatedAt: now() });
      session.store.putAgent(copyId, counted(copy), 'create');
      return copyId;
    },
  };
}
