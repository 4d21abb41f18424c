import type { Exchange, Report } from '../conformance/index.ts';
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
const exchanges = new Map<ProfileName, readonly Told[]>();

/** What of an exchange is the same on two mocks that make the same choices: identifiers and times aside. */
interface Told {
  readonly begun: number;
  readonly request: string;
  readonly status: number | undefined;
  readonly body: string;
}

const told = ({ begun, method, endpoint, query, caller, answer }: Exchange): Told => ({
  begun,
  request: `${method} ${endpoint} ${query.map(([name]) => name).join('&')} ${caller}`,
  status: answer?.status,
  body: JSON.stringify(kindsOf(answer?.json)),
});

/** The places in a value with the types that are met there; items of an array share one place. */
function kindsOf(value: unknown, place = '', kinds = new Set<string>()): readonly string[] {
  if (place.length > 300) return [];
  if (typeof value !== 'object' || value === null) kinds.add(`${place} ${value === null ? 'null' : typeof value}`);
  else if (Array.isArray(value)) for (const item of value) kindsOf(item, `${place}/*`, kinds);
  else for (const [name, item] of Object.entries(value)) kindsOf(item, `${place}/${name}`, kinds);
  return [...kinds].toSorted();
}

beforeAll(async () => {
  // On this machine, so that a large body is sent as well.
  for (const profile of profileNames) {
    const sent: Exchange[] = [];
    const onExchange = (exchange: Exchange): void => void sent.push(exchange);
    reports.set(profile, await judge({ profile }, { baseUrl: 'http://127.0.0.1', onExchange }));
    exchanges.set(profile, sent.map(told));
  }
});

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

// Of contrarian too much is hidden: other results are listed, and so other pages are asked for.
test.each(['default', 'trpc', 'minimal'] as const)(
  'a mock with what was observed of %s answers the requests of a run as that did',
  async (name) => {
    const again: Exchange[] = [];
    const profile = { ...profiles.default, ...observed(name), 'listed-results': profiles[name]['listed-results'] };
    await judge({ profile }, { baseUrl: 'http://127.0.0.1', onExchange: (exchange) => void again.push(exchange) });
    // Where start, end and interval have no effect, what they would mean does not show.
    const shows = ({ request }: Told): boolean => name !== 'minimal' || !/\b(?:start|interval)\b/.test(request);
    const inOrder = (all: readonly Told[]): readonly Told[] =>
      all.filter(shows).toSorted((one, other) => one.begun - other.begun);
    expect(inOrder(again.map(told))).toEqual(inOrder(exchanges.get(name) ?? []));
  },
);

test('a large body goes to this machine alone', async () => {
  const { observedProfile } = await judge({});
  expect(observedProfile).not.toHaveProperty('body-limit');
  expect(observedProfile).toHaveProperty('nesting-limit', 'levels-1000');
});
