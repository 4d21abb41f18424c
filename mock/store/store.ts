import { createIdentifiers, type IdentifierFormat, type IdentifierKind, type Universe } from '../../fixtures/index.ts';
import type { ConversationResult, PublicAgent } from '../../spec/index.ts';
import type { JsonObject } from '../call.ts';
import { publicForm } from '../published.ts';

/** Where an agent came from: the generated universe, or a request. */
export type Origin = 'universe' | 'create' | 'import';

export interface StoredAgent {
  readonly agent: JsonObject;
  readonly origin: Origin;
}

/** The results of one agent, newest first, without any of them being generated before it is read. */
export interface Listing {
  readonly count: number;
  /** Epoch milliseconds; never increases with `index`. */
  createdAt(index: number): number;
  at(index: number): ConversationResult;
}

/**
 * The data behind the endpoints: an immutable, lazily generated universe with an overlay of everything written since.
 * Dropping the store drops what was written, and nothing else.
 */
export interface Store {
  readonly universe: Universe;
  /** The identifier of a generated agent. */
  agentId(index: number): string;
  agent(id: string): StoredAgent | undefined;
  /** The published form of an agent; `undefined` while it is not published. */
  publishedAgent(id: string): JsonObject | undefined;
  putAgent(id: string, agent: JsonObject, origin: Origin): void;
  publish(id: string, now: number): boolean;
  unpublish(id: string): boolean;
  results(agentId: string): Listing;
  /** Puts a result at the head of an agent's list. */
  addResult(agentId: string, result: ConversationResult): void;
  workspace(id: string): JsonObject | undefined;
  putWorkspace(id: string, workspace: JsonObject): void;
  /** A public id or slug that no other agent or workspace written since has. */
  isTaken(kind: 'publicId' | 'slug', value: string): boolean;
  /** Identifiers given to what requests created, in order of creation. */
  readonly created: { readonly agents: readonly string[]; readonly workspaces: readonly string[] };
  newId(kind: IdentifierKind): string;
}

/** Places of new things among identifiers; no universe is so large that it uses them. */
const NEW = 0xffff_ffff;

export function createStore(universe: Universe, format: IdentifierFormat): Store {
  const identifiers = createIdentifiers(universe.seed, format);
  const agents = new Map<string, StoredAgent>();
  const published = new Map<string, JsonObject | undefined>();
  const results = new Map<string, ConversationResult[]>();
  const workspaces = new Map<string, JsonObject>();
  const taken = { publicId: new Set<string>(), slug: new Set<string>() };
  const created = { agents: [] as string[], workspaces: [] as string[] };
  const counters = new Map<IdentifierKind, number>();

  const agent = (id: string): StoredAgent | undefined => {
    const written = agents.get(id);
    if (written) return written;
    const index = universe.agentIndex(id);
    return index === undefined ? undefined : { agent: asJson(universe.agent(index)), origin: 'universe' };
  };

  const publishedAgent = (id: string): JsonObject | undefined => {
    if (published.has(id)) return published.get(id);
    const index = universe.agentIndex(id);
    return index === undefined ? undefined : asOptionalJson(universe.publishedAgent(index));
  };

  const workspace = (id: string): JsonObject | undefined => {
    const written = workspaces.get(id);
    if (written) return written;
    const index = universe.workspaceIndex(id);
    return index === undefined ? undefined : asJson(universe.workspace(index));
  };

  const newId = (kind: IdentifierKind): string => {
    const count = counters.get(kind) ?? 0;
    counters.set(kind, count + 1);
    return identifiers.of(kind, NEW, count);
  };

  return {
    universe,
    agentId(index) {
      const { id } = asJson(universe.agent(index)) as { readonly id: string };
      return id;
    },
    agent,
    publishedAgent,
    putAgent(id, value, origin) {
      if (!agents.has(id) && origin !== 'universe') created.agents.push(id);
      agents.set(id, { agent: value, origin });
      const publicId = value['publicId'];
      if (typeof publicId === 'string') taken.publicId.add(publicId);
    },
    publish(id, now) {
      const stored = agent(id);
      if (!stored) return false;
      const at = new Date(now).toISOString();
      const value = { ...stored.agent, isPublished: true, publishedAt: at };
      agents.set(id, { ...stored, agent: value });
      published.set(id, publicForm(value, newId('publicAgent'), at));
      return true;
    },
    unpublish(id) {
      const stored = agent(id);
      if (!stored) return false;
      const { publishedAt: _, ...rest } = stored.agent;
      agents.set(id, { ...stored, agent: { ...rest, isPublished: false } });
      published.set(id, undefined);
      return true;
    },
    results(agentId) {
      const added = results.get(agentId);
      const index = universe.agentIndex(agentId);
      const generated = index === undefined ? 0 : universe.resultCount(index);
      const extra = added?.length ?? 0;
      return {
        count: generated + extra,
        createdAt: (n) =>
          n < extra
            ? Date.parse(added?.[extra - 1 - n]?.createdAt ?? '')
            : universe.resultCreatedAt(index ?? 0, n - extra),
        at: (n) => (n < extra ? added?.[extra - 1 - n] : undefined) ?? universe.result(index ?? 0, n - extra),
      };
    },
    addResult(agentId, result) {
      const added = results.get(agentId);
      if (added) added.push(result);
      else results.set(agentId, [result]);
    },
    workspace,
    putWorkspace(id, value) {
      if (!workspaces.has(id)) created.workspaces.push(id);
      workspaces.set(id, value);
      const slug = value['slug'];
      if (typeof slug === 'string') taken.slug.add(slug);
    },
    isTaken: (kind, value) => taken[kind].has(value),
    created,
    newId,
  };
}

/** A generated resource is plain JSON; only its type, which names the documented fields alone, says less. */
const asJson = (resource: object): JsonObject => resource as unknown as JsonObject;
const asOptionalJson = (resource: PublicAgent | undefined): JsonObject | undefined => resource && asJson(resource);
