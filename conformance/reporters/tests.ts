import { present } from '../collections.ts';
import { findingLine } from '../report/findings.ts';
import type { BaselineEntry, CheckReport, Report } from '../report/report.ts';
import { counted, optional } from '../show.ts';
import { knownEntry, reasonOf, sectionOf } from './wording/wording.ts';

/** A check, or the run, as a test: what JUnit, CTRF, TAP and GitHub know. */
export interface ReportedTest {
  readonly id: string;
  readonly title: string;
  /** The section of the specification with its title, or what else the test is about. */
  readonly suite: string;
  readonly result: 'passed' | 'failed' | 'known' | 'not-judged' | 'broken';
  /** What is wrong, or why nothing is said: a line, and more lines. */
  readonly says: readonly string[];
  readonly known?: BaselineEntry | undefined;
  /** Absent for a test that is about the run. */
  readonly check?: CheckReport;
}

/** The run as tests, also of its reach and its baseline: readers of these formats take silence for success. */
export function testsOf(report: Report): readonly ReportedTest[] {
  const { checks, outcome, summary, baseline } = report;
  const tests = checks.map((check) => testOf(check, report));
  const about = { id: 'run', suite: 'Run', title: 'The target can be judged' };
  if (outcome === 'unreachable' || checks.length === 0) tests.push({ ...about, result: 'broken', says: [summary] });
  const failed = new Set(checks.filter(({ status }) => status === 'fail').map(({ id }) => id));
  const news = (baseline?.news ?? []).filter(
    ({ kind, check }) => kind !== 'new-failure' && !(kind === 'expired' && failed.has(check)),
  );
  if (news.length > 0) {
    const says = [counted(news.length, 'difference'), ...news.map((one) => `${one.kind}: ${one.says}`)];
    const title = 'The run matches the baseline';
    tests.push({ id: 'baseline', suite: 'Baseline', title, result: 'failed', says });
  }
  return tests;
}

function testOf(check: CheckReport, report: Report): ReportedTest {
  const { id, title, status, failure, reason = 'not judged', supply } = check;
  const section = sectionOf(check);
  const suite = `${section.number} ${section.title}`.trim() || 'Other';
  const test = { id, title, suite, check };
  if (status === 'pass') return { ...test, result: 'passed', says: [] };
  if (status === 'error') return { ...test, result: 'broken', says: reason.split('\n') };
  if (status === 'not-judged') return { ...test, result: status, says: [reason + optional` Supply ${supply}.`] };
  const known = knownEntry(report, check);
  const says = present(failure).map(findingLine);
  if (known) return { ...test, result: 'known', known, says: [`known: ${reasonOf(known)}`, ...says] };
  return { ...test, result: 'failed', says };
}
