import { gapIds, gaps, violationIds, type Profile } from '../spec/index.ts';
import { connectionFaults, isConnectionFault, type ConnectionFault } from './hosts/broken-connections.ts';
import { faultNamed, whyNoFault } from './faults/index.ts';
import type { Fault } from './faults/fault.ts';
import { MockError } from './mock-error.ts';
import { profileNames, profiles, type ProfileName } from './profiles/index.ts';

/** A built-in profile, or answers to some gaps or all; those that are missing are the default profile's. */
export type ProfileChoice = ProfileName | Partial<Profile>;

/** A fault that is switched on: a violation that is committed, or a way in which connections break. */
export interface NamedFault {
  readonly id: string;
  readonly fault: Fault | ConnectionFault;
}

const isProfileName = (name: string): name is ProfileName => profileNames.some((known) => known === name);

/** A value of any kind that a user gave, cut to its beginning. */
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};

/** @throws MockError for an unknown profile, gap or choice. */
export function resolveProfile(profile: ProfileChoice, choices: Partial<Profile> = {}): Profile {
  if (typeof profile === 'string' && !isProfileName(profile))
    throw new MockError(`There is no profile ${shown(profile)}; there are ${profileNames.join(', ')}.`);
  if (typeof profile !== 'string' && (typeof profile !== 'object' || profile === null || Array.isArray(profile)))
    throw new MockError('A profile is an object of gaps and choices, such as {"error-body": "trpc"}.');
  const chosen = typeof profile === 'string' ? profiles[profile] : profile;
  const resolved: Profile = { ...profiles.default, ...chosen, ...choices };
  for (const [gap, choice] of Object.entries(resolved)) {
    const known = gapIds.find((id) => id === gap);
    if (!known) throw new MockError(`There is no gap ${shown(gap)}; "agent-contract list gaps" shows them all.`);
    const ids = Object.keys(gaps[known].choices);
    if (!ids.includes(choice))
      throw new MockError(`The gap "${gap}" has no choice ${shown(choice)}; it has ${ids.join(', ')}.`);
  }
  return resolved;
}

/** @throws MockError for an id that no fault has. */
export function resolveFaults(ids: readonly string[]): readonly NamedFault[] {
  return ids.map((id) => {
    const fault = isConnectionFault(id) ? id : faultNamed(id);
    if (!fault)
      throw new MockError(
        `${whyNoFault(id) ?? `There is no fault ${shown(id)}.`} A fault is the id of a violation ("${violationIds[0] ?? ''}"), or a ` +
          'broken shape ("get-agent-answer-misshapen:/agent/name=wrong-type"), each of them with a trigger where one is ' +
          `wanted ("results-ascending@later-pages"), or one of ${connectionFaults.join(', ')}; ` +
          '"agent-contract list faults" shows them all.',
      );
    return { id, fault };
  });
}
