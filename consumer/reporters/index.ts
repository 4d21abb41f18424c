import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createColors } from 'picocolors';
import { command } from '../../conformance/reporters/github.ts';
import { checkElement, folded, listOf, mark } from '../../conformance/reporters/html/html.ts';
import { html, type Markup } from '../../conformance/reporters/html/markup.ts';
import { htmlPage } from '../../conformance/reporters/html/page.ts';
import { element, text as xml } from '../../conformance/reporters/junit.ts';
import { counted, optional } from '../../conformance/show.ts';
import { safeJson } from '../../conformance/reporters/wording/safe-json.ts';
import { blocksText, detailLines, marks } from '../../conformance/reporters/text.ts';
import { visible } from '../../text/visible.ts';
import { failing, fails, type ClientReport } from '../report.ts';
import { clientOutline, type OutlineItem, type OutlinePart } from './outline.ts';

/** A report of a client in one format. */
export type ClientReporter = (report: ClientReport, options?: { readonly color?: boolean }) => string;

const titleOf = ({ screen, missed }: OutlinePart['groups'][number]): string =>
  screen + optional`: ${missed > 0 && counted(missed, 'finding')}`;

const paints = { fail: 'red', 'not-judged': 'yellow' } as const;
/** How an outcome looks: in a terminal, on a page, and to GitHub. */
const BAD = { color: 'red', look: 'fail', kind: 'error' } as const;
const looks = { sound: { color: 'green', look: 'pass', kind: 'notice' }, partial: BAD, unsound: BAD } as const;

const textReporter: ClientReporter = (report, { color = false } = {}) => {
  const colors = createColors(color);
  const { verdict, facts, parts } = clientOutline(report);
  const item = (one: OutlineItem): string[] => [
    `  ${colors[paints[one.status]](marks[one.status])} ${colors.bold(visible(one.title))}`,
    ...detailLines(one, colors).map((line) => `      ${line}`),
  ];
  const part = ({ title, summary, groups, lists }: OutlinePart): string[] => [
    colors.bold(title),
    ...[summary].filter(Boolean).map((line) => `  ${line}`),
    ...groups.flatMap((group) => [`  ${visible(titleOf(group))}`, ...group.items.flatMap(item)]),
    ...lists.flatMap((one) => [`  ${one.title}:`, ...one.lines.map((line) => `    ${visible(line)}`)]),
  ];
  const paint = colors[looks[report.outcome].color];
  return blocksText([[colors.dim(visible(facts.join(', ')))], ...parts.map(part), [paint(colors.bold(verdict))]]);
};

const htmlReporter: ClientReporter = (report) => {
  const { verdict, facts, parts, rows, columns } = clientOutline(report);
  const { look } = looks[report.outcome];
  const [outcome = '', summary = ''] = verdict.split(/: (.*)/s);
  const body = html`<header class="verdict">
      <p class="brand"><b>agent-contract</b> report on a client</p>
      <h1>${mark(look)} <span>${outcome}</span></h1>
      <p class="summary">${summary}</p>
      <p class="hint">${facts.join(', ')}</p>
      <ul>
        ${parts.filter((part) => part.summary !== '').map((part) => html`<li><b>${part.title}</b>: ${part.summary}</li>`)}
      </ul>
    </header>
    <div class="layout">
      <main id="findings" tabindex="-1">
        ${rows.length > 1 && screensElement(rows, columns)} ${parts.map(partElement)}
      </main>
    </div>`;
  const skip = ['findings', 'Skip to the findings'] as const;
  return htmlPage({ title: verdict, look, skip, body, css: readFileSync(path.join(__dirname, 'client.css'), 'utf8') });
};

const screensElement = (rows: ReturnType<typeof clientOutline>['rows'], columns: readonly string[]): Markup =>
  html`<section class="group">
    <h2>Where</h2>
    <p class="hint">A finding counts at each test that shows it; harm is that of the worst, of 5.</p>
    <table class="screens">
      <thead>
        <tr>
          ${['Screen', 'Tests', ...columns, 'Harm'].map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ screen, tests, missed, harm }) =>
            html`<tr>
              <th scope="row">${screen}</th>
              ${[tests, ...missed, harm].map((count) => html`<td class="${count === 0 && 'none'}">${count}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;

const partElement = ({ title, summary, groups, lists }: OutlinePart): Markup =>
  html`<section class="group">
    <h2>${title}</h2>
    <p class="hint">${summary}</p>
    ${groups.map(
      (group) =>
        html`<h3>${titleOf(group)}</h3>
          ${group.items.map((item) => checkElement(item, false))}`,
    )}
    ${lists.map((one) => folded(`${one.title} (${one.lines.length})`, listOf(one.lines.map((line) => ({ line: [line] })))))}
  </section>`;

/** JUnit XML: a test case for each finding, and for each question without any. */
const junitReporter: ClientReporter = (report) => {
  const { findings, asked, client } = report;
  const testcase = (classname: string, name: string, inner = ''): string =>
    element('testcase', { classname, name, time: 0 }, inner);
  const cases = asked.flatMap((aspect) => {
    const own = findings.filter((one) => one.aspect === aspect);
    if (own.length === 0) return [testcase(aspect, `${aspect}: no finding`)];
    return own.map((one) => {
      const { id, says: message, why, remedy, tests, again = '', accepted } = one;
      if (!fails(one)) return testcase(aspect, id, element('skipped', { message: `${message} (${accepted})` }));
      return testcase(aspect, id, element('failure', { message, type: aspect }, xml([why, remedy, ...tests, again])));
    });
  });
  cases.push(...report.open.map((says) => testcase('open', says, element('skipped', {}))));
  const failures = failing(report).length;
  const attributes = { name: client, tests: cases.length, failures, time: (report.durationMs / 1000).toFixed(3) };
  const suite = element('testsuite', attributes, cases.join(''));
  return `<?xml version="1.0" encoding="UTF-8"?>${element('testsuites', { name: 'agent-contract client' }, suite)}\n`;
};

/** Workflow commands of GitHub: the verdict first, then an error for each finding, the worst first. */
export const clientAnnotations: ClientReporter = (report) => {
  const { verdict, facts } = clientOutline(report);
  const errors = failing(report).map(({ id, says, why, remedy }) => command('error', id, [says, why, remedy]));
  return `${[command(looks[report.outcome].kind, 'agent-contract client', [verdict, facts.join(', ')]), ...errors].join('\n')}\n`;
};

/** The reporter of each format. */
export const clientReporters = {
  text: textReporter,
  json: (report: ClientReport): string => `${safeJson(report)}\n`,
  html: htmlReporter,
  junit: junitReporter,
} as const satisfies Readonly<Record<string, ClientReporter>>;
