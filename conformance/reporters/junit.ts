import { DOMImplementation, XMLSerializer, type Document, type Element } from '@xmldom/xmldom';
import { visible } from '../report/redact.ts';
import type { BaselineEntry, CheckReport, Report, Reporter } from '../report/report.ts';
import { knownEntry, OTHER_NEWS, otherNews, reasonOf } from './wording/known.ts';
import { bySection } from './wording/sections.ts';
import { brokenFirst, counted, findingLine } from './wording/wording.ts';

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children?: readonly Node[];
  readonly lines?: readonly string[];
}

/**
 * JUnit XML: a suite for each section, a test case for each check. A failure that the baseline knows is skipped, since
 * JUnit has no other term for an accepted failure. A run that reached nothing, or had no checks, has a suite with an
 * error. A run with other differences from its baseline has one with a failure. Readers of JUnit take silence for
 * success.
 */
export const junitReporter: Reporter = (report) => {
  const suites = bySection(report.checks).map(({ number, title, checks }): Suite => ({
    name: `${number} ${title}`.trim(),
    cases: checks.map((check) => testCase(check, verdict(check, knownEntry(report, check)))),
    time: 0,
  }));
  if (report.outcome === 'unreachable' || report.checks.length === 0) {
    const error = { name: 'error', attributes: { message: report.summary, type: report.outcome } };
    suites.push({ name: 'Run', cases: [ownCase('run', 'The target can be judged', error)], time: 0 });
  }
  const news = otherNews(report);
  if (news.length > 0) {
    const attributes = { message: counted(news.length, 'difference'), type: 'baseline' };
    const failure = { name: 'failure', attributes, lines: news.map(({ kind, says }) => `${kind}: ${says}`) };
    suites.push({ name: 'Baseline', cases: [ownCase('baseline', OTHER_NEWS, failure)], time: 0 });
  }
  const document = new DOMImplementation().createDocument(null, '');
  document.appendChild(
    build(document, {
      name: 'testsuites',
      attributes: {
        name: 'agent-contract',
        ...tally(suites.flatMap(({ cases }) => cases)),
        time: seconds(report.durationMs),
      },
      children: suites.map((one) => suite(report, one)),
    }),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(document)}\n`;
};

interface Suite {
  readonly name: string;
  readonly cases: readonly Node[];
  /** Milliseconds. */
  readonly time: number;
}

/** Counts the test cases themselves, so that the totals always match. */
function tally(cases: readonly Node[]): Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>> {
  const having = (name: string): number =>
    cases.filter(({ children = [] }) => children.some((child) => child.name === name)).length;
  return { tests: cases.length, failures: having('failure'), errors: having('error'), skipped: having('skipped') };
}

function suite(report: Report, { name, cases, time }: Suite): Node {
  const properties = {
    target: report.target.baseUrl,
    seed: report.seed,
    outcome: report.outcome,
    tool: `${report.tool.name} ${report.tool.version}`,
  };
  return {
    name: 'testsuite',
    attributes: { name, ...tally(cases), time: seconds(time), timestamp: report.startedAt.slice(0, 19) },
    children: [
      {
        name: 'properties',
        attributes: {},
        children: Object.entries(properties).map(([key, value]) => ({
          name: 'property',
          attributes: { name: key, value },
        })),
      },
      ...cases,
    ],
  };
}

function ownCase(classname: string, name: string, child: Node): Node {
  return { name: 'testcase', attributes: { classname, name, time: '0' }, children: [child] };
}

function testCase({ id, title }: CheckReport, children: readonly Node[]): Node {
  return {
    name: 'testcase',
    attributes: { classname: id, name: title, time: '0' },
    ...(children.length === 0 ? {} : { children }),
  };
}

function verdict(check: CheckReport, known: BaselineEntry | undefined): readonly Node[] {
  const { status, failure, reason = '', supply } = check;
  switch (status) {
    case 'pass':
      return [];
    case 'not-judged': {
      const message = [reason, ...(supply === undefined ? [] : [`Supply ${supply}.`])].join(' ');
      return [{ name: 'skipped', attributes: { message } }];
    }
    case 'error':
      return [{ name: 'error', attributes: { message: firstLine(reason), type: 'error' }, lines: reason.split('\n') }];
    case 'fail': {
      const lines = [
        ...brokenFirst(check).map(
          ({ id, section, lane, statement }) => `requirement: ${section} (${lane}) ${id}: ${statement}`,
        ),
        ...[failure ?? unexplained, ...(failure?.more ?? [])].flatMap(({ expected, actual, at }) => [
          `expected: ${expected}`,
          `actual: ${actual}`,
          ...(at === undefined ? [] : [`at: ${at === '' ? 'the whole body' : at}`]),
        ]),
        ...(failure?.exchanges ?? []).flatMap((exchange) => [
          `request: ${exchange.curl}`,
          exchange.failure === undefined
            ? `answer: ${exchange.status ?? 'none'} ${exchange.body ?? ''}`
            : `answer: none; ${exchange.failure}`,
        ]),
      ];
      if (known)
        return [
          { name: 'skipped', attributes: { message: `known: ${reasonOf(known)}` } },
          { name: 'system-out', attributes: {}, lines },
        ];
      const type = brokenFirst(check)[0]?.id ?? 'failure';
      return [{ name: 'failure', attributes: { message: findingLine(failure ?? unexplained), type }, lines }];
    }
  }
}

const unexplained: { readonly expected: string; readonly actual: string; readonly at?: string } = {
  expected: 'what the requirement says',
  actual: 'something else',
};

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** `visible` escapes everything that XML cannot hold. */
function build(document: Document, node: Node, indent = '\n'): Element {
  const element = document.createElement(node.name);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, visible(String(value)));
  if (node.lines !== undefined) element.appendChild(document.createTextNode(node.lines.map(visible).join('\n')));
  if (node.children) {
    for (const child of node.children) {
      element.appendChild(document.createTextNode(`${indent}  `));
      element.appendChild(build(document, child, `${indent}  `));
    }
    element.appendChild(document.createTextNode(indent));
  }
  return element;
}
