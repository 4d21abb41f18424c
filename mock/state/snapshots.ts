import type { ConversationResult, Profile } from '../../spec/index.ts';
import { escapeToken } from '../../spec/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../text/json.ts';
import { MockError } from '../mock-error.ts';
import type { Settings } from '../session/settings.ts';
import { readEach, type Overlay } from '../store/overlay.ts';
import type { Store } from '../store/store.ts';
import type { World } from '../store/world.ts';

/** The state of a clock: stopped at an instant, or running at an offset from the real time. In milliseconds. */
export type ClockState = { readonly frozenAt: number } | { readonly offset: number };

export interface Snapshot {
  readonly overlay: Overlay;
  readonly clock: ClockState;
  /** Missing if it is the world of the mock. */
  readonly world?: World;
}

/** A session at one moment, without its journal. Shares its values with the session. */
export interface SessionState {
  readonly data: Overlay;
  readonly clock: ClockState;
  readonly profile: Profile;
  readonly faults: readonly string[];
  readonly settings: Settings;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  /** Missing if it is the world of the mock. */
  readonly world?: World;
}

/** One step of a JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: Json;
}

/** The steps from one overlay over `store`'s universe to another. */
export function difference(before: Overlay, after: Overlay, storeOf: (overlay: Overlay) => Store) {
  const idsOf = (part: 'agents' | 'published' | 'workspaces') =>
    new Set([...before[part].keys(), ...after[part].keys()]);
  /** Results that were removed or edited in either state. */
  const removed = [before, after].flatMap(({ removedResults }) => [...removedResults]);
  // The documents hold only written data, so their size does not depend on the universe.
  const [from, to] = [before, after].map((overlay) => {
    const store = storeOf(overlay);
    return {
      agents: readEach([...idsOf('agents')], (id) => store.agent(id)?.agent),
      publishedAgents: readEach([...idsOf('published')], (id) => store.publishedAgent(id)),
      results: resultsOf(overlay, store, removed),
      workspaces: readEach([...idsOf('workspaces')], (id) => store.workspace(id)),
    };
  });
  return stepsBetween(from ?? {}, to ?? {}, '');
}

/** The steps from one value to another. A list that differs is replaced as a whole. */
function stepsBetween(before: Json, after: Json, path: string): readonly PatchOperation[] {
  if (!isObject(before) || !isObject(after)) {
    if (before === after || JSON.stringify(before) === JSON.stringify(after)) return [];
    return [{ op: 'replace', path, value: after }];
  }
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): readonly PatchOperation[] => {
    const at = `${path}/${escapeToken(name)}`;
    if (!Object.hasOwn(after, name)) return [{ op: 'remove', path: at }];
    const value = after[name] ?? null;
    if (!Object.hasOwn(before, name)) return [{ op: 'add', path: at, value }];
    return stepsBetween(before[name] ?? null, value, at);
  });
}

/** Added results, and those of the given identifiers that are there, by agent and result. */
function resultsOf({ results }: Overlay, store: Store, more: readonly [string, readonly string[]][]): JsonObject {
  const all = new Map<string, Map<string, Json>>();
  const put = (agentId: string, result: ConversationResult): void => {
    const some = all.get(agentId) ?? new Map<string, Json>();
    all.set(agentId, some.set(result.id ?? '', { ...result } as JsonObject));
  };
  for (const [agentId, added] of results) for (const result of added) put(agentId, result);
  for (const [agentId, ids] of more)
    for (const id of ids) {
      const result = store.result(agentId, id);
      if (result) put(agentId, result);
    }
  return Object.fromEntries(Array.from(all, ([agentId, some]) => [agentId, Object.fromEntries(some)]));
}

const MOST = 100;
/** The most agents, results and workspaces in its snapshots together; a shared list counts once. */
const MOST_THINGS = 2_000_000;

/** @throws MockError if a session cannot keep this many. */
export function checkSnapshots(snapshots: ReadonlyMap<string, Snapshot>): void {
  const oldest = JSON.stringify(snapshots.keys().next().value ?? '');
  const remedy = `Delete one that you no longer need. The oldest is ${oldest}.`;
  if (snapshots.size > MOST) throw new MockError(`A session keeps at most ${MOST} snapshots. ${remedy}`);
  const lists = new Set<{ readonly size: number } | { readonly length: number }>();
  for (const { overlay } of snapshots.values()) {
    const { results, ...maps } = overlay;
    for (const one of [...Object.values(maps), ...results.values()]) lists.add(one);
  }
  const things = [...lists].reduce((sum, one) => sum + ('size' in one ? one.size : one.length), 0);
  if (things <= MOST_THINGS) return;
  const most = `The snapshots of a session hold at most ${MOST_THINGS} agents, results and workspaces together.`;
  throw new MockError(`${most} With this one there would be ${things}. ${remedy}`);
}
