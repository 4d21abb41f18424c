import type { PersonaName, Universe, UniverseOptions } from '../../fixtures/index.ts';
import { createUniverse, personas } from '../../fixtures/index.ts';
import type { ConversationResult, Workspace } from '../../spec/index.ts';

/** Most cached universes, and most cached results and workspaces of each. */
const MOST_UNIVERSES = 4;
const MOST_RESULTS = 4096;
const MOST_WORKSPACES = 64;

export interface WorldOptions extends Required<Omit<UniverseOptions, 'persona'>> {
  readonly persona: PersonaName;
}

/** All that have the same options share one, with its cache of results, since each is a pure function of them. */
export function createUniverses(): (options: WorldOptions) => Universe {
  const universes = new Map<string, Universe>();
  return ({ persona, ...options }) => {
    const key = JSON.stringify([options.seed, options.now, options.identifiers, persona]);
    return remembered(universes, key, MOST_UNIVERSES, () =>
      withCache(createUniverse({ ...options, persona: personas[persona] })),
    );
  };
}

function withCache(universe: Universe): Universe {
  const results = new Map<number, ConversationResult>();
  const workspaces = new Map<number, Workspace>();
  return {
    ...universe,
    agentIndex: withLast(universe.agentIndex),
    workspaceIndex: withLast(universe.workspaceIndex),
    // No agent has 2^32 results, and no universe 2^21 agents, so each place has a unique number.
    result: (agent, n) => remembered(results, agent * 2 ** 32 + n, MOST_RESULTS, () => universe.result(agent, n)),
    workspace: (i) => remembered(workspaces, i, MOST_WORKSPACES, () => universe.workspace(i)),
  };
}

/** The index of an identifier. The last one is kept, since most requests ask for the same one several times. */
function withLast(indexOf: (id: string) => number | undefined): typeof indexOf {
  let last: { readonly id: string; readonly index: number | undefined } | undefined;
  return (id) => {
    if (last?.id !== id) last = { id, index: indexOf(id) };
    return last.index;
  };
}

/** What a map has under a key, or what is made for it now, in place of the oldest entry of a full map. */
function remembered<K, V>(map: Map<K, V>, key: K, most: number, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  const oldest = map.size >= most ? map.keys().next() : undefined;
  if (oldest?.done === false) map.delete(oldest.value);
  map.set(key, made);
  return made;
}
