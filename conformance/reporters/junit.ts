import { createColors } from 'picocolors';
import { visible } from '../../text/visible.ts';
import type { CheckReport, Report, Reporter } from '../report/report.ts';
import { knownEntry, OTHER_NEWS, otherNews, reasonOf } from './wording/known.ts';
import { bySection } from './wording/sections.ts';
import { findingLine } from '../report/findings.ts';
import { itemOf } from './outline/check-item.ts';
import { detailLines } from './text.ts';
import { basisOf, brokenFirst, counted } from './wording/wording.ts';

/**
 * JUnit XML: a suite for each section, a test case for each check. A failure that the baseline knows is skipped, since
 * JUnit has no other term for an accepted failure. A run that reached nothing, or had no checks, has a suite with an
 * error. A run with other differences from its baseline has one with a failure. Readers of JUnit take silence for
 * success.
 */
export const junitReporter: Reporter = (report) => {
  const suites = bySection(report.checks).map(({ number, title, checks }): Suite => ({
    name: `${number} ${title}`.trim(),
    cases: checks.map((check) => ({ classname: check.id, name: check.title, ...resultOf(check, report) })),
  }));
  if (report.outcome === 'unreachable' || report.checks.length === 0) {
    const result = element('error', { message: report.summary, type: report.outcome });
    suites.push({
      name: 'Run',
      cases: [{ classname: 'run', name: 'The target can be judged', kind: 'error', result }],
    });
  }
  const news = otherNews(report);
  if (news.length > 0) {
    const lines = news.map(({ kind, says }) => `${kind}: ${says}`);
    const result = element('failure', { message: counted(news.length, 'difference'), type: 'baseline' }, text(lines));
    suites.push({ name: 'Baseline', cases: [{ classname: 'baseline', name: OTHER_NEWS, kind: 'failure', result }] });
  }
  const totals = tally(suites.flatMap(({ cases }) => cases));
  const attributes = { name: 'agent-contract', ...totals, time: (report.durationMs / 1000).toFixed(3) };
  const inner = suites.map((suite) => suiteElement(report, suite)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>${element('testsuites', attributes, inner)}\n`;
};

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

interface Case {
  readonly classname: string;
  readonly name: string;
  /** What its result counts as; absent if it passed. */
  readonly kind?: 'failure' | 'error' | 'skipped';
  /** XML. */
  readonly result?: string;
}

/** Counts the test cases themselves, so that the totals always match. */
function tally(cases: readonly Case[]): Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>> {
  const having = (wanted: Case['kind']): number => cases.filter(({ kind }) => kind === wanted).length;
  return { tests: cases.length, failures: having('failure'), errors: having('error'), skipped: having('skipped') };
}

function suiteElement(report: Report, { name, cases }: Suite): string {
  const { target, seed, outcome, startedAt } = report;
  const properties = { target: target.baseUrl, seed, outcome, ...basisOf(report) };
  const attributes = { name, ...tally(cases), time: '0.000', timestamp: startedAt.slice(0, 19) };
  const property = Object.entries(properties).map(([key, value]) => element('property', { name: key, value }));
  const tests = cases.map(({ classname, name: title, result }) =>
    element('testcase', { classname, name: title, time: '0' }, result),
  );
  return element('testsuite', attributes, [element('properties', {}, property.join('')), ...tests].join(''));
}

function resultOf(check: CheckReport, report: Report): Pick<Case, 'kind' | 'result'> {
  const { status, failure, reason = '', supply } = check;
  switch (status) {
    case 'pass':
      return {};
    case 'not-judged': {
      const message = supply === undefined ? reason : `${reason} Supply ${supply}.`;
      return { kind: 'skipped', result: element('skipped', { message }) };
    }
    case 'error': {
      const lines = reason.split('\n');
      return { kind: 'error', result: element('error', { message: lines[0] ?? '', type: 'error' }, text(lines)) };
    }
    case 'fail': {
      const known = knownEntry(report, check);
      const details = text(detailLines(itemOf(check, report), createColors(false), Infinity));
      if (known) {
        const skipped = element('skipped', { message: `known: ${reasonOf(known)}` });
        return { kind: 'skipped', result: skipped + element('system-out', {}, details) };
      }
      const attributes = {
        message: failure ? findingLine(failure) : check.title,
        type: brokenFirst(check)[0]?.id ?? 'failure',
      };
      return { kind: 'failure', result: element('failure', attributes, details) };
    }
  }
}

/** An element; `inner` is XML. */
export function element(name: string, attributes: Readonly<Record<string, string | number>>, inner = ''): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${text([String(value)])}"`);
  const begin = `\n<${name}${pairs.join('')}`;
  if (inner === '') return `${begin}/>`;
  return `${begin}>${inner}</${name}>`;
}

/** Lines as XML. `visible` escapes everything that XML cannot hold. */
export function text(lines: readonly string[]): string {
  return lines
    .map((line) => visible(line).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`))
    .join('\n');
}
