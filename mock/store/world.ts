import { personaNames, type PersonaName } from '../../fixtures/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import { MockError } from '../mock-error.ts';

export interface World {
  readonly seed: number;
  readonly persona: PersonaName;
}

export const worldOf = ({ seed, persona }: World): World => ({ seed, persona });

export const isSameWorld = (one: World, other: World): boolean =>
  one.seed === other.seed && one.persona === other.persona;

/** Why no data can be generated from a seed and a persona, as a sentence; `undefined` if it can. */
export function whyNoWorld({ seed, persona }: Readonly<Record<keyof World, unknown>>): string | undefined {
  if (typeof seed !== 'number' || !Number.isSafeInteger(seed) || seed < 0)
    return `seed is ${JSON.stringify(seed)}; it must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`;
  if (personaNames.some((name) => name === persona)) return undefined;
  const meant = didYouMean(String(persona).slice(0, 100), personaNames);
  return `There is no persona ${JSON.stringify(persona)}. There are ${personaNames.join(', ')}.${meant}`;
}

/** @throws MockError that says what a seed or a persona must be. */
export function checkWorld(world: World): World {
  const why = whyNoWorld(world);
  if (why !== undefined) throw new MockError(why);
  return world;
}
