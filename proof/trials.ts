import { checks, runConformance, type Outcome, type Report } from '../conformance/index.ts';
import { createMock, profileNames, shapeMutants, type ProfileName } from '../mock/index.ts';
import { personaNames, type PersonaName } from '../fixtures/index.ts';
import { endpointIds, violationIds, type ViolationId } from '../spec/index.ts';
import { degenerates } from './degenerates.ts';
import { pairwiseProfiles } from './pairwise.ts';
import { judge, proofNow } from './target.ts';

/** One run of the checks against one server, with what must come of it. Plain data, so that it can go to a worker. */
export type Trial =
  | { readonly kind: 'fault'; readonly violation: ViolationId; readonly profile: ProfileName }
  | { readonly kind: 'mutant'; readonly mutant: string; readonly endpoint: string; readonly every: boolean }
  | { readonly kind: 'profile'; readonly profile: ProfileName }
  | { readonly kind: 'combination'; readonly index: number }
  | { readonly kind: 'persona'; readonly persona: PersonaName }
  | { readonly kind: 'degenerate'; readonly name: string };

/** What came of a trial. */
export interface Verdict {
  /** Ids of the checks that had to fail; for a degenerate server, which only must not be called conformant, none. */
  readonly expected: readonly string[];
  readonly failed: readonly string[];
  /** Checks that broke, with the reason. */
  readonly broken: readonly string[];
  readonly judged: number;
  readonly outcome: Outcome;
  /** Whether it came out as it must. */
  readonly holds: boolean;
  /** What the failed checks said, for whoever looks into a trial that does not hold. */
  readonly said: readonly string[];
}

/** Of so many broken shapes one is judged by every check, to see that the others keep silent. */
const SAMPLE = 20;

/** All trials of the proof: parts 1 to 3 of it. */
export function allTrials(): readonly Trial[] {
  return [
    ...profileNames.map((profile): Trial => ({ kind: 'profile', profile })),
    ...personaNames.map((persona): Trial => ({ kind: 'persona', persona })),
    ...Object.keys(degenerates).map((name): Trial => ({ kind: 'degenerate', name })),
    ...profileNames.flatMap((profile) =>
      violationIds.map((violation): Trial => ({ kind: 'fault', violation, profile })),
    ),
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

/** The checks that claim to catch a violation. */
export const claimedBy = (violation: ViolationId): readonly string[] =>
  checks
    .filter(({ provenBy, alsoFailsOn }) => [...provenBy, ...(alsoFailsOn ?? [])].includes(violation))
    .map(({ id }) => id);

/** Says which trial it is, in a few words. */
export function nameOf(trial: Trial): string {
  switch (trial.kind) {
    case 'fault':
      return `${trial.violation} under ${trial.profile}`;
    case 'mutant':
      return trial.mutant;
    case 'profile':
      return `no fault under ${trial.profile}`;
    case 'combination':
      return `combination ${trial.index + 1} of choices`;
    case 'persona':
      return `no fault over the persona ${trial.persona}`;
    case 'degenerate':
      return `a server that ${trial.name}`;
  }
}

/** Runs one trial. A fault that changes no byte fails no check, and so does not hold. */
export async function run(trial: Trial): Promise<Verdict> {
  switch (trial.kind) {
    case 'fault': {
      const expected = claimedBy(trial.violation);
      const report = await judge({ profile: trial.profile, faults: [trial.violation] });
      return verdict(report, expected, expected.length > 0);
    }
    case 'mutant': {
      const expected = [`${trial.endpoint}-answer-shape`];
      return verdict(await judge({ faults: [trial.mutant] }, trial.every ? {} : { only: expected }), expected);
    }
    case 'profile':
      return verdict(await judge({ profile: trial.profile }), []);
    case 'combination': {
      const profile = pairwiseProfiles()[trial.index];
      return verdict(await judge(profile ? { profile } : {}), [], profile !== undefined);
    }
    case 'persona':
      return verdict(await judge({ persona: trial.persona, validate: true }), []);
    case 'degenerate': {
      const { expected, ...rest } = verdict(await judgeDegenerate(trial.name), []);
      return { ...rest, expected, holds: rest.broken.length === 0 && rest.outcome !== 'conformant' };
    }
  }
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

function verdict(report: Report, expected: readonly string[], possible = true): Verdict {
  const failures = report.checks.filter(({ status }) => status === 'fail');
  const failed = failures.map(({ id }) => id);
  const broken = report.checks.flatMap(({ id, status, reason }) => (status === 'error' ? [`${id}: ${reason}`] : []));
  const judged = report.counts.pass + report.counts.fail;
  const exact = failed.toSorted().join() === expected.toSorted().join();
  return {
    expected,
    failed,
    broken,
    judged,
    outcome: report.outcome,
    holds: possible && exact && broken.length === 0 && judged > 0,
    said: failures.map(
      ({ id, failure }) => `${id}: expected ${failure?.expected}; met ${failure?.actual} at ${failure?.at ?? '-'}`,
    ),
  };
}
