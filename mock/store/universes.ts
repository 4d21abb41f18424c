import type { PersonaName, Universe, UniverseOptions } from '../../fixtures/index.ts';
import { createUniverse, personas } from '../../fixtures/index.ts';
import { cached } from '../../fixtures/universe/cached.ts';

/** Most cached universes, and most cached results and workspaces of each. */
const MOST_UNIVERSES = 4;
const MOST_RESULTS = 4096;
const MOST_WORKSPACES = 64;

export interface WorldOptions extends Required<Omit<UniverseOptions, 'persona'>> {
  readonly persona: PersonaName;
}

/** All that have the same options share one, with its cache of results, since each is a pure function of them. */
export function createUniverses(): (options: WorldOptions) => Universe {
  const universeOf = cached(MOST_UNIVERSES, (key: string) => {
    const { persona, ...options } = JSON.parse(key) as WorldOptions;
    return withCache(createUniverse({ ...options, persona: personas[persona] }));
  });
  return ({ seed, now, identifiers, persona }) => universeOf(JSON.stringify({ seed, now, identifiers, persona }));
}

function withCache(universe: Universe): Universe {
  // No agent has 2^32 results, and no universe 2^21 agents, so each place has a unique number.
  const resultAt = cached(MOST_RESULTS, (at: number) => universe.result(Math.floor(at / 2 ** 32), at % 2 ** 32));
  return {
    ...universe,
    // Most requests ask for the same identifier several times.
    agentIndex: cached(1, universe.agentIndex),
    workspaceIndex: cached(1, universe.workspaceIndex),
    result: (agent, n) => resultAt(agent * 2 ** 32 + n),
    workspace: cached(MOST_WORKSPACES, universe.workspace),
  };
}
