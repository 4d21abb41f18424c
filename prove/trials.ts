import { checks, runConformance, type Outcome, type Report } from '../conformance/index.ts';
import { createMock, profileNames, profiles, shapeMutants, type ProfileName } from '../mock/index.ts';
import { personaNames, type PersonaName } from '../fixtures/index.ts';
import {
  endpointIds,
  gapIds,
  triggerIds,
  triggersOf,
  violationIds,
  violations,
  type EndpointId,
  type Profile,
  type TriggerId,
  type ViolationId,
} from '../spec/index.ts';
import { fraction, seedWord } from '../fixtures/universe/chance/hash.ts';
import { alsoFailing, claimedBy, expectedOf, outOfReach } from './claims.ts';
import { cleanForeign, explains, faultyForeign, judgeForeign, mustFind, type ForeignTrial } from './foreign/trials.ts';
import { degenerates } from './degenerates.ts';
import { pairwiseProfiles } from './pairwise.ts';
import { permitted } from './permitted/index.ts';
import { judge, proofNow } from './target.ts';

/** One run of the checks against one server, with its expected result. Plain data, so that a worker can receive it. */
export type Trial =
  | {
      readonly kind: 'fault';
      readonly violation: ViolationId;
      readonly profile: ProfileName;
      readonly trigger?: TriggerId;
    }
  | { readonly kind: 'mutant'; readonly mutant: string; readonly endpoint: EndpointId; readonly every: boolean }
  | { readonly kind: 'profile'; readonly profile: ProfileName }
  | { readonly kind: 'combination'; readonly index: number }
  | { readonly kind: 'persona'; readonly persona: PersonaName }
  | { readonly kind: 'permitted'; readonly name: string; readonly profile?: ProfileName; readonly seed?: number }
  | { readonly kind: 'degenerate'; readonly name: string }
  | ForeignTrial;

/** The result of a trial. */
export interface TrialVerdict {
  /** Ids of the checks that had to fail; none for a degenerate server, which only must not be conformant. */
  readonly expected: readonly string[];
  /** Ids of other checks that may fail. */
  readonly allowed: readonly string[];
  readonly failed: readonly string[];
  /** Checks that broke, or did not judge although they must, with the reason. */
  readonly broken: readonly string[];
  readonly judged: number;
  readonly outcome: Outcome;
  /** Whether the result is as expected. */
  readonly holds: boolean;
  /** The findings of the failed checks, to explain an unexpected result. */
  readonly said: readonly string[];
}

/** For one in this many broken shapes every check runs, to see that the others stay silent. */
const SAMPLE = 40;

/** The number of faults under profiles other than the default in each proof. */
export const SHARE = 20;
/** The same for faults under a trigger. */
export const TRIGGERED_SHARE = 20;
/** The same for faults in foreign traffic. */
export const FOREIGN_SHARE = 12;
export const SHARE_SEED = 1;

/** Every violation under every trigger that fits, except those that a run does not reach. */
export const triggeredTrials = (): readonly Trial[] =>
  violationIds.flatMap((violation) =>
    triggersOf(violation)
      .filter((trigger) => outOfReach(violation, trigger) === undefined)
      .map((trigger): Trial => ({ kind: 'fault', violation, profile: 'default', trigger })),
  );

const under = (profile: ProfileName): readonly Trial[] =>
  violationIds.map((violation): Trial => ({ kind: 'fault', violation, profile }));

/** A sample of the trials, determined by the seed. */
export function drawn(trials: readonly Trial[], count: number, seed: number): readonly Trial[] {
  const word = seedWord(seed);
  const ranked = trials.map((trial, i) => ({ trial, rank: fraction(word, i, 0x7219) }));
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ trial }) => trial);
}

/**
 * The trials of the proof: faults, permitted servers, useless ones, broken shapes. Every fault is tried under the
 * default profile. Of those under other profiles and triggers, a share is tried, or all with `everything`.
 */
export function allTrials({ everything = false }: { readonly everything?: boolean } = {}): readonly Trial[] {
  const others = profileNames.filter((name) => name !== 'default').flatMap(under);
  const share = (trials: readonly Trial[], count: number): readonly Trial[] => {
    if (everything) return trials;
    return drawn(trials, count, SHARE_SEED);
  };
  return [
    ...share(triggeredTrials(), TRIGGERED_SHARE),
    ...profileNames.map((profile): Trial => ({ kind: 'profile', profile })),
    ...personaNames.map((persona): Trial => ({ kind: 'persona', persona })),
    ...[...permitted.keys()].map((name): Trial => ({ kind: 'permitted', name })),
    ...Object.keys(degenerates).map((name): Trial => ({ kind: 'degenerate', name })),
    ...cleanForeign(),
    ...share(faultyForeign(), FOREIGN_SHARE),
    ...under('default'),
    ...share(others, SHARE),
    ...pairwiseProfiles().map((_, index): Trial => ({ kind: 'combination', index })),
    ...endpointIds.flatMap((endpoint) =>
      shapeMutants(endpoint).map(({ id }, index): Trial => ({
        kind: 'mutant',
        mutant: id,
        endpoint,
        every: index % SAMPLE === 0,
      })),
    ),
  ];
}

/** `npm test` runs one in this many trials of each kind. */
const ONE_IN = 10;

/** The trials in two parts. The first holds one in ten of each kind, the first of each kind among them. */
export function inTwoParts(trials: readonly Trial[]): {
  readonly first: readonly Trial[];
  readonly rest: readonly Trial[];
} {
  const met = new Map<Trial['kind'], number>();
  const isFirst = trials.map(({ kind }) => {
    const place = met.get(kind) ?? 0;
    met.set(kind, place + 1);
    return place % ONE_IN === 0;
  });
  return { first: trials.filter((_, i) => isFirst[i]), rest: trials.filter((_, i) => !isFirst[i]) };
}

/**
 * The trials about an endpoint, a check, a violation, a trigger, a violation under a trigger, a gap, or a persona. Those
 * about a gap are without a fault, under profiles whose choice for it is not the default.
 * @returns none if nothing has such an id
 */
export function about(id: string, trials: readonly Trial[]): readonly Trial[] {
  return trials.filter((trial) => {
    if (trial.kind === 'mutant')
      return [trial.endpoint, `${trial.endpoint}-answer-shape`, `${trial.endpoint}-answer-misshapen`].includes(id);
    if (trial.kind === 'profile') return choosesOtherwise(profiles[trial.profile], id);
    if (trial.kind === 'persona') return trial.persona === id;
    if (trial.kind === 'combination') return choosesOtherwise(pairwiseProfiles()[trial.index], id);
    if (trial.kind !== 'fault' && trial.kind !== 'foreign') return false;
    const { violation, trigger } = trial;
    if (violation === undefined) return false;
    return (
      [violation, trigger, faultOf({ violation, trigger })].includes(id) ||
      violations[violation].at.some((endpoint) => endpoint === id) ||
      [...claimedBy(violation), ...alsoFailing(violation)].includes(id)
    );
  });
}

function choosesOtherwise(profile: Profile | undefined, id: string): boolean {
  const gap = gapIds.find((one) => one === id);
  return gap !== undefined && profile !== undefined && profile[gap] !== profiles.default[gap];
}

/** All ids that trials can be about. */
export const subjects = (): readonly string[] => [
  ...endpointIds,
  ...checks.map(({ id }) => id),
  ...violationIds,
  ...triggerIds,
  ...gapIds,
  ...personaNames,
];

/** The id of the fault in a trial. */
const faultOf = ({
  violation,
  trigger,
}: {
  readonly violation: ViolationId;
  readonly trigger?: TriggerId | undefined;
}): string => {
  if (trigger === undefined) return violation;
  return `${violation}@${trigger}`;
};

const clientNames = { typed: 'typed client', random: 'random client', pages: 'pages', fuzzer: 'fuzzer' } as const;

/** Describes a trial in a few words. */
export function nameOf(trial: Trial): string {
  switch (trial.kind) {
    case 'fault':
      return `${faultOf(trial)} under ${trial.profile}`;
    case 'foreign':
      return `${trial.violation === undefined ? 'no fault' : faultOf({ ...trial, violation: trial.violation })} under ${trial.profile}, met by the ${clientNames[trial.client]}${trial.seed === undefined ? '' : ` ${trial.seed}`}`;
    case 'mutant':
      return trial.mutant;
    case 'profile':
      return `no fault under ${trial.profile}`;
    case 'combination':
      return `combination ${trial.index + 1} of choices`;
    case 'persona':
      return `no fault over the persona ${trial.persona}`;
    case 'permitted':
    case 'degenerate':
      return `a server that ${trial.name}`;
  }
}

/** What was unexpected in a trial's result, as lines of text; empty if nothing was. */
export function shortfall({
  holds,
  expected,
  allowed,
  failed,
  broken,
  outcome,
  judged,
  said,
}: TrialVerdict): readonly string[] {
  if (holds) return [];
  const listed = (ids: readonly string[]): string => (ids.length === 0 ? 'nothing' : [...new Set(ids)].join(', '));
  const mayFail = allowed.length === 0 ? [] : [`may fail   ${listed(allowed)}`];
  return [
    `must fail  ${listed(expected)}`,
    ...mayFail,
    `failed     ${listed(failed)}`,
    `outcome    ${outcome}, ${judged} judged`,
    ...broken.map((reason) => `broken     ${reason}`),
    ...said,
  ];
}

/** Runs one trial. A fault that changes no byte fails no check, so its trial fails. */
export async function runTrial(trial: Trial): Promise<TrialVerdict> {
  switch (trial.kind) {
    case 'fault': {
      const { violation, profile, trigger } = trial;
      const { must, may, some } = expectedOf(violation, trigger, profile);
      const report = await judge({ profile, faults: [faultOf(trial)] });
      return verdict(report, must, { allowed: may, isPossible: claimedBy(violation).length > 0, some });
    }
    case 'foreign':
      return onlooking(await judgeForeign(trial), trial);
    case 'mutant': {
      const expected = [`${trial.endpoint}-answer-shape`];
      return verdict(await judge({ faults: [trial.mutant] }, trial.every ? {} : { only: expected }), expected);
    }
    case 'profile':
      return verdict(await judge({ profile: trial.profile }), []);
    case 'combination': {
      const profile = pairwiseProfiles()[trial.index];
      return verdict(await judge(profile ? { profile } : {}), [], { isPossible: profile !== undefined });
    }
    case 'persona':
      return verdict(await judge({ persona: trial.persona, validate: true }), []);
    case 'permitted':
      return judgePermitted(trial);
    case 'degenerate': {
      const { expected, ...rest } = verdict(await judgeDegenerate(trial.name), []);
      return { ...rest, expected, holds: rest.broken.length === 0 && rest.outcome !== 'conformant' };
    }
  }
}

/** Nothing may fail. Under the default profile nothing may be unjudged, with a few exceptions. */
async function judgePermitted({
  name,
  profile,
  seed = 1,
}: Extract<Trial, { kind: 'permitted' }>): Promise<TrialVerdict> {
  const one = permitted.get(name);
  if (!one) throw new Error(`There is no permitted server "${name}".`);
  const options = { ...one.options, profile };
  const report = await judge(options, { seed, ...one.run }, one.wrap);
  const silent = report.checks.flatMap(({ id, status, reason }) =>
    profile === undefined && status === 'not-judged' && one.notJudged?.(id) !== true ? [`${id}: ${reason}`] : [],
  );
  const { broken, holds, ...rest } = verdict(report, []);
  return { ...rest, broken: [...broken, ...silent], holds: holds && silent.length === 0 };
}

/** Foreign traffic need not reveal a fault, but every finding must be real. */
function onlooking(report: Report, trial: ForeignTrial): TrialVerdict {
  const may = explains(trial.violation, trial.trigger);
  const allowed = report.checks.map(({ id }) => id).filter(may);
  const must = mustFind(trial);
  const found = verdict(report, [], { allowed, some: must === true });
  const isFound = found.failed.length > 0;
  if (must === undefined || must === isFound) return found;
  const why = isFound
    ? 'found, although prove/foreign/missed.json lists it; take it out there'
    : 'not found; where the requests of prove/foreign/typed-client.ts cannot show it, list it in prove/foreign/missed.json';
  return { ...found, holds: false, broken: [...found.broken, why] };
}

function judgeDegenerate(name: string): Promise<Report> {
  const transport = degenerates[name];
  if (!transport) throw new Error(`There is no degenerate server "${name}".`);
  return runConformance({
    baseUrl: 'http://degenerate.test',
    ...createMock({ now: proofNow, frozen: true }).target,
    transport,
    seed: 1,
    now: proofNow,
    sleep: () => Promise.resolve(),
  });
}

interface Bounds {
  /** Other checks that may fail. */
  readonly allowed: readonly string[];
  readonly isPossible: boolean;
  /** Whether at least one check must fail. */
  readonly some: boolean;
}

function verdict(
  report: Report,
  expected: readonly string[],
  { allowed = [], isPossible = true, some = false }: Partial<Bounds> = {},
): TrialVerdict {
  const failures = report.checks.filter(({ status }) => status === 'fail');
  const failed = failures.map(({ id }) => id);
  const broken = report.checks.flatMap(({ id, status, reason }) => (status === 'error' ? [`${id}: ${reason}`] : []));
  const judged = report.counts.pass + report.counts.fail;
  const isExact =
    expected.every((id) => failed.includes(id)) && failed.every((id) => expected.includes(id) || allowed.includes(id));
  return {
    expected,
    allowed,
    failed,
    broken,
    judged,
    outcome: report.outcome,
    holds: isPossible && isExact && (!some || failed.length > 0) && broken.length === 0 && judged > 0,
    said: failures.map(
      ({ id, failure }) => `${id}: expected ${failure?.expected}; met ${failure?.actual} at ${failure?.at ?? '-'}`,
    ),
  };
}
