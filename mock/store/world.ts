import { personaNames, type PersonaName } from '../../fixtures/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import { MockError } from '../mock-error.ts';

/** What the data is generated from. */
export interface World {
  readonly seed: number;
  readonly persona: PersonaName;
}

export const worldOf = ({ seed, persona }: World): World => ({ seed, persona });

export const isSameWorld = (one: World, other: World): boolean =>
  one.seed === other.seed && one.persona === other.persona;

/** @throws MockError that says what a seed or a persona must be. */
export function checkWorld(world: World): World {
  const { seed, persona = '' } = world as { readonly seed: number; readonly persona?: string };
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new MockError(
      `seed is ${JSON.stringify(seed)}; it must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`,
    );
  if (!personaNames.some((name) => name === persona))
    throw new MockError(
      `There is no persona ${JSON.stringify(persona)}. There are ${personaNames.join(', ')}.${didYouMean(persona.slice(0, 100), personaNames)}`,
    );
  return world;
}
