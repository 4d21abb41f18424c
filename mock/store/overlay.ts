import type { IdentifierKind } from '../../fixtures/index.ts';
import { endpoints, type ConversationResult, type NewAgentEndpoint } from '../../spec/index.ts';
import type { JsonObject } from '../../text/json.ts';

/** The access of a caller to an agent (section 3). */
export type Mode = 'guest' | 'read' | 'write';

/** The origin of an agent: the generated universe, a request, a file, or the upstream. */
export type Origin = 'universe' | 'create' | 'import' | 'seed' | 'upstream';

export function originOf(endpoint: NewAgentEndpoint): 'create' | 'import' {
  if (endpoints[endpoint].does === 'imports') return 'import';
  return 'create';
}

export interface StoredAgent {
  readonly agent: JsonObject;
  readonly origin: Origin;
}

/** An agent as JSON, read when it is asked for: what thousands of them hold would take long to collect. */
export class PackedAgent implements StoredAgent {
  readonly origin: Origin;
  readonly #text: string;
  #agent: JsonObject | undefined;

  constructor(text: string, origin: Origin) {
    this.#text = text;
    this.origin = origin;
  }

  get agent(): JsonObject {
    this.#agent ??= JSON.parse(this.#text) as JsonObject;
    return this.#agent;
  }

  toJSON(): StoredAgent {
    return { agent: this.agent, origin: this.origin };
  }
}

export interface Overlay {
  /** `undefined` for one that was removed from below. */
  readonly agents: Map<string, StoredAgent | undefined>;
  readonly published: Map<string, JsonObject | undefined>;
  readonly results: Map<string, readonly ConversationResult[]>;
  /** Identifiers of an agent's results that were removed from below. */
  readonly removedResults: Map<string, readonly string[]>;
  /** `undefined` for one that was removed from below. */
  readonly workspaces: Map<string, JsonObject | undefined>;
  /** What was learned: workspaces by id, and results of an agent by its id and `results`. */
  readonly learned: Set<string>;
  /** Modes by agent and token, as {@link pairKey}. */
  readonly modes: Map<string, Mode>;
  readonly counters: Map<IdentifierKind, number>;
}

export interface Base extends Overlay {
  readonly ids: ReadonlySet<string>;
}

/** An overlay as JSON. Removed things, and the published forms of unpublished agents, are `null`. */
export type OverlayJson = Readonly<ReturnType<typeof overlayToJson>>;

/** The overlay as a base. It must not change any more. */
export function asBase(overlay: Overlay): Base {
  const ids = new Set([...overlay.agents.keys(), ...overlay.workspaces.keys()]);
  for (const results of overlay.results.values())
    for (const { id = '', lastChatSessionId = '' } of results) ids.add(id).add(lastChatSessionId);
  for (const published of overlay.published.values())
    if (typeof published?.['id'] === 'string') ids.add(published['id']);
  return { ...overlay, ids };
}

/** A copy that shares every value; its cost depends only on what was written. Without an overlay, an empty one. */
export const copyOverlay = (overlay: Partial<Overlay> = {}): Overlay => ({
  agents: new Map(overlay.agents),
  published: new Map(overlay.published),
  results: new Map(overlay.results),
  removedResults: new Map(overlay.removedResults),
  workspaces: new Map(overlay.workspaces),
  learned: new Set(overlay.learned),
  modes: new Map(overlay.modes),
  counters: new Map(overlay.counters),
});

export function overlayToJson(overlay: Overlay) {
  const orNull = <T>(things: ReadonlyMap<string, T | undefined>): Record<string, T | null> =>
    Object.fromEntries(Array.from(things, ([id, thing]) => [id, thing ?? null]));
  return {
    agents: orNull(overlay.agents),
    published: orNull(overlay.published),
    results: Object.fromEntries(overlay.results),
    removedResults: Object.fromEntries(overlay.removedResults),
    workspaces: orNull(overlay.workspaces),
    learned: [...overlay.learned],
    modes: Object.fromEntries(overlay.modes),
    counters: Object.fromEntries(overlay.counters),
  };
}

const present = <T>(things: Readonly<Record<string, T | null>>): Map<string, T | undefined> =>
  new Map(Object.entries(things).map(([id, thing]) => [id, thing ?? undefined]));

export const overlayFromJson = (json: OverlayJson): Overlay => ({
  agents: present(json.agents),
  published: present(json.published),
  results: new Map(Object.entries(json.results)),
  removedResults: new Map(Object.entries(json.removedResults)),
  workspaces: present(json.workspaces),
  learned: new Set(json.learned),
  modes: new Map(Object.entries(json.modes)),
  counters: new Map(Object.entries(json.counters) as [IdentifierKind, number][]),
});

/** What is read under each identifier, without those that have nothing. */
export const readEach = <T>(ids: readonly string[], read: (id: string) => T | undefined): Readonly<Record<string, T>> =>
  Object.fromEntries(
    ids.flatMap((id) => {
      const value = read(id);
      if (value === undefined) return [];
      return [[id, value] as const];
    }),
  );

/** Names two things together; no identifier, no token and no endpoint contains a line feed. */
export const pairKey = (one: string, other: string): string => `${one}\n${other}`;
