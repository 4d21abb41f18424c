import { briefOf, placesOf } from './findings.ts';
import type { CheckReport, Observation, Report, Status } from './report.ts';

/** One check with different results in two runs. */
export interface CheckChange {
  readonly id: string;
  readonly title: string;
  /** Absent if the run did not have the check. */
  readonly before?: Status;
  readonly after?: Status;
  /** From the later run: the failure, or why the check was not judged. */
  readonly says?: string;
  /** From the earlier run, if that differs. */
  readonly said?: string;
}

export interface ObservationChange {
  readonly gap: Observation['gap'];
  readonly section: string;
  readonly question: string;
  /** The choice, or what was seen if it is not a known one; absent if nothing was observed. */
  readonly before?: string;
  readonly after?: string;
}

/** The lists of changed checks. */
export interface CheckChanges {
  readonly newlyFailing: readonly CheckChange[];
  /** Judged before, and not now: also checks that no longer run, and those in which the runner broke. */
  readonly newlyNotJudged: readonly CheckChange[];
  /** Failed before, passes now. */
  readonly fixed: readonly CheckChange[];
  /** Still fails, but at another place or in another way. */
  readonly failingDifferently: readonly CheckChange[];
  /** Passes now, and was not judged, or did not run, before. */
  readonly newlyPassing: readonly CheckChange[];
}

/** How a run differs from an earlier one. */
export interface ReportDiff extends CheckChanges {
  readonly observations: readonly ObservationChange[];
  /**
   * Whether the later run is worse: something is newly failing or newly not judged. Of two reports on traffic, the later one may
   * only have seen less, so that only what is newly failing counts, and a check in which the judge broke.
   */
  readonly isWorse: boolean;
}

/** Compares two runs, check by check and observation by observation. */
export function diffReports(before: Report, after: Report): ReportDiff {
  const earlier = new Map(before.checks.map((check) => [check.id, check]));
  const later = new Map(after.checks.map((check) => [check.id, check]));
  const changes: Record<keyof CheckChanges, CheckChange[]> = {
    newlyFailing: [],
    newlyNotJudged: [],
    fixed: [],
    failingDifferently: [],
    newlyPassing: [],
  };
  for (const [id, { title }] of new Map([...later, ...[...earlier].filter(([gone]) => !later.has(gone))])) {
    const [was, is] = [earlier.get(id), later.get(id)];
    const kind = kindOf(was, is);
    if (kind === undefined) continue;
    const [said, says] = [was && briefOf(was), is && briefOf(is)];
    const earlierWords = (said !== says && said) || undefined;
    changes[kind].push({ id, title, before: was?.status, after: is?.status, says, said: earlierWords });
  }
  const isTraffic = before.traffic !== undefined && after.traffic !== undefined;
  const alarming = changes.newlyNotJudged.filter((change) => !isTraffic || change.after !== 'not-judged');
  return {
    ...changes,
    observations: observationChanges(before.observations, after.observations),
    isWorse: changes.newlyFailing.length + alarming.length > 0,
  };
}

/** How the result of a check changed; `undefined` if it did not. */
function kindOf(was: CheckReport | undefined, is: CheckReport | undefined): keyof CheckChanges | undefined {
  const [before, after] = [was?.status, is?.status];
  if (after === 'fail') {
    if (before !== 'fail') return 'newlyFailing';
    // All indexes count as the same place.
    const [places, others] = [was, is].map((check) => check && [...placesOf(check)].toSorted().join('\n'));
    if (places !== others) return 'failingDifferently';
    return undefined;
  }
  if (after === 'pass') {
    if (before === 'fail') return 'fixed';
    if (before === 'pass') return undefined;
    return 'newlyPassing';
  }
  const wasJudged = before === 'pass' || before === 'fail';
  const isNew = before === undefined && after !== undefined;
  // The runner broke in a check that was not judged before either.
  const broke = before === 'not-judged' && after === 'error';
  if (wasJudged || isNew || broke) return 'newlyNotJudged';
  return undefined;
}

function observationChanges(before: readonly Observation[], after: readonly Observation[]) {
  const answerIn = (observations: readonly Observation[], gap: Observation['gap']): string | undefined => {
    const answers = observations.filter((one) => one.gap === gap).map(({ choice, seen }) => choice ?? seen);
    if (answers.length === 0) return undefined;
    return [...new Set(answers)].toSorted().join('; ');
  };
  const gaps = new Map([...before, ...after].map((observation) => [observation.gap, observation]));
  return Array.from(gaps.values(), ({ gap, section, question }): ObservationChange => {
    return { gap, section, question, before: answerIn(before, gap), after: answerIn(after, gap) };
  }).filter((change) => change.before !== change.after);
}
