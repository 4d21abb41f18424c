import { profileNames, profiles, type ProfileName } from '../../mock/index.ts';
import { gapIds, gaps, type GapId, type Profile } from '../../spec/index.ts';
import { compiled } from '../compiled.ts';
import { inWorkers } from '../../prove/in-workers.ts';
import type { Observed, ObservedRun, AnswerOutline } from './observed.ts';

const bounds: readonly GapId[] = ['start-end-with-filter', 'end-edge', 'interval-meaning'];

/** The gaps that cannot be observed under a profile, since its other choices hide them. All others can. */
const hidden: Readonly<Record<ProfileName, readonly GapId[]>> = {
  default: ['too-large-status'],
  contrarian: ['forbidden-status', 'stored-v5', 'window-edges', 'listed-results', ...bounds],
  trpc: ['too-large-status', 'listed-results'],
  minimal: ['too-large-status', ...bounds],
};

/** Requests whose answers depend on hidden choices. */
const hangsOnHidden: Readonly<Record<ProfileName, (outlines: AnswerOutline) => boolean>> = {
  default: () => false,
  // Without a version nobody knows which form an agent has.
  contrarian: ({ isOfV5 }) => isOfV5,
  trpc: () => false,
  // If start, end and interval have no effect, their meaning does not show.
  minimal: ({ request }) => /\b(?:start|interval)\b/.test(request),
};

/** Every choice that no built-in profile has. */
const untaken = gapIds.flatMap((gap) =>
  Object.keys(gaps[gap].choices)
    .filter((choice) => profileNames.every((name) => profiles[name][gap] !== choice))
    .map((choice) => [gap, choice] as const),
);

/** Profiles that cover them all, several at once: each is the default with one of them for a gap. */
const combined = untaken.reduce<readonly Partial<Profile>[]>((all, [gap, choice]) => {
  const place = all.findIndex((one) => !(gap in one));
  return place < 0 ? [...all, { [gap]: choice }] : all.map((one, i) => (i === place ? { ...one, [gap]: choice } : one));
}, []);

/** The observations of each named profile, and of a mock with the observed profile. */
let named: ReadonlyMap<ProfileName, readonly Observed[]>;
let untakenSeen: readonly Observed[];
let elsewhere: Observed | undefined;

beforeAll(async () => {
  const runs: readonly ObservedRun[] = [
    ...profileNames.map((profile): ObservedRun => {
      // Other listed results mean other pages, and therefore other requests and answers.
      const { 'listed-results': listed, 'window-edges': edges } = profiles[profile];
      return { profile, isHere: true, again: { 'listed-results': listed, 'window-edges': edges } };
    }),
    ...combined.map((more): ObservedRun => ({ profile: { ...profiles.default, ...more }, isHere: true })),
    { profile: 'default', isHere: false },
  ];
  const seen = await inWorkers<ObservedRun, readonly Observed[]>(compiled('proof/observed/observed-worker'), runs);
  named = new Map(profileNames.map((name, i) => [name, seen[i] ?? []]));
  untakenSeen = seen.slice(profileNames.length, -1).flat();
  elsewhere = seen.at(-1)?.[0];
});

function observed(name: ProfileName): readonly [Observed, Observed] {
  const [first, again] = named.get(name) ?? [];
  if (!first || !again) throw new Error(`Nothing was observed of ${name}.`);
  return [first, again];
}

describe.each(profileNames)('of a mock with the profile %s', (name) => {
  test('every visible choice is observed correctly', () => {
    const shown = gapIds.filter((gap) => !hidden[name].includes(gap));
    const [{ profile }] = observed(name);
    expect(profile).toEqual(Object.fromEntries(shown.map((gap) => [gap, profiles[name][gap]])));
    expect(Object.keys(profile)).toEqual(shown);
  });

  test('a mock with the observed profile gives the same observations', () => {
    const [first, again] = observed(name);
    expect(again.profile).toMatchObject(first.profile);
  });

  test('a mock with the observed profile gives the same answers to the requests of a run', () => {
    const shown = ({ outlines }: Observed): readonly AnswerOutline[] =>
      outlines.filter((one) => !hangsOnHidden[name](one));
    const [before = [], after] = observed(name).map(shown);
    expect(before.length).toBeGreaterThan(250);
    expect(after).toEqual(before);
  });
});

test.each(untaken)('%s: %s, which no built-in profile has, is observed', (gap, choice) => {
  const place = combined.findIndex((one) => one[gap] === choice);
  const seen: string | undefined = untakenSeen[place]?.profile[gap];
  expect(seen ?? `no observer in conformance/observations recognises ${choice}`).toBe(choice);
});

test('only a local mock gets a large body', () => {
  expect(elsewhere?.profile).not.toHaveProperty('body-limit');
  expect(elsewhere?.profile).toHaveProperty('nesting-limit', 'levels-1000');
});
