import type { Profile } from '../../spec/index.ts';
import contrarian from './contrarian.json';
import standard from './default.json';
import minimal from './minimal.json';
import trpc from './trpc.json';

/**
 * Built-in profiles. `default` takes the first choice of every gap, `contrarian` another one everywhere, `trpc` behaves
 * as a service built with tRPC's OpenAPI adapter does, `minimal` shows and accepts only what must be.
 */
export const profiles = { default: standard, contrarian, trpc, minimal } as Readonly<Record<ProfileName, Profile>>;

export type ProfileName = 'default' | 'contrarian' | 'trpc' | 'minimal';
export const profileNames = ['default', 'contrarian', 'trpc', 'minimal'] as const satisfies readonly ProfileName[];
