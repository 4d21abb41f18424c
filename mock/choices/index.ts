import { statusOfChoice, type ChoiceOf, type GapId, type Profile } from '../../spec/index.ts';
import { accessChoices } from './access.ts';
import { agentChoices } from './agents.ts';
import { errorBody } from './error-body.ts';
import { listingChoices } from './listing.ts';
import { renderingChoices } from './rendering.ts';

/** The implementation of every choice of every gap; a gap or choice without one does not compile. */
export const choices = {
  ...statusOfChoice,
  'error-body': errorBody,
  ...accessChoices,
  ...agentChoices,
  ...listingChoices,
  ...renderingChoices,
  // Limits that the specification does not show (section 8).
  'body-limit': { 'ten-megabytes': 10_000_000, 'one-megabyte': 1_000_000 },
  'nesting-limit': { 'levels-1000': 1000, 'levels-100': 100 },
  /** One in this many requests is answered 429; 0 means none. */
  'rate-limit': { none: 0, bursts: 23 },
} satisfies { readonly [G in GapId]: Readonly<Record<ChoiceOf<G>, unknown>> };

type Choices = typeof choices;

export function chosen<G extends GapId>(profile: Pick<Profile, NoInfer<G>>, gap: G): Choices[G][keyof Choices[G]] {
  const ofGap: Choices[G] = choices[gap];
  return ofGap[profile[gap] as unknown as keyof Choices[G]];
}
