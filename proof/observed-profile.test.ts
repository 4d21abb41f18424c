import type { Report } from '../conformance/index.ts';
import { profileNames, profiles, type ProfileName } from '../mock/index.ts';
import { gapIds, gaps, type GapId } from '../spec/index.ts';
import { judge } from './target.ts';

/** What cannot be observed of a server with a profile, since other choices of it hide it. All else is. */
const hidden: Readonly<Record<ProfileName, readonly GapId[]>> = {
  default: ['too-large-status'],
  contrarian: [
    'forbidden-status',
    'stored-v5',
    'window-edges',
    'start-end-with-filter',
    'end-edge',
    'interval-meaning',
    'listed-results',
  ],
  trpc: ['too-large-status', 'listed-results'],
  minimal: ['too-large-status', 'start-end-with-filter', 'end-edge', 'interval-meaning'],
};

const reports = new Map<ProfileName, Report>();

beforeAll(async () => {
  // On this machine, so that a large body is sent as well.
  for (const profile of profileNames) reports.set(profile, await judge({ profile }, { baseUrl: 'http://127.0.0.1' }));
}, 60_000);

const observed = (name: ProfileName): Report['observedProfile'] => reports.get(name)?.observedProfile ?? {};

test.each(profileNames)('of a mock with the profile %s, the choices that show are observed as they are', (name) => {
  const shown = gapIds.filter((gap) => !hidden[name].includes(gap));
  expect(observed(name)).toEqual(Object.fromEntries(shown.map((gap) => [gap, profiles[name][gap]])));
  expect(Object.keys(observed(name))).toEqual(shown);
});

const untaken = gapIds.flatMap((gap) =>
  Object.keys(gaps[gap].choices)
    .filter((choice) => profileNames.every((name) => profiles[name][gap] !== choice))
    .map((choice) => [gap, choice] as const),
);

test.each(untaken)('%s: %s, which no built-in profile takes, is observed as it is', async (gap, choice) => {
  const profile = { ...profiles.default, [gap]: choice };
  const { observedProfile } = await judge({ profile }, { baseUrl: 'http://127.0.0.1' });
  expect(observedProfile).toHaveProperty([gap], choice);
});

test('a mock that takes after what was observed is observed to be the same', async () => {
  const profile = { ...profiles.default, ...observed('contrarian') };
  const { observedProfile } = await judge({ profile }, { baseUrl: 'http://127.0.0.1' });
  expect(observedProfile).toMatchObject(observed('contrarian'));
});

test('a large body goes to this machine alone', async () => {
  const { observedProfile } = await judge({});
  expect(observedProfile).not.toHaveProperty('body-limit');
  expect(observedProfile).toHaveProperty('nesting-limit', 'levels-1000');
});
