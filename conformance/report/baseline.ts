import { pointerTokens, templateOf } from '../../spec/json-pointer.ts';
import { findingsOf, placeWords, type ReportedFinding } from './findings.ts';
import type { BaselineEntry, BaselineNews, CheckReport, Report } from './report.ts';

export interface Baseline {
  readonly entries: readonly BaselineEntry[];
}

/**
 * The report, compared with a baseline. Entries for checks that did not run are ignored. With `allowPartial`, an
 * unjudged check is not new, unless something was never answered. `isCheck` says which ids exist.
 */
export function withBaseline(
  report: Report,
  { entries }: Baseline,
  {
    allowPartial: isAllowed = false,
    isCheck = () => true,
  }: { readonly allowPartial?: boolean; readonly isCheck?: (id: string) => boolean } = {},
): Report {
  const today = report.startedAt.slice(0, 10);
  const allowPartial = isAllowed && !report.unanswered;
  const byId = new Map(report.checks.map((check) => [check.id, check]));
  const matching: BaselineEntry[] = [];
  const known: BaselineEntry[] = [];
  const stale: BaselineNews[] = [];
  for (const entry of entries) {
    const check = byId.get(entry.check);
    if (check === undefined && isCheck(entry.check)) continue;
    if (check?.status === 'not-judged' && allowPartial) continue;
    const wrong = wrongWith(entry, check, today);
    if (wrong) stale.push({ ...wrong, check: entry.check, entry });
    else known.push(entry);
    if (wrong === undefined || wrong.kind === 'expired') matching.push(entry);
  }
  // An expired entry is reported only once, as expired.
  const news = [...report.checks.flatMap((check) => freshNews(check, matching, allowPartial) ?? []), ...stale];
  const verdict = news.length === 0 ? 'nothing-new' : 'news';
  return { ...report, baseline: { verdict, known, news } };
}

function freshNews(check: CheckReport, all: readonly BaselineEntry[], allowPartial: boolean): BaselineNews | undefined {
  const own = all.filter((entry) => entry.check === check.id);
  if (check.status === 'fail') {
    const finding = findingsOf(check).find(({ at }) => !own.some((entry) => covers(entry, at)));
    if (finding === undefined) return undefined;
    const { at, expected, actual } = finding;
    return { kind: 'new-failure', check: check.id, says: `Expected ${expected}, got ${actual}.`, at };
  }
  if (check.status !== 'not-judged' || allowPartial || own.length > 0) return undefined;
  return { kind: 'new-not-judged', check: check.id, says: check.reason ?? 'It was not judged.' };
}

/** What is wrong with an entry on a day, or `undefined` if it matches the run. */
function wrongWith(
  entry: BaselineEntry,
  check: CheckReport | undefined,
  today: string,
): Pick<BaselineNews, 'kind' | 'says'> | undefined {
  if (check === undefined) return { kind: 'matches-nothing', says: 'There is no such check.' };
  const { status = 'fail', at, expires } = entry;
  const { was, what } = KNOWN[status];
  if (check.status === 'pass')
    return { kind: 'now-passes', says: `It was known ${was}, and now passes. Remove the entry.` };
  if (check.status !== status)
    return { kind: 'matches-nothing', says: `The entry is for ${what}, but ${briefly(check)}.` };
  if (status === 'fail' && at !== undefined && !findingsOf(check).some((finding) => covers(entry, finding.at)))
    return { kind: 'matches-nothing', says: `Nothing fails at ${at} now, but ${briefly(check)}.` };
  if (expires === undefined || expires >= today) return undefined;
  return { kind: 'expired', says: `This was accepted until ${expires}, but ${briefly(check)}.` };
}

const KNOWN = {
  fail: { was: 'to fail', what: 'a failure' },
  'not-judged': { was: 'not to be judged', what: 'an unjudged check' },
} as const;

function briefly({ status, failure, reason = 'for an unknown reason' }: CheckReport): string {
  if (status === 'pass') return 'it passes';
  if (status === 'error') return 'the runner broke in it';
  if (status === 'not-judged') return `it was not judged (${reason})`;
  if (failure?.at === undefined) return 'it fails';
  return `it fails at ${placeWords(failure.at)}`;
}

function covers({ status = 'fail', at: known }: BaselineEntry, at: string | undefined): boolean {
  if (status !== 'fail') return false;
  if (known === undefined) return true;
  if (at === undefined) return false;
  const [pattern, place] = [pointerTokens(known), pointerTokens(at)];
  return pattern.length === place.length && pattern.every((name, index) => name === '*' || name === place[index]);
}

/**
 * A baseline with every finding of a run. Entries of an earlier baseline that still match keep their text, and entries for
 * checks that did not run stay.
 */
export function baselineOf(report: Report, before: Baseline = { entries: [] }): Baseline {
  const { baseline } = withBaseline(report, before);
  const known = new Set(baseline?.known);
  const wasRun = new Set(report.checks.map(({ id }) => id));
  const kept = before.entries.filter((entry) => known.has(entry) || !wasRun.has(entry.check));
  const since = `Since ${report.startedAt.slice(0, 10)}:`;
  return { entries: [...kept, ...report.checks.flatMap((check) => newEntries(check, kept, since))] };
}

function newEntries(check: CheckReport, all: readonly BaselineEntry[], since: string): readonly BaselineEntry[] {
  const { id, status, reason = 'not judged' } = check;
  const own = all.filter((entry) => entry.check === id);
  if (status === 'not-judged' && own.length === 0)
    return [{ check: id, status: 'not-judged', reason: `${since} ${reason}` }];
  if (status !== 'fail') return [];
  const places = new Map<string | undefined, ReportedFinding>();
  for (const finding of findingsOf(check)) {
    const at = finding.at && templateOf(finding.at);
    if (!own.some((entry) => covers(entry, finding.at)) && !places.has(at)) places.set(at, finding);
  }
  // Only an entry for the whole check covers a finding without a place.
  const wanted = places.has(undefined) ? [...places].filter(([at]) => at === undefined) : [...places];
  return wanted.map(([at, { expected, actual }]) => ({
    check: id,
    at,
    reason: `${since} expected ${expected}, got ${actual}`,
  }));
}
