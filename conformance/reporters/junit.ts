import { createColors } from 'picocolors';
import { grouping } from '../collections.ts';
import { visible } from '../../text/visible.ts';
import type { Report, Reporter } from '../report/report.ts';
import { itemOf } from './outline/check-item.ts';
import { testsOf, type ReportedTest } from './tests.ts';
import { detailLines } from './text.ts';
import { basisOf, brokenFirst, compareSections } from './wording/wording.ts';

/** JUnit XML: a suite for each section, a case for each check. A failure that the baseline knows is skipped. */
export const junitReporter: Reporter = (report) => {
  const { target, seed, outcome, summary, startedAt, durationMs } = report;
  const tests = testsOf(report);
  const properties = { target: target.baseUrl, seed, outcome, summary, ...basisOf(report) };
  const property = Object.entries(properties).map(([name, value]) => element('property', { name, value }));
  const suites = [...grouping(tests, ({ suite }) => suite)].toSorted(([one], [other]) => compareSections(one, other));
  const inner = suites.map(([name, members]) => {
    const attributes = { name, ...tally(members), time: '0.000', timestamp: startedAt.slice(0, 19) };
    const cases = members.map((test) =>
      element('testcase', { classname: test.id, name: test.title, time: '0' }, resultOf(test, report)),
    );
    return element('testsuite', attributes, [element('properties', {}, property.join('')), ...cases].join(''));
  });
  const attributes = { name: 'agent-contract', ...tally(tests), time: (durationMs / 1000).toFixed(3) };
  return `<?xml version="1.0" encoding="UTF-8"?>${element('testsuites', attributes, inner.join(''))}\n`;
};

function tally(tests: readonly ReportedTest[]): Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>> {
  const having = (...wanted: ReportedTest['result'][]): number =>
    tests.filter(({ result }) => wanted.includes(result)).length;
  const [failures, errors, skipped] = [having('failed'), having('broken'), having('known', 'not-judged')];
  return { tests: tests.length, failures, errors, skipped };
}

function resultOf({ id, title, result, says, check }: ReportedTest, report: Report): string {
  const [message = title] = says;
  const details = text(check?.failure ? detailLines(itemOf(check, report), createColors(false), Infinity) : says);
  const results: Readonly<Record<typeof result, string>> = {
    passed: '',
    known: element('skipped', { message }) + element('system-out', {}, details),
    'not-judged': element('skipped', { message }),
    broken: element('error', { message, type: check ? 'error' : report.outcome }, check && details),
    failed: element('failure', { message, type: check ? (brokenFirst(check)[0]?.id ?? 'failure') : id }, details),
  };
  return results[result];
}

/** An element; `inner` is XML. */
export function element(name: string, attributes: Readonly<Record<string, string | number>>, inner = ''): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${text([String(value)])}"`);
  const begin = `\n<${name}${pairs.join('')}`;
  return inner === '' ? `${begin}/>` : `${begin}>${inner}</${name}>`;
}

/** Lines as XML. `visible` escapes everything that XML cannot hold. */
export function text(lines: readonly string[]): string {
  return lines
    .map((line) => visible(line).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`))
    .join('\n');
}
