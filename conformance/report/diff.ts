import { templateOf } from '../../spec/json-pointer.ts';
import type { CheckReport, FailureReport, Observation, Report, Status } from './report.ts';

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

/** How a run differs from an earlier one. */
export interface ReportDiff {
  readonly newlyFailing: readonly CheckChange[];
  /** Judged before, and not now: also checks that no longer run, and those in which the runner broke. */
  readonly newlyNotJudged: readonly CheckChange[];
  /** Failed before, passes now. */
  readonly fixed: readonly CheckChange[];
  /** Still fails, but at another place or in another way. */
  readonly failingDifferently: readonly CheckChange[];
  /** Passes now, and was not judged, or did not run, before. */
  readonly newlyPassing: readonly CheckChange[];
  readonly observations: readonly ObservationChange[];
  /** Whether the later run is worse: something is newly failing or newly not judged. */
  readonly isWorse: boolean;
}

/** Compares two runs, check by check and observation by observation. */
export function diffReports(before: Report, after: Report): ReportDiff {
  const earlier = new Map(before.checks.map((check) => [check.id, check]));
  const later = new Map(after.checks.map((check) => [check.id, check]));
  const gone = before.checks.filter(({ id, status }) => !later.has(id) && isJudged(status));
  const pairs = after.checks.map((check) => ({ was: earlier.get(check.id), is: check }));
  const changes = (matches: (was: CheckReport | undefined, is: CheckReport) => boolean): CheckChange[] =>
    pairs.filter(({ was, is }) => matches(was, is)).map(({ was, is }) => changeOf(was, is));

  const newlyFailing = changes((was, is) => is.status === 'fail' && was?.status !== 'fail');
  const newlyNotJudged = [
    ...changes((was, is) => !isJudged(is.status) && (was === undefined || isJudged(was.status) || isWorse(was, is))),
    ...gone.map((was) => changeOf(was, undefined)),
  ];
  return {
    newlyFailing,
    newlyNotJudged,
    fixed: changes((was, is) => is.status === 'pass' && was?.status === 'fail'),
    failingDifferently: changes((was, is) => was?.status === 'fail' && is.status === 'fail' && differs(was, is)),
    newlyPassing: changes((was, is) => is.status === 'pass' && was?.status !== 'fail' && was?.status !== 'pass'),
    observations: observationChanges(before.observations, after.observations),
    isWorse: newlyFailing.length + newlyNotJudged.length > 0,
  };
}

const isJudged = (status: Status): boolean => status === 'pass' || status === 'fail';

/** The runner broke in a check that was not judged before either. */
const isWorse = (was: CheckReport, is: CheckReport): boolean => was.status === 'not-judged' && is.status === 'error';

function changeOf(was: CheckReport | undefined, is: CheckReport | undefined): CheckChange {
  const { id, title } = is ?? was ?? { id: '', title: '' };
  const [said, says] = [wordsOf(was), wordsOf(is)];
  return {
    id,
    title,
    ...(was === undefined ? {} : { before: was.status }),
    ...(is === undefined ? {} : { after: is.status }),
    says,
    ...(said === undefined || said === says ? {} : { said }),
  };
}

function wordsOf(check: CheckReport | undefined): string | undefined {
  if (check?.failure === undefined) return check?.reason?.split('\n', 1)[0];
  const { expected, actual, at } = check.failure;
  return `expected ${expected}, got ${actual}${at === undefined ? '' : ` at ${at === '' ? 'the whole body' : at}`}`;
}

/** Whether two failures of a check are at different places. All indexes count as the same place. */
function differs(was: CheckReport, is: CheckReport): boolean {
  const [before, after] = [placesOf(was.failure), placesOf(is.failure)];
  return before.size !== after.size || [...after].some((place) => !before.has(place));
}

/** The places of a failure, without indexes; if there is no place, what was expected. */
export function placesOf(failure: FailureReport | undefined): ReadonlySet<string> {
  const findings = failure === undefined ? [] : [failure, ...(failure.more ?? [])];
  return new Set(findings.map(({ at, expected }) => (at === undefined ? `expected ${expected}` : templateOf(at))));
}

function observationChanges(
  before: readonly Observation[],
  after: readonly Observation[],
): readonly ObservationChange[] {
  const known = new Map([...before, ...after].map((observation) => [observation.gap, observation]));
  const answerIn = (observations: readonly Observation[], gap: Observation['gap']): string | undefined => {
    const answers = observations.filter((one) => one.gap === gap).map(({ choice, seen }) => choice ?? seen);
    return answers.length === 0 ? undefined : [...new Set(answers)].toSorted().join('; ');
  };
  return Array.from(known.values(), ({ gap, section, question }): ObservationChange => {
    const [was, is] = [answerIn(before, gap), answerIn(after, gap)];
    return {
      gap,
      section,
      question,
      before: was,
      after: is,
    };
  }).filter((change) => change.before !== change.after);
}
