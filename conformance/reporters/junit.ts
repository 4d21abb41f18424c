import { DOMImplementation, XMLSerializer, type Document, type Element } from '@xmldom/xmldom';
import { visible } from '../redact.ts';
import type { CheckReport, Report, Reporter } from '../report.ts';
import { bySection } from './sections.ts';

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children?: readonly Node[];
  readonly lines?: readonly string[];
}

/**
 * JUnit XML: a suite for each section, a test case for each check. A run that reached nothing or held no check has a
 * suite of its own with an error in it, since a reader of JUnit takes silence for success.
 */
export const junitReporter: Reporter = (report) => {
  const suites = bySection(report.checks).map(({ number, title, checks }) =>
    suite(report, `${number} ${title}`.trim(), checks.map(testCase), tally(checks), seconds(durationOf(checks))),
  );
  const isSilent = report.outcome === 'unreachable' || report.checks.length === 0;
  if (isSilent) {
    const children = [{ name: 'error', attributes: { message: report.summary, type: report.outcome } }];
    const only = { name: 'testcase', attributes: { classname: 'run', name: 'The target can be judged', time: '0' } };
    suites.push(suite(report, 'Run', [{ ...only, children }], { tests: 1, failures: 0, errors: 1, skipped: 0 }, '0'));
  }
  const { tests, failures, errors, skipped } = tally(report.checks);
  const extra = isSilent ? 1 : 0;
  const document = new DOMImplementation().createDocument(null, '');
  document.appendChild(
    build(document, {
      name: 'testsuites',
      attributes: {
        name: 'agent-contract',
        tests: tests + extra,
        failures,
        errors: errors + extra,
        skipped,
        time: seconds(report.durationMs),
      },
      children: suites,
    }),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(document)}\n`;
};

interface Tally {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

function tally(checks: readonly CheckReport[]): Tally {
  const having = (status: CheckReport['status']): number => checks.filter((check) => check.status === status).length;
  return { tests: checks.length, failures: having('fail'), errors: having('error'), skipped: having('not-judged') };
}

function suite(report: Report, name: string, cases: readonly Node[], counts: Tally, time: string): Node {
  const properties = {
    target: report.target.baseUrl,
    seed: report.seed,
    outcome: report.outcome,
    tool: `${report.tool.name} ${report.tool.version}`,
  };
  return {
    name: 'testsuite',
    attributes: { name, ...counts, time, timestamp: report.startedAt.slice(0, 19) },
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

function testCase(check: CheckReport): Node {
  const children = verdict(check);
  return {
    name: 'testcase',
    attributes: { classname: check.id, name: check.title, time: seconds(check.durationMs) },
    ...(children.length === 0 ? {} : { children }),
  };
}

function verdict({ status, failure, reason = '', supply, requirements }: CheckReport): readonly Node[] {
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
        ...requirements.map(
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
      const { expected, actual } = failure ?? unexplained;
      const type = requirements[0]?.id ?? 'failure';
      return [{ name: 'failure', attributes: { message: `expected ${expected}, met ${actual}`, type }, lines }];
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

function durationOf(checks: readonly CheckReport[]): number {
  return checks.reduce((sum, { durationMs }) => sum + durationMs, 0);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Everything that XML cannot hold is among what `visible` escapes. */
function build(document: Document, node: Node, indent = '\n'): Element {
  const element = document.createElement(node.name);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, visible(String(value)));
  if (node.lines !== undefined) element.appendChild(document.createTextNode(node.lines.map(visible).join('\n')));
  if (node.children !== undefined && node.children.length > 0) {
    for (const child of node.children) {
      element.appendChild(document.createTextNode(`${indent}  `));
      element.appendChild(build(document, child, `${indent}  `));
    }
    element.appendChild(document.createTextNode(indent));
  }
  return element;
}
