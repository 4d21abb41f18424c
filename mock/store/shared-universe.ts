import { createUniverse, personas, type PersonaName, type Universe, type UniverseOptions } from '../../fixtures/index.ts';
import type { ConversationResult } from '../../spec/index.ts';

/** Universes kept at a time, and results kept of each. */
const MOST_UNIVERSES = 4;
const MOST_RESULTS = 4096;

const universes = new Map<string, Universe>();

export interface SharedUniverseOptions extends Required<Omit<UniverseOptions, 'persona'>> {
  readonly persona: PersonaName;
}

/**
 * The universe of these options. It is a pure function of them and immutable, so every world with the same options
 * shares one, and with it the results that were read before.
 */
export function sharedUniverse(options: SharedUniverseOptions): Universe {
  const { persona, ...rest } = options;
  const key = JSON.stringify([options.seed, options.now, options.identifiers, persona]);
  const known = universes.get(key);
  if (known) return known;
  const made = withResultCache(createUniverse({ ...rest, persona: personas[persona] }));
  makeRoom(universes, MOST_UNIVERSES);
  universes.set(key, made);
  return made;
}

function withResultCache(universe: Universe): Universe {
  const results = new Map<string, ConversationResult>();
  return {
    ...universe,
    result(agent, n) {
      const key = `${agent}.${n}`;
      const known = results.get(key);
      if (known) return known;
      const made = universe.result(agent, n);
      makeRoom(results, MOST_RESULTS);
      results.set(key, made);
      return made;
    },
  };
}

/** Forgets the oldest entry of a map that is full. */
function makeRoom<V>(map: Map<string, V>, most: number): void {
  const oldest = map.size >= most ? map.keys().next() : undefined;
  if (oldest?.done === false) map.delete(oldest.value);
}
