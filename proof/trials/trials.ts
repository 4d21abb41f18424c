import { checks, runConformance, type Outcome, type Report } from '../../conformance/index.ts';
import { createMock, profileNames, shapeMutants, type ProfileName } from '../../mock/index.ts';
import { personaNames, type PersonaName } from '../../fixtures/index.ts';
import {
  endpointIds,
  triggerIds,
  triggersOf,
  violationIds,
  violations,
  type EndpointId,
  type TriggerId,
  type ViolationId,
} from '../../spec/index.ts';
import { fraction, seedWord } from '../../fixtures/universe/chance/hash.ts';
import { alsoFailing, claimedBy, expectedOf, outOfReach } from './claims.ts';
import { cleanForeign, explains, faultyForeign, judgeForeign, mustFind, type ForeignTrial } from '../foreign/trials.ts';
import { degenerates } from './degenerates.ts';
import { pairwiseProfiles } from './pairwise.ts';
import { permitted } from '../permitted/index.ts';
import { judge, proofNow } from '../target.ts';

/** One run of the checks against one server, with what must come of it. Plain data, so that it can go to a worker. */
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

/** What came of a trial. */
export interface Verdict {
  /** Ids of the checks that had to fail; for a degenerate server, which only must not be called conformant, none. */
  readonly expected: readonly string[];
  /** Ids of checks that may fail beside them. */
  readonly allowed: readonly string[];
  readonly failed: readonly string[];
  /** Checks that broke, or judged nothing where they must, with the reason. */
  readonly broken: readonly string[];
  readonly judged: number;
  readonly outcome: Outcome;
  /** Whether it came out as it must. */
  readonly holds: boolean;
  /** What the failed checks said, for whoever looks into a trial that does not hold. */
  readonly said: readonly string[];
}

/** Of so many broken shapes one is judged by every check, to see that the others keep silent. */
const SAMPLE = 40;

/** So many faults under another profile than the default are tried whenever the proof runs. */
export const SHARE = 20;
/** Likewise of faults under a trigger. */
export const TRIGGERED_SHARE = 20;
/** Likewise of faults that an onlooker meets in the traffic of others. */
export const FOREIGN_SHARE = 12;
export const SHARE_SEED = 1;

/** Every violation under every trigger that fits it, but for those that a run does not meet. */
export const triggeredTrials = (): readonly Trial[] =>
  violationIds.flatMap((violation) =>
    triggersOf(violation)
      .filter((trigger) => outOfReach(violation, trigger) === undefined)
      .map((trigger): Trial => ({ kind: 'fault', violation, profile: 'default', trigger })),
  );

const under = (profile: ProfileName): readonly Trial[] =>
  violationIds.map((violation): Trial => ({ kind: 'fault', violation, profile }));

/** Some of the trials: the same ones for the same seed. */
export function drawn(trials: readonly Trial[], count: number, seed: number): readonly Trial[] {
  const word = seedWord(seed);
  const ranked = trials.map((trial, i) => ({ trial, rank: fraction(word, i, 0x7219) }));
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ trial }) => trial);
}

/**
 * The trials of the proof: faults, permitted servers, useless ones, broken shapes. Every fault is committed under the
 * default profile; of those under other profiles and under triggers a share, or, where `everything` is asked for, all.
 */
export function allTrials({ everything = false }: { readonly everything?: boolean } = {}): readonly Trial[] {
  const others = profileNames.filter((name) => name !== 'default').flatMap(under);
  const shared = (trials: readonly Trial[], share: number): readonly Trial[] =>
    everything ? trials : drawn(trials, share, SHARE_SEED);
  return [
    ...shared(triggeredTrials(), TRIGGERED_SHARE),
    ...profileNames.map((profile): Trial => ({ kind: 'profile', profile })),
    ...personaNames.map((persona): Trial => ({ kind: 'persona', persona })),
    ...permitted.map(({ does }): Trial => ({ kind: 'permitted', name: does })),
    ...Object.keys(degenerates).map((name): Trial => ({ kind: 'degenerate', name })),
    ...cleanForeign(),
    ...shared(faultyForeign(), FOREIGN_SHARE),
    ...under('default'),
    ...shared(others, SHARE),
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

/**
 * Those of the trials that are about an endpoint, a check, a violation, a trigger, or a violation under a trigger.
 * @returns none where nothing has such an id.
 */
export function about(id: string, trials: readonly Trial[]): readonly Trial[] {
  return trials.filter((trial) => {
    if (trial.kind === 'mutant')
      return [trial.endpoint, `${trial.endpoint}-answer-shape`, `${trial.endpoint}-answer-misshapen`].includes(id);
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

/** Everything that trials can be about. */
export const subjects = (): readonly string[] => [
  ...endpointIds,
  ...checks.map(({ id }) => id),
  ...violationIds,
  ...triggerIds,
];

/** The id of the fault that a trial has committed. */
const faultOf = ({
  violation,
  trigger,
}: {
  readonly violation: ViolationId;
  readonly trigger?: TriggerId | undefined;
}): string => (trigger === undefined ? violation : `${violation}@${trigger}`);

const clientNames = { typed: 'typed client', random: 'random client', pages: 'pages' } as const;

/** Says which trial it is, in a few words. */
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

/** What a trial came to that did not come out as it must, as lines for a reader; none where it did. */
export function shortfall({
  holds,
  expected,
  allowed,
  failed,
  broken,
  outcome,
  judged,
  said,
}: Verdict): readonly string[] {
  if (holds) return [];
  const listed = (ids: readonly string[]): string => (ids.length === 0 ? 'nothing' : [...new Set(ids)].join(', '));
  return [
    `must fail  ${listed(expected)}`,
    ...(allowed.length === 0 ? [] : [`may fail   ${listed(allowed)}`]),
    `failed     ${listed(failed)}`,
    `outcome    ${outcome}, ${judged} judged`,
    ...broken.map((reason) => `broken     ${reason}`),
    ...said,
  ];
}

/** Runs one trial. A fault that changes no byte fails no check, and so does not hold. */
export async function run(trial: Trial): Promise<Verdict> {
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

/** Nothing fails, and under the default profile nothing is left without judgement that need not be. */
async function judgePermitted({ name, profile, seed = 1 }: Extract<Trial, { kind: 'permitted' }>): Promise<Verdict> {
  const one = permitted.find(({ does }) => does === name);
  if (!one) throw new Error(`There is no permitted server "${name}".`);
  const options = { ...one.options, ...(profile === undefined ? {} : { profile }) };
  const report = await judge(options, { seed, ...one.run }, one.wrap);
  const silent = report.checks.flatMap(({ id, status, reason }) =>
    profile === undefined && status === 'not-judged' && one.notJudged?.(id) !== true ? [`${id}: ${reason}`] : [],
  );
  const { broken, holds, ...rest } = verdict(report, []);
  return { ...rest, broken: [...broken, ...silent], holds: holds && silent.length === 0 };
}

/** Whoever only looks on need find nothing, but all that is found must be there. */
function onlooking(report: Report, trial: ForeignTrial): Verdict {
  const may = explains(trial.violation, trial.trigger);
  const allowed = report.checks.map(({ id }) => id).filter(may);
  const must = mustFind(trial);
  const found = verdict(report, [], { allowed, some: must === true });
  if (must !== false || found.failed.length === 0) return found;
  return { ...found, holds: false, broken: ['found, although proof/foreign/missed.json lists it; take it out there'] };
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
  /** Checks that may fail beside those that must. */
  readonly allowed: readonly string[];
  readonly isPossible: boolean;
  /** Whether at least one check must fail. */
  readonly some: boolean;
}

function verdict(
  report: Report,
  expected: readonly string[],
  { allowed = [], isPossible = true, some = false }: Partial<Bounds> = {},
): Verdict {
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
