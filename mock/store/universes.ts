import {
  createUniverse,
  personas,
  type PersonaName,
  type Universe,
  type UniverseOptions,
} from '../../fixtures/index.ts';
import type { ConversationResult, Workspace } from '../../spec/index.ts';

/** Most cached universes, and most cached results and workspaces of each. */
const MOST_UNIVERSES = 4;
const MOST_RESULTS = 4096;
const MOST_WORKSPACES = 64;

/** What a universe is generated from. */
export interface WorldOptions extends Required<Omit<UniverseOptions, 'persona'>> {
  readonly persona: PersonaName;
}

/**
 * Universes by their options. Each is a pure function of them and immutable, so all that have the same options share one,
 * with its cache of results.
 */
export function createUniverses(): (options: WorldOptions) => Universe {
  const universes = new Map<string, Universe>();
  return ({ persona, ...options }) => {
    const key = JSON.stringify([options.seed, options.now, options.identifiers, persona]);
    const known = universes.get(key);
    if (known) return known;
    const universe = withCache(createUniverse({ ...options, persona: personas[persona] }));
    makeRoom(universes, MOST_UNIVERSES);
    universes.set(key, universe);
    return universe;
  };
}

function withCache(universe: Universe): Universe {
  const results = new Map<number, ConversationResult>();
  const workspaces = new Map<number, Workspace>();
  /** The agent that was last asked for; most requests ask for the same one several times. */
  let last: { readonly id: string; readonly index: number | undefined } | undefined;
  return {
    ...universe,
    agentIndex(id) {
      if (last?.id !== id) last = { id, index: universe.agentIndex(id) };
      return last.index;
    },
    result(agent, n) {
      // No agent has 2^32 results, and no universe 2^21 agents, so each place has a unique number.
      const key = agent * 2 ** 32 + n;
      const known = results.get(key);
      if (known) return known;
      const made = universe.result(agent, n);
      makeRoom(results, MOST_RESULTS);
      results.set(key, made);
      return made;
    },
    workspace(i) {
      const known = workspaces.get(i);
      if (known) return known;
      const made = universe.workspace(i);
      makeRoom(workspaces, MOST_WORKSPACES);
      workspaces.set(i, made);
      return made;
    },
  };
}

/** Removes the oldest entry of a full map. */
function makeRoom<K, V>(map: Map<K, V>, most: number): void {
  const oldest = map.size >= most ? map.keys().next() : undefined;
  if (oldest?.done === false) map.delete(oldest.value);
}
