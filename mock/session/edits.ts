import { validate, type SchemaError, type SchemaName } from '../../spec/index.ts';
import { withFields, type Json, type JsonObject } from '../json.ts';
import { MockError } from '../mock-error.ts';
import { noRoom } from './limits/room.ts';
import type { Running } from './running.ts';

/** What is edited by hand, in ways that the API has no operation for. */
export interface Edits {
  /** Puts an agent in the place of one, under its id; what is wrong with it by its schema, and then nothing is changed. */
  replaceAgent(agentId: string, agent: JsonObject): readonly SchemaError[] | undefined;
  /** The same agent once more: unpublished, without its publicId, and called a copy. Its id, or `undefined`. */
  duplicateAgent(agentId: string): string | undefined;
  /** Removes an agent with its published form and its results; false where there is none. */
  removeAgent(agentId: string): boolean;
  /** As with an agent; another `createdAt` moves it in time. */
  replaceResult(agentId: string, resultId: string, result: JsonObject): readonly SchemaError[] | undefined;
  removeResult(agentId: string, resultId: string): boolean;
  /** As with an agent. */
  replaceWorkspace(workspaceId: string, workspace: JsonObject): readonly SchemaError[] | undefined;
  /** Agents that belong to it stay; false where there is none. */
  removeWorkspace(workspaceId: string): boolean;
}

/** What is wrong with an agent, or a workspace, under its id. */
export const wrongWith = (schema: SchemaName, id: string, value: JsonObject): readonly SchemaError[] =>
  validate(schema, { ...value, id });

/** What is wrong with results that are to be added, and may leave out what is filled in; each place begins with `/results`. */
export const wrongWithResults = (results: readonly JsonObject[]): readonly SchemaError[] =>
  results.flatMap((result, i) =>
    [...validate('result', result), ...('createdAt' in result ? wrongInstant(result['createdAt']) : [])].map(
      (error) => ({
        ...error,
        at: `/results/${i}${error.at}`,
      }),
    ),
  );

/** Results are listed in the order of their instants, so that each needs one that can be read. */
function wrongInstant(createdAt: Json | undefined): readonly SchemaError[] {
  if (createdAt !== undefined && (typeof createdAt !== 'string' || !Number.isNaN(Date.parse(createdAt)))) return [];
  return [
    {
      at: '/createdAt',
      keyword: 'format',
      expected: 'an instant such as 2026-05-20T15:30:00Z',
      actual: createdAt === undefined ? 'nothing' : JSON.stringify(createdAt.slice(0, 60)),
      schemaPath: 'urn:agent-contract:result#/properties/createdAt',
    },
  ];
}

/** What is wrong with a result in the place of another. */
export const wrongWithResult = (id: string, result: JsonObject): readonly SchemaError[] => [
  ...wrongWith('result', id, result),
  ...wrongInstant(result['createdAt']),
];

/** How data is edited by hand. `undefined` and false say that there is no such thing. @throws MockError without room. */
export function editsOf(running: Running): Edits {
  const now = (): string => new Date(running.clock.now()).toISOString();
  const written = (value: JsonObject): JsonObject => {
    const { room } = running.beginning;
    const { length } = JSON.stringify(value);
    if (!room.has(running.id, length)) throw new MockError(noRoom(room));
    room.take(running.id, length);
    return value;
  };
  return {
    replaceAgent(agentId, agent) {
      const stored = running.store.agent(agentId);
      if (!stored) return undefined;
      const wrong = wrongWith('agent-in-response', agentId, agent);
      if (wrong.length > 0) return wrong;
      running.store.putAgent(agentId, written({ ...agent, id: agentId, updatedAt: now() }), stored.origin);
      running.store.takeOver(agentId);
      return wrong;
    },
    duplicateAgent(agentId) {
      const stored = running.store.agent(agentId);
      if (!stored) return undefined;
      const id = running.store.newId('agent');
      const name = typeof stored.agent['name'] === 'string' ? `${stored.agent['name']} (copy)` : undefined;
      const fresh = { name, isPublished: false, publicId: undefined, publishedAt: undefined };
      const copy = withFields(stored.agent, { ...fresh, id, createdAt: now(), updatedAt: now() });
      running.store.putAgent(id, written(copy), 'create');
      return id;
    },
    removeAgent(agentId) {
      running.beginning.room.forgot();
      return running.store.removeAgent(agentId);
    },
    replaceResult(agentId, resultId, result) {
      if (!running.store.result(agentId, resultId)) return undefined;
      const wrong = wrongWithResult(resultId, result);
      if (wrong.length === 0)
        running.store.replaceResult(agentId, written({ ...result, id: resultId, updatedAt: now() }));
      return wrong;
    },
    removeResult(agentId, resultId) {
      running.beginning.room.forgot();
      return running.store.removeResult(agentId, resultId);
    },
    replaceWorkspace(workspaceId, workspace) {
      if (!running.store.workspace(workspaceId)) return undefined;
      const wrong = wrongWith('workspace', workspaceId, workspace);
      if (wrong.length === 0)
        running.store.putWorkspace(workspaceId, written({ ...workspace, id: workspaceId, updatedAt: now() }));
      return wrong;
    },
    removeWorkspace(workspaceId) {
      running.beginning.room.forgot();
      return running.store.removeWorkspace(workspaceId);
    },
  };
}
