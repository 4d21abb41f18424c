import { statusOfChoice, type ChoiceOf, type GapId, type Profile } from '../../spec/index.ts';
import { accessChoices } from './access.ts';
import { agentChoices } from './agents.ts';
import { dataChoices } from './data.ts';
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
  ...dataChoices,
  // Limits that the specification does not show (section 8).
  'body-limit': { 'ten-megabytes': 10_000_000, 'one-megabyte': 1_000_000 },
  'nesting-limit': { 'levels-1000': 1000, 'levels-100': 100 },
  /** The headers of a 429, which answers one in `RATE` requests; the date is past, so that nobody has to wait. */
  'rate-limit': {
    none: undefined,
    bursts: { 'retry-after': '0' },
    'bursts-until': { 'retry-after': new Date(0).toUTCString() },
    'bursts-alone': {},
  },
} satisfies { readonly [G in GapId]: Readonly<Record<ChoiceOf<G>, unknown>> };

type Choices = typeof choices;

export function chosen<G extends GapId>(profile: Pick<Profile, NoInfer<G>>, gap: G): Choices[G][keyof Choices[G]] {
  const ofGap: Choices[G] = choices[gap];
  return ofGap[profile[gap] as unknown as keyof Choices[G]];
}
