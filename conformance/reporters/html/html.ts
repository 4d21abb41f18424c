import { visible } from '../../report/redact.ts';
import type { Outcome, Report, Reporter, Status } from '../../report/report.ts';
import { created, evidence, notJudged, observations } from './appendix.ts';
import { anchorsOf, checkElement, icon, type Anchors, type CheckContext } from './check.ts';
import { header, statusOfOutcome } from './header.ts';
import { html, trusted, type Markup } from './markup.ts';
import { contentPolicy } from './policy.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { knownEntry, reasonOf } from '../wording/known.ts';
import { bySection, type Section } from '../wording/sections.ts';
import { countOf, grouped, outcomeWords, statuses, statusWords } from '../wording/wording.ts';

/**
 * The report as one HTML file that makes no network requests. It is readable without JavaScript, which adds search,
 * copying, and opening everything at once.
 */
export const htmlReporter = (
  report: Report,
  { includeBodies = false }: Partial<Parameters<Reporter>[1]> = {},
): string => {
  const anchors = anchorsOf(report.checks);
  const sections = bySection(report.checks);
  const context: CheckContext = {
    anchors,
    baseUrl: report.target.baseUrl,
    includeBodies,
    opensFailures: report.counts.fail <= FEW_FAILURES,
    known(check) {
      const entry = knownEntry(report, check);
      return entry && reasonOf(entry);
    },
  };
  const page = html`<!doctype html>
    <html lang="en" data-outcome="${report.outcome}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy()}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <meta name="generator" content="${report.tool.name} ${report.tool.version}" />
        <title>${visible(titleOf(report))}</title>
        <link rel="icon" href="${favicon(report.outcome)}" />
        ${trusted(`<style>${style}</style>`)}
      </head>
      <body>
        <a class="skip" href="#checks">Skip to the checks</a>
        ${trusted(SYMBOLS)} ${header(report, anchors)}
        <div class="layout">
          ${overview(report, sections, anchors)}
          <main>
            ${toolbar(report)}
            <section id="checks" class="checks" aria-labelledby="checks-title" tabindex="-1">
              <h2 id="checks-title">Checks</h2>
              ${sections.map((section) => group(section, context))}
              ${report.checks.length === 0 && html`<p class="empty">No check was run.</p>`}
              <p id="nothing" class="empty" hidden="">No check fits.</p>
            </section>
            ${notJudged(report, anchors)} ${evidence(report)} ${observations(report)} ${created(report.created)}
          </main>
        </div>
        ${footer(report, includeBodies)} ${trusted(`<script>${script}</script>`)}
      </body>
    </html>`;
  return `${page.markup}\n`;
};

/** Most failures that are open at first. */
const FEW_FAILURES = 3;

let knownPolicy: string | undefined;
const policy = (): string => (knownPolicy ??= contentPolicy(style, script));

const SYMBOLS = `<svg class="symbols" aria-hidden="true" focusable="false">
<symbol id="i-pass" viewBox="0 0 16 16"><path d="M3.5 8.5l3 3 6-7" /></symbol>
<symbol id="i-fail" viewBox="0 0 16 16"><path d="M4.5 4.5l7 7m0-7l-7 7" /></symbol>
<symbol id="i-not-judged" viewBox="0 0 16 16"><path d="M4 8h8" /></symbol>
<symbol id="i-error" viewBox="0 0 16 16"><path d="M8 3.5v5.5m0 3v.5" /></symbol>
</svg>`;

const FAVICON_COLORS: Readonly<Record<Status, string>> = {
  pass: '1f7a4d',
  fail: 'b3261e',
  'not-judged': '8a5a00',
  error: '6b3fa0',
};

function favicon(outcome: Outcome): string {
  const color = FAVICON_COLORS[statusOfOutcome[outcome]];
  const image = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><circle cx='8' cy='8' r='7' fill='#${color}'/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(image)}`;
}

function titleOf({ outcome, target }: Report): string {
  return `${outcomeWords[outcome]}: ${target.baseUrl}`;
}

/** Every check as a small square under its section: a map and a table of contents in one. */
function overview(report: Report, sections: readonly Section[], anchors: Anchors): Markup {
  const rest = [
    { href: '#not-judged', title: 'Not judged', count: report.counts.notJudged },
    { href: '#evidence', title: 'Depth of evidence', count: report.evidence.length },
    { href: '#observations', title: 'Observed choices', count: report.observations.length },
    { href: '#created', title: 'Created on the target', count: report.created.length },
  ];
  return html`<nav class="overview" aria-label="Contents">
    <ol>
      ${sections.map(
        ({ number, title, checks }) =>
          html`<li>
            <a href="#${sectionId(number)}"
              ><span class="number">${number}</span> <span>${title}</span>
              <span class="tally">${passedOf(checks)}</span></a
            >
            <div
              class="cells"
              aria-hidden="true"
              ${checks.every(({ status }) => status === 'pass') && trusted(' data-whole=""')}
            >
              ${checks.map(
                (check) =>
                  html`<a
                    class="cell"
                    tabindex="-1"
                    data-status="${check.status}"
                    href="#${anchors(check)}"
                    title="${statusWords[check.status]}: ${check.title}"
                    >${icon(check.status)}</a
                  >`,
              )}
            </div>
          </li>`,
      )}
    </ol>
    <ul>
      ${rest.map(
        ({ href, title, count }) =>
          count > 0 &&
          html`<li>
            <a href="${href}"><span>${title}</span> <span class="tally">${grouped(count)}</span></a>
          </li>`,
      )}
    </ul>
  </nav>`;
}

const sectionId = (number: string): string => `section-${number.replace(/[^\w.]+/g, '-') || 'other'}`;

function passedOf(checks: Section['checks']): string {
  return `${checks.filter(({ status }) => status === 'pass').length}/${checks.length}`;
}

function toolbar({ counts, checks }: Report): Markup | undefined {
  if (checks.length === 0) return undefined;
  const chips = [
    { value: 'all', words: 'All', count: checks.length },
    ...statuses.map((status) => ({ value: status, words: statusWords[status], count: countOf(counts, status) })),
  ].filter(({ count }) => count > 0);
  return html`<div class="toolbar">
    <fieldset class="chips">
      <legend>Show</legend>
      ${chips.map(
        ({ value, words, count }) =>
          html`<label
            ><input
              type="radio"
              name="status"
              id="status-${value}"
              value="${value}"
              ${value === 'all' && trusted(' checked=""')}
            /><span>${value !== 'all' && icon(value)}${words} <b>${grouped(count)}</b></span></label
          > `,
      )}
    </fieldset>
    <div class="tools" data-needs-script="" hidden="">
      <label class="search"
        ><span class="sr">Search the checks</span
        ><input
          id="search"
          type="search"
          placeholder="Search"
          autocomplete="off"
          spellcheck="false"
          aria-keyshortcuts="/"
      /></label>
      <button type="button" id="open-all">Open all</button>
      <button type="button" id="close-all">Close all</button>
      <output id="shown" for="search"></output>
    </div>
  </div>`;
}

function group({ number, title, checks }: Section, context: CheckContext): Markup {
  const passed = checks.filter(({ status }) => status === 'pass').length;
  return html`<section class="group" id="${sectionId(number)}">
    <h3>
      <span class="number">${number}</span> <span>${title === '' ? 'Other' : title}</span>
      <span class="tally">${passed} of ${checks.length} passed</span>
    </h3>
    <div class="stack">${checks.map((check) => checkElement(check, context))}</div>
  </section>`;
}

function footer({ tool, seed }: Report, includeBodies: boolean): Markup {
  return html`<footer>
    <div class="wrap">
      <h2>How to read this</h2>
      <dl class="legend">
        <div>
          <dt>${icon('pass')} Passed</dt>
          <dd>The fact holds wherever the run looked.</dd>
        </div>
        <div>
          <dt>${icon('fail')} Failed</dt>
          <dd>The target breaks a requirement, and the exchanges show it.</dd>
        </div>
        <div>
          <dt>${icon('not-judged')} Not judged</dt>
          <dd>The means were missing: an id, a token, data.</dd>
        </div>
        <div>
          <dt>${icon('error')} Runner error</dt>
          <dd>The runner itself broke. Not the target’s fault.</dd>
        </div>
        <div>
          <dt><span class="lane">stated</span></dt>
          <dd>The specification says it.</dd>
        </div>
        <div>
          <dt><span class="lane">derived</span></dt>
          <dd>A stated operation has no meaning without it.</dd>
        </div>
      </dl>
      <p>
        ${includeBodies ? 'Bodies are shown with their values.' : 'Bodies show types in place of values; --include-bodies shows the values.'}
        Tokens are never shown. The same random choices again: <code>--seed ${seed}</code>.
      </p>
      <p>${tool.name} ${tool.version}</p>
    </div>
  </footer>`;
}
