import { checks, type Report } from '../conformance/index.ts';
import { profileNames, profiles, shapeMutants, type ProfileName } from '../mock/index.ts';
import { personaNames, type PersonaName } from '../fixtures/index.ts';
import type { EndpointId, Profile, TriggerId, ViolationId } from '../spec/index.ts';
import { endpointIds, endpoints, gapIds, triggerIds, triggersOf, violationIds, violations } from '../spec/index.ts';
import { endpointsOf, premisesOf } from '../conformance/history/premises.ts';
import { fraction, seedWord } from '../fixtures/universe/chance/hash.ts';
import { alsoFailing, claimedBy, expectedOf, faultOf, isOutOfReach } from './claims.ts';
import { cleanForeign, explains, faultyForeign, judgeForeign, mustFind, type ForeignTrial } from './foreign/trials.ts';
import { deadAt, deaths, degenerates } from './degenerates.ts';
import { pairwiseProfiles } from './pairwise.ts';
import { permitted } from './permitted/index.ts';
import type { Permitted, Wrap } from './permitted/server.ts';
import { judge } from './target.ts';

/** One run of the checks against one server, with its expected result. Plain data, so that a worker can receive it. */
export type Trial =
  | {
      readonly kind: 'fault';
      readonly violation: ViolationId;
      readonly profile: ProfileName;
      readonly trigger?: TriggerId;
      /** The seed of the run, where it is not the usual one. */
      readonly seed?: number;
    }
  | { readonly kind: 'mutant'; readonly mutant: string; readonly endpoint: EndpointId; readonly every: boolean }
  | { readonly kind: 'profile'; readonly profile: ProfileName }
  | { readonly kind: 'combination'; readonly number: number }
  | { readonly kind: 'persona'; readonly persona: PersonaName }
  | { readonly kind: 'permitted'; readonly name: string }
  | { readonly kind: 'stack'; readonly number: number }
  | { readonly kind: 'degenerate'; readonly name: string }
  | { readonly kind: 'dead'; readonly endpoint: EndpointId; readonly death: string }
  | ForeignTrial;

export type TrialVerdict = ReturnType<typeof verdict>;

/** What also fails if the answer that makes an agent shows a broken member that no request sent: later answers have none. */
const INVENTED: Partial<Record<EndpointId, readonly string[]>> = {
  'create-agent': ['created-agent-reads-as-answered'],
  'import-agent': ['imported-agent-reads-as-answered'],
};

/** For one in this many broken shapes every check runs, to see that the others stay silent. */
const SAMPLE = 40;

/** The number of faults in each proof: under profiles other than the default, under a trigger, and in foreign traffic. */
const SHARES = { profiles: 20, triggers: 20, foreign: 12, stacks: 12 };

/** Every violation under every trigger that fits, except those that a run does not reach. */
export const triggeredTrials = (): readonly TrialOf<'fault'>[] =>
  violationIds.flatMap((violation) =>
    triggersOf(violation)
      .filter((trigger) => !isOutOfReach(violation, trigger))
      .map((trigger) => ({ kind: 'fault', violation, profile: 'default', trigger }) as const),
  );

/** Every violation, committed always, under each of these seeds: what a run draws may not decide whether it is found. */
export const seededTrials = (seeds: readonly number[]): readonly TrialOf<'fault'>[] =>
  seeds.flatMap((seed) =>
    violationIds.map((violation) => ({ kind: 'fault', violation, profile: 'default', seed }) as const),
  );

/** A sample of the trials, determined by the seed. */
export function drawn<T>(trials: readonly T[], count: number, seed = 1): readonly T[] {
  const word = seedWord(seed);
  const ranked = trials.map((trial, i) => ({ trial, rank: fraction(word, i, 0x7219) }));
  const sorted = ranked.toSorted((a, b) => a.rank - b.rank);
  return sorted.slice(0, count).map(({ trial }) => trial);
}

type TrialOf<K extends Trial['kind']> = Extract<Trial, { kind: K }>;

/** Draws some of the trials, or takes all. */
type Share = <T>(trials: readonly T[], count: number) => readonly T[];

interface Kind<T> {
  /** Every trial, or those of a share. */
  readonly all: readonly T[] | ((share: Share) => readonly T[]);
  /** A few words about a trial, with its members in braces. */
  readonly name: string | ((trial: T) => string);
  /** The ids that a trial is about, with its members in braces, or whether it is about an id. Default: none. */
  readonly about?: readonly string[] | ((trial: T, id: string) => boolean);
  readonly run: (trial: T) => Promise<TrialVerdict>;
}

const kinds: { readonly [K in Trial['kind']]: Kind<TrialOf<K>> } = {
  fault: {
    all(share) {
      const under = (profile: ProfileName) =>
        violationIds
          .filter((violation) => !isOutOfReach(violation, profile))
          .map((violation) => ({ kind: 'fault', violation, profile }) as const);
      const others = profileNames.filter((name) => name !== 'default');
      return [
        ...share(triggeredTrials(), SHARES.triggers),
        ...under('default'),
        ...share(others.flatMap(under), SHARES.profiles),
      ];
    },
    name({ violation, trigger, profile, seed }) {
      const under = seed === undefined ? profile : `${profile} with the seed ${seed}`;
      return `${faultOf(violation, trigger)} under ${under}`;
    },
    about: isAboutFault,
    run: async (trial) => caught(trial, await committing([trial], trial)),
  },
  profile: {
    all: profileNames.map((profile) => ({ kind: 'profile', profile })),
    name: 'no fault under {profile}',
    about: isAboutGap,
    run: onProfile,
  },
  persona: {
    all: personaNames.map((persona) => ({ kind: 'persona', persona })),
    name: 'no fault over the persona {persona}',
    about: ['{persona}'],
    run: async ({ persona }) => verdict(await judge({ persona, validate: true }), []),
  },
  permitted: {
    all: [...permitted.keys()].map((name) => ({ kind: 'permitted', name })),
    name: 'a server that {name}',
    run: ({ name }) => onPermitted(serverNamed(name)),
  },
  stack: {
    all: (share) =>
      share(
        Array.from({ length: 120 }, (_, i) => ({ kind: 'stack', number: i + 1 }) as const),
        SHARES.stacks,
      ),
    name: ({ number }) => `a server that ${stackOf(number).names.join(', and ')}, in stack ${number}`,
    async run({ number }) {
      const { names, ...world } = stackOf(number);
      const servers = names.map(serverNamed);
      const options = Object.assign(world, ...servers.map((server) => server.options));
      const run = Object.assign({ seed: number }, ...servers.map((server) => server.run));
      const wrap: Wrap = (transport) => servers.reduce((inner, one) => one.wrap?.(inner) ?? inner, transport);
      const found = verdict(await judge(options, run, wrap), []);
      // Together they may leave nothing to judge.
      return { ...found, holds: found.failed.length === 0 };
    },
  },
  degenerate: {
    all: Object.keys(degenerates).map((name) => ({ kind: 'degenerate', name })),
    name: 'a server that {name}',
    async run({ name }) {
      const transport = degenerates[name];
      if (!transport) throw new Error(`There is no degenerate server "${name}".`);
      const found = verdict(await judge({}, {}, () => transport), []);
      return { ...found, holds: found.broken.length === 0 && found.outcome !== 'conformant' };
    },
  },
  dead: {
    all: endpointIds.flatMap((endpoint) =>
      Object.keys(deaths).map((death) => ({ kind: 'dead', endpoint, death }) as const),
    ),
    name: 'a server whose {endpoint} {death}',
    about: ['{endpoint}', '{endpoint}-does-not-fail'],
    /** One check fails, of the endpoint. Nothing passes that rests on it, and nothing else fails. */
    async run({ endpoint, death }) {
      // Only lists need many results.
      const persona = endpoints[endpoint].does === 'lists' ? 'demo' : 'tiny';
      const report = await judge({ persona }, {}, deadAt(endpoint, death));
      const passing = report.checks.filter(
        ({ id, endpoint: of, status }) => status === 'pass' && endpointsOf(id, of).includes(endpoint),
      );
      const [failure, refusal] = [`${endpoint}-does-not-fail`, premisesOf('', endpoint)[1] ?? ''];
      const found = verdict(report, [/answers 40/.test(death) ? refusal : failure]);
      const broken = [...found.broken, ...passing.map(({ id }) => `${id} passes`)];
      return { ...found, broken, holds: found.holds && broken.length === 0 };
    },
  },
  foreign: {
    all: (share) => [...cleanForeign(), ...share(faultyForeign(), SHARES.foreign)],
    name({ violation, trigger, profile, client, seed = '' }) {
      const fault = violation === undefined ? 'no fault' : faultOf(violation, trigger);
      return `${fault} under ${profile}, met by the ${clientNames[client]} ${seed}`.trimEnd();
    },
    about: isAboutFault,
    run: onlooking,
  },
  combination: {
    all: () => pairwiseProfiles().map((_, i) => ({ kind: 'combination', number: i + 1 })),
    name: 'combination {number} of choices',
    about: isAboutGap,
    run: onProfile,
  },
  mutant: {
    all: () =>
      endpointIds.flatMap((endpoint) =>
        shapeMutants(endpoint).map(
          ({ id }, index) => ({ kind: 'mutant', mutant: id, endpoint, every: index % SAMPLE === 0 }) as const,
        ),
      ),
    name: '{mutant}',
    about: ['{endpoint}', '{endpoint}-answer-shape', '{endpoint}-answer-misshapen'],
    async run({ mutant, endpoint, every }) {
      const expected = [`${endpoint}-answer-shape`];
      const report = await judge({ faults: [mutant] }, { only: every ? undefined : expected });
      return verdict(report, expected, { allowed: INVENTED[endpoint] });
    },
  },
};

function profileOf(trial: TrialOf<'profile' | 'combination'>): Profile | undefined {
  if (trial.kind === 'profile') return profiles[trial.profile];
  return pairwiseProfiles()[trial.number - 1];
}

async function onProfile(trial: TrialOf<'profile' | 'combination'>): Promise<TrialVerdict> {
  const profile = profileOf(trial);
  return verdict(await judge({ profile }), [], { isPossible: profile !== undefined });
}

function serverNamed(name: string): Permitted {
  const server = permitted.get(name);
  if (!server) throw new Error(`There is no permitted server "${name}".`);
  return server;
}

/** Some permitted servers over each other, and the choices and the persona below them, the same each time. */
function stackOf(number: number) {
  const word = seedWord(number);
  const draw = <T>(of: readonly T[], use: number): T => of[Math.floor(fraction(word, use) * of.length)] as T;
  const all = [...permitted.keys()];
  const names = [draw(all, 1), draw(all, 2), draw(all, 3)].slice(number % 3);
  const persona = draw(['demo', 'demo', ...personaNames], 5);
  // What changes the clock or the sleep of the run leaves no time to what comes late, and denies in a way of its own.
  const timed = names.find((name) => serverNamed(name).run);
  if (timed !== undefined) return { names: [timed], persona };
  return { names, persona, profile: draw([profiles.default, ...pairwiseProfiles()], 4) };
}

/** Nothing may fail, and nothing may be unjudged, with a few exceptions. */
async function onPermitted(server: Permitted): Promise<TrialVerdict> {
  const report = await judge(server.options ?? {}, { seed: 1, ...server.run }, server.wrap);
  const silent = report.checks
    .filter(({ id, status }) => status === 'not-judged' && server.notJudged?.test(id) !== true)
    .map(({ id, reason }) => `${id}: ${reason}`);
  const found = verdict(report, []);
  const broken = [...found.broken, ...silent, ...(await notStrictly(server))];
  // One that accepts nothing is judged by nothing.
  return { ...found, broken, holds: found.failed.length === 0 && broken.length === 0 };
}

/** How a strict verdict on a permitted server differs from the one that it must get. */
async function notStrictly({ strictly, options = {}, run, wrap }: Permitted): Promise<readonly string[]> {
  if (!strictly) return [];
  const { checks: all } = await judge(options, { seed: 1, ...run, strict: true }, wrap);
  const failed = all.filter(({ status }) => status === 'fail').map(({ id }) => id);
  if (failed.toSorted().join() === strictly.toSorted().join()) return [];
  return [`strictly, ${listed(failed)} failed, and not ${listed(strictly)}`];
}

const listed = (ids: readonly string[]): string => [...new Set(ids)].join(', ') || 'nothing';

const clientNames = { typed: 'typed client', random: 'random client', pages: 'pages', fuzzer: 'fuzzer' } as const;

/** The kind of a trial: the table has the right one for each. */
const kindOf = ({ kind }: Trial): Kind<Trial> => kinds[kind] as Kind<Trial>;

/**
 * The trials of the proof: faults, permitted servers, useless ones, broken shapes. Every fault is tried under the
 * default profile. Of those under other profiles and triggers, a share is tried, or all with `everything`.
 */
export function allTrials({ everything = false }: { readonly everything?: boolean } = {}): readonly Trial[] {
  const share: Share = everything ? (trials) => trials : drawn;
  return Object.values(kinds).flatMap<Trial>(({ all }) => (typeof all === 'function' ? all(share) : all));
}

/** `npm test` runs one in this many trials of each kind. */
const ONE_IN = 20;

/** The trials in two parts. The first holds one in twenty of each kind, the first of each kind among them. */
export function inTwoParts(trials: readonly Trial[]) {
  const byKind = Object.keys(kinds).map((kind) => trials.filter((trial) => trial.kind === kind));
  return {
    first: byKind.flatMap((some) => some.filter((_, place) => place % ONE_IN === 0)),
    rest: byKind.flatMap((some) => some.filter((_, place) => place % ONE_IN > 0)),
  };
}

/**
 * The trials about an endpoint, a check, a violation, a trigger, a violation under a trigger, a gap, or a persona. Those
 * about a gap are without a fault, under profiles whose choice for it is not the default.
 * @returns none if nothing has such an id
 */
export const about = (id: string, trials: readonly Trial[]): readonly Trial[] =>
  trials.filter((trial) => {
    const { about: subject = [] } = kindOf(trial);
    if (typeof subject === 'function') return subject(trial, id);
    return subject.some((template) => filledIn(template, trial) === id);
  });

function isAboutFault({ violation, trigger }: FaultTrial | ForeignTrial, id: string): boolean {
  if (violation === undefined) return false;
  const committedAt: readonly string[] = violations[violation].at;
  const fault = [violation, trigger, faultOf(violation, trigger)];
  return [...fault, ...committedAt, ...claimedBy(violation), ...alsoFailing(violation)].includes(id);
}

function isAboutGap(trial: TrialOf<'profile' | 'combination'>, id: string): boolean {
  const gap = gapIds.find((one) => one === id);
  return gap !== undefined && profileOf(trial)?.[gap] !== profiles.default[gap];
}

export const subjects = (): readonly string[] => [
  ...endpointIds,
  ...checks.map(({ id }) => id),
  ...violationIds,
  ...triggerIds,
  ...gapIds,
  ...personaNames,
];

/** Describes a trial in a few words. */
export function nameOf(trial: Trial): string {
  const { name } = kindOf(trial);
  if (typeof name === 'function') return name(trial);
  return filledIn(name, trial);
}

/** A text with members of a trial in place of their names in braces. */
const filledIn = (text: string, trial: Trial): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, member: string) => String(new Map(Object.entries(trial)).get(member)));

/** The trials in groups, each for one run: alone, or faults that have neither an endpoint nor a check in common. */
export function inRuns(trials: readonly Trial[]): readonly (readonly Trial[])[] {
  const faults = trials.filter((trial) => trial.kind === 'fault');
  const runs: (readonly Trial[])[] = trials.filter(({ kind }) => kind !== 'fault').map((trial) => [trial]);
  const servers = new Map<string, { readonly of: Trial[]; readonly taken: Set<string> }[]>();
  for (const trial of faults) {
    const server = `${trial.profile} ${trial.seed}`;
    const ofServer = servers.get(server) ?? [];
    servers.set(server, ofServer);
    const { violation } = trial;
    const takes = [...violations[violation].at, ...claimedBy(violation), ...alsoFailing(violation)];
    let run = ofServer.find(({ taken }) => takes.every((name) => !taken.has(name)));
    if (!run) {
      run = { of: [], taken: new Set() };
      ofServer.push(run);
      runs.push(run.of);
    }
    run.of.push(trial);
    for (const name of takes) run.taken.add(name);
  }
  return runs;
}

/** The verdicts on a group: of faults by one run, and on each half of it if anything there was unexpected. */
export async function runTrials(trials: readonly Trial[]): Promise<readonly TrialVerdict[]> {
  const [first, second] = trials;
  if (!first) return [];
  if (!second) return [await kindOf(first).run(first)];
  const faults = trials.filter((trial) => trial.kind === 'fault');
  const [fault] = faults;
  const report = fault && (await committing(faults, fault));
  const verdicts = report ? faults.map((one) => caught(one, report, faults)) : [];
  if (verdicts.length === trials.length && verdicts.every(({ holds }) => holds)) return verdicts;
  const half = trials.length >> 1;
  return [...(await runTrials(trials.slice(0, half))), ...(await runTrials(trials.slice(half)))];
}

type FaultTrial = TrialOf<'fault'>;

const committing = (trials: readonly FaultTrial[], { profile, seed = 1 }: FaultTrial): Promise<Report> =>
  judge({ profile, faults: trials.map(({ violation, trigger }) => faultOf(violation, trigger)) }, { seed });

/** The verdict on one fault of a run. What fails for another is not counted, and what fails for none is counted for each. */
function caught(trial: FaultTrial, report: Report, together: readonly FaultTrial[] = []): TrialVerdict {
  const { must, may, some } = expectedOf(trial);
  const own = [...must, ...may];
  const others = together.map(expectedOf).flatMap((one) => [...one.must, ...one.may]);
  const theirs = others.filter((id) => !own.includes(id));
  const counted = report.checks.filter(({ id, status }) => status !== 'fail' || !theirs.includes(id));
  // A fault that changes no byte fails no check, so its trial fails.
  const isPossible = claimedBy(trial.violation).length > 0;
  return verdict({ ...report, checks: counted }, must, { allowed: may, isPossible, some });
}

/** What was unexpected in a trial's result, as lines of text; empty if nothing was. */
export function shortfall({ holds, outcome, judged, said, ...checked }: TrialVerdict): readonly string[] {
  if (holds) return [];
  const lines = [`must fail  ${listed(checked.expected)}`];
  if (checked.allowed.length > 0) lines.push(`may fail   ${listed(checked.allowed)}`);
  return [
    ...lines,
    `failed     ${listed(checked.failed)}`,
    `outcome    ${outcome}, ${judged} judged`,
    ...checked.broken.map((reason) => `broken     ${reason}`),
    ...said,
  ];
}

/** Foreign traffic need not reveal a fault, but every finding must be real. */
async function onlooking(trial: ForeignTrial): Promise<TrialVerdict> {
  const report = await judgeForeign(trial);
  const allowed = report.checks.map(({ id }) => id).filter((id) => explains(trial, id));
  const must = mustFind(trial);
  const found = verdict(report, [], { allowed, some: must === true });
  if (must === undefined || must === found.failed.length > 0) return found;
  const why = must
    ? 'not found; where the requests of prove/foreign/typed-client.ts cannot show it, list it in prove/foreign/missed.json'
    : 'found, although prove/foreign/missed.json lists it; take it out there';
  return { ...found, holds: false, broken: [...found.broken, why] };
}

/** `allowed` names other checks that may fail; with `some`, at least one check must. */
function verdict(
  report: Report,
  expected: readonly string[],
  { allowed = [] as readonly string[], isPossible = true, some = false } = {},
) {
  const failures = report.checks.filter(({ status }) => status === 'fail');
  const failed = failures.map(({ id }) => id);
  const broken = report.checks.flatMap(({ id, status, reason }) => (status === 'error' ? [`${id}: ${reason}`] : []));
  const judged = report.counts.pass + report.counts.fail;
  const isExact =
    expected.every((id) => failed.includes(id)) && failed.every((id) => expected.includes(id) || allowed.includes(id));
  return {
    /** Ids of the checks that had to fail; none for a degenerate server, which only must not be conformant. */
    expected,
    /** Ids of other checks that may fail. */
    allowed,
    failed,
    /** Checks that broke, or did not judge although they must, with the reason. */
    broken,
    judged,
    outcome: report.outcome,
    holds: isPossible && isExact && (!some || failed.length > 0) && broken.length === 0 && judged > 0,
    /** The findings of the failed checks, to explain an unexpected result. */
    said: failures.map(
      ({ id, failure }) => `${id}: expected ${failure?.expected}; met ${failure?.actual} at ${failure?.at ?? '-'}`,
    ),
  };
}
