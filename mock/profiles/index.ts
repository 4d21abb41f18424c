import { gapIds, gaps, type Profile } from '../../spec/index.ts';
import { MockError } from '../mock-error.ts';
import { abridged } from '../wording/slips.ts';
import contrarian from './contrarian.json';
import standard from './default.json';
import minimal from './minimal.json';
import trpc from './trpc.json';
import { didYouMean } from '../../text/nearest.ts';

/**
 * Built-in profiles. `default` takes the first choice of every gap, `contrarian` never does, `trpc` behaves like a
 * service built with tRPC's OpenAPI adapter, and `minimal` shows and accepts only what it must.
 */
export const profiles = { default: standard, contrarian, trpc, minimal } as Readonly<Record<ProfileName, Profile>>;

export const profileNames = ['default', 'contrarian', 'trpc', 'minimal'] as const;
export type ProfileName = (typeof profileNames)[number];

/** A built-in profile, or choices for some or all gaps; any other gap takes the default. */
export type ProfileChoice = ProfileName | Partial<Profile>;

/** @throws MockError for an unknown profile, gap or choice. */
export function resolveProfile(profile: ProfileChoice, choices: Partial<Profile> = {}): Profile {
  if (typeof profile === 'string' && !profileNames.includes(profile)) {
    const others = `There are ${profileNames.join(', ')}.${didYouMean(profile, profileNames)}`;
    throw new MockError(`There is no profile ${abridged(profile)}. ${others}`);
  }
  if (typeof profile !== 'string' && (typeof profile !== 'object' || profile === null || Array.isArray(profile)))
    throw new MockError('A profile is an object of gaps and choices, such as {"error-body": "trpc"}.');
  const chosen = typeof profile === 'string' ? profiles[profile] : profile;
  const resolved: Profile = { ...profiles.default, ...chosen, ...choices };
  for (const [gap, choice] of Object.entries(resolved)) {
    const known = gapIds.find((id) => id === gap);
    if (!known) {
      const meant = didYouMean(gap, gapIds);
      throw new MockError(`There is no gap ${abridged(gap)}.${meant} "agent-contract list gaps" lists them all.`);
    }
    const ids = Object.keys(gaps[known].choices);
    if (ids.includes(choice)) continue;
    const all = `It has ${ids.join(', ')}.${didYouMean(choice, ids)}`;
    throw new MockError(`The gap "${gap}" has no choice ${abridged(choice)}. ${all}`);
  }
  return resolved;
}

/** The name of the built-in profile that equals this one; `undefined` if none does. */
export const profileNameOf = (profile: Profile): ProfileName | undefined =>
  profileNames.find((name) => gapIds.every((id) => profiles[name][id] === profile[id]));
