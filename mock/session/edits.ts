import { validate, type SchemaError, type SchemaName } from '../../spec/index.ts';
import { withFields, type Json, type JsonObject } from '../json.ts';
import { MockError } from '../mock-error.ts';
import type { Running } from './running.ts';

/** Edits of data for which the service has no operation. */
export interface Edits {
  /** Replaces an agent under its id. If it does not match its schema, returns the errors and changes nothing. */
  replaceAgent(agentId: string, agent: JsonObject): readonly SchemaError[] | undefined;
  /**
   * Copies an agent: unpublished, without publicId, with a name that marks the copy. Returns its id, or `undefined` for
   * an unknown agent.
   */
  duplicateAgent(agentId: string): string | undefined;
  /** Removes an agent with its published form and its results; false if there is no such agent. */
  removeAgent(agentId: string): boolean;
  /** As for an agent. Another `createdAt` moves the result in time. */
  replaceResult(agentId: string, resultId: string, result: JsonObject): readonly SchemaError[] | undefined;
  removeResult(agentId: string, resultId: string): boolean;
  /** As for an agent. */
  replaceWorkspace(workspaceId: string, workspace: JsonObject): readonly SchemaError[] | undefined;
  /** Its agents stay; false if there is no such workspace. */
  removeWorkspace(workspaceId: string): boolean;
}

/** The errors in an agent, or a workspace, under its id. */
export const wrongWith = (schema: SchemaName, id: string, value: JsonObject): readonly SchemaError[] =>
  validate(schema, { ...value, id });

/** The errors in results to be added, which may leave out what is filled in; each place begins with `/results`. */
export const wrongWithResults = (results: readonly JsonObject[]): readonly SchemaError[] =>
  results.flatMap((result, i) => {
    const errors = [...validate('result', result)];
    if ('createdAt' in result) errors.push(...wrongInstant(result['createdAt']));
    return errors.map((error) => ({ ...error, at: `/results/${i}${error.at}` }));
  });

/** Results are ordered by their instants, so each needs a readable one. */
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

/** The errors in a result that is to replace another. */
export const wrongWithResult = (id: string, result: JsonObject): readonly SchemaError[] => [
  ...wrongWith('result', id, result),
  ...wrongInstant(result['createdAt']),
];

/**
 * Edits data by hand. `undefined` and false mean that there is no such thing. @throws MockError if there is no room.
 */
export function editsOf(running: Running): Edits {
  const now = (): string => new Date(running.clock.now()).toISOString();
  const written = (value: JsonObject): JsonObject => {
    const { room } = running.beginning;
    const { length } = JSON.stringify(value);
    const refusal = room.refusal(running.id, length);
    if (refusal !== undefined) throw new MockError(refusal);
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
    removeAgent: (agentId) => running.store.removeAgent(agentId),
    replaceResult(agentId, resultId, result) {
      if (!running.store.result(agentId, resultId)) return undefined;
      const wrong = wrongWithResult(resultId, result);
      if (wrong.length === 0)
        running.store.replaceResult(agentId, written({ ...result, id: resultId, updatedAt: now() }));
      return wrong;
    },
    removeResult: (agentId, resultId) => running.store.removeResult(agentId, resultId),
    replaceWorkspace(workspaceId, workspace) {
      if (!running.store.workspace(workspaceId)) return undefined;
      const wrong = wrongWith('workspace', workspaceId, workspace);
      if (wrong.length === 0)
        running.store.putWorkspace(workspaceId, written({ ...workspace, id: workspaceId, updatedAt: now() }));
      return wrong;
    },
    removeWorkspace: (workspaceId) => running.store.removeWorkspace(workspaceId),
  };
}
