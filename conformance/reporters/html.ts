import { createHash } from 'node:crypto';
import { visible } from '../redact.ts';
import { gaps } from '../../spec/index.ts';
import type { CreatedOnTarget, Evidence, Observation, Outcome, Report, Status } from '../report.ts';
import { anchorsOf, checkElement, icon, type Anchors, type CheckContext } from './html-check.ts';
import { html, trusted, type Markup } from './html-markup.ts';
import { script } from './html-script.ts';
import { style } from './html-style.ts';
import { bySection, compareSections, type Section } from './sections.ts';
import {
  countOf,
  counted,
  depthOf,
  duration,
  grouped,
  outcomeWords,
  statuses,
  statusWords,
  unjudgedBySupply,
} from './wording.ts';

export interface HtmlOptions {
  readonly color?: boolean;
  /** Shows the values in bodies, and not only their types. */
  readonly includeBodies?: boolean;
}

/**
 * The report as one HTML file that asks nothing of the network. All of it can be read without JavaScript, which adds
 * search, copying and opening all at once.
 */
export const htmlReporter = (report: Report, { includeBodies = false }: HtmlOptions = {}): string => {
  const anchors = anchorsOf(report.checks);
  const sections = bySection(report.checks);
  const context: CheckContext = {
    anchors,
    baseUrl: report.target.baseUrl,
    includeBodies,
    opensFailures: report.counts.fail <= FEW_FAILURES,
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
            ${notJudged(report, anchors)} ${evidence(report)} ${observations(report.observations)}
            ${created(report.created)}
          </main>
        </div>
        ${footer(report, includeBodies)} ${trusted(`<script>${script}</script>`)}
      </body>
    </html>`;
  return `${page.markup}\n`;
};

/** So many failures are open from the start. */
const FEW_FAILURES = 3;

/** So many failures are named under the verdict. */
const MAX_DIGEST = 5;

let knownPolicy: string | undefined;

/** Nothing may be loaded, and nothing run but our own style and script, which the browser knows by their hashes. */
function policy(): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  knownPolicy ??= [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${hash(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return knownPolicy;
}

const SYMBOLS = `<svg class="symbols" aria-hidden="true" focusable="false">
<symbol id="i-pass" viewBox="0 0 16 16"><path d="M3.5 8.5l3 3 6-7" /></symbol>
<symbol id="i-fail" viewBox="0 0 16 16"><path d="M4.5 4.5l7 7m0-7l-7 7" /></symbol>
<symbol id="i-not-judged" viewBox="0 0 16 16"><path d="M4 8h8" /></symbol>
<symbol id="i-error" viewBox="0 0 16 16"><path d="M8 3.5v5.5m0 3v.5" /></symbol>
</svg>`;

const verdictStatus: Readonly<Record<Outcome, Status>> = {
  conformant: 'pass',
  partial: 'not-judged',
  nonconformant: 'fail',
  unreachable: 'error',
};

const FAVICON_COLORS: Readonly<Record<Status, string>> = {
  pass: '1f7a4d',
  fail: 'b3261e',
  'not-judged': '8a5a00',
  error: '6b3fa0',
};

function favicon(outcome: Outcome): string {
  const color = FAVICON_COLORS[verdictStatus[outcome]];
  const image = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><circle cx='8' cy='8' r='7' fill='#${color}'/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(image)}`;
}

function titleOf({ outcome, target }: Report): string {
  return `${outcomeWords[outcome]}: ${target.baseUrl}`;
}

function header(report: Report, anchors: Anchors): Markup {
  const { outcome, summary, target, counts, checks } = report;
  const { typed, seen } = depthOf(report);
  const needsSupply = counts.notJudged > 0;
  return html`<header class="verdict">
    <div class="wrap">
      <p class="brand"><b>agent-contract</b> conformance report</p>
      <h1>${icon(verdictStatus[outcome])}<span>${outcomeWords[outcome]}</span></h1>
      <p class="target"><bdi>${target.baseUrl}</bdi></p>
      <p class="summary"><bdi>${summary}</bdi>${needsSupply && html` <a href="#not-judged">What was not judged</a>`}</p>
      ${checks.length > 0 && tallyBar(report)}
      <ul class="counts">
        ${statuses
          .filter((status) => status !== 'error' || counts.error > 0)
          .map(
            (status) =>
              html`<li data-status="${status}">
                ${icon(status)}<b>${grouped(countOf(counts, status))}</b> ${countWords[status]}
              </li>`,
          )}
      </ul>
      ${digest(report, anchors)}
      <dl class="facts">
        <div>
          <dt>Started</dt>
          <dd>${moment(report.startedAt)}</dd>
        </div>
        <div>
          <dt>Took</dt>
          <dd>${duration(report.durationMs)}</dd>
        </div>
        <div>
          <dt>Requests</dt>
          <dd>${grouped(report.requests)}</dd>
        </div>
        ${
          typed > 0 &&
          html`<div>
            <dt>Typed locations seen</dt>
            <dd><a href="#evidence">${grouped(seen)} of ${grouped(typed)}</a></dd>
          </div>`
        }
        <div>
          <dt>Seed</dt>
          <dd><code>${report.seed}</code></dd>
        </div>
      </dl>
    </div>
  </header>`;
}

const countWords: Readonly<Record<Status, string>> = {
  pass: 'passed',
  fail: 'failed',
  'not-judged': 'not judged',
  error: 'runner error',
};

/** What failed, at a glance. */
function digest({ checks }: Report, anchors: Anchors): Markup | false {
  const failed = checks.filter(({ status }) => status === 'fail');
  const rest = failed.length - MAX_DIGEST;
  return (
    failed.length > 0 &&
    html`<ol class="digest" aria-label="What failed">
      ${failed.slice(0, MAX_DIGEST).map(
        (check) =>
          html`<li>
            <a href="#${anchors(check)}"><bdi>${check.title}</bdi></a>
            ${check.failure && html`<span>met <bdi>${check.failure.actual}</bdi></span>`}
          </li>`,
      )}
      ${rest > 0 && html`<li><span>and ${counted(rest, 'more failure')} below</span></li>`}
    </ol>`
  );
}

function tallyBar({ counts, checks }: Report): Markup {
  const parts = statuses.map((status) => ({ name: status, size: countOf(counts, status) }));
  const words = statuses.map((status) => `${countOf(counts, status)} ${countWords[status]}`).join(', ');
  return bar(parts, checks.length, words);
}

const WIDTH = 1000;
const THINNEST = 10;

/** A bar of `whole` in parts; what is left over stays empty. */
function bar(parts: readonly { readonly name: string; readonly size: number }[], whole: number, words: string): Markup {
  const present = parts.filter(({ size }) => size > 0);
  const widths = present.map(({ size }) => Math.max((size / Math.max(whole, 1)) * WIDTH, THINNEST));
  const scale = Math.min(1, WIDTH / widths.reduce((sum, width) => sum + width, 0));
  let start = 0;
  const rectangles = present.map(({ name }, index) => {
    const width = (widths[index] ?? 0) * scale;
    const rectangle = html`<rect
      class="${name}"
      x="${start.toFixed(1)}"
      y="0"
      width="${(width - 3).toFixed(1)}"
      height="10"
    />`;
    start += width;
    return rectangle;
  });
  return html`<svg class="bar" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" role="img" aria-label="${words}">
    ${rectangles}
  </svg>`;
}

/** RFC 3339 as a person writes it; anything else as it is. */
function moment(text: string): Markup {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(text) ?? [];
  if (date === undefined || time === undefined) return html`<bdi>${text}</bdi>`;
  return html`<time datetime="${text}">${date} ${time} UTC</time>`;
}

/** Every check as a small square under its section: at once a map and a table of contents. */
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
  if (checks.length === 0)
    return html`<div hidden="">
      <input id="search" /><span id="shown"></span><button id="open-all"></button><button id="close-all"></button>
    </div>`;
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

function notJudged({ checks }: Report, anchors: Anchors): Markup | false {
  const groups = unjudgedBySupply(checks);
  return (
    groups.length > 0 &&
    html`<section id="not-judged" aria-labelledby="not-judged-title">
      <h2 id="not-judged-title">Not judged</h2>
      <p class="hint">The means were missing. This says nothing about the target, neither good nor bad.</p>
      <ul class="cards">
        ${groups.map(
          ({ supply, checks: members, reasons }) =>
            html`<li class="card">
              <h3>
                ${supply === undefined ? 'Nothing that you could supply' : html`Supply <bdi class="supply">${supply}</bdi>`}
                <span class="tally">${counted(members.length, 'check')}</span>
              </h3>
              ${reasons.map(
                (reason) =>
                  html`<p class="why"><bdi>${reason.says}</bdi></p>
                    <ul class="plain">
                      ${reason.checks.map(
                        (check) =>
                          html`<li>
                            <a href="#${anchors(check)}"><bdi>${check.title}</bdi></a>
                          </li>`,
                      )}
                    </ul>`,
              )}
            </li>`,
        )}
      </ul>
    </section>`
  );
}

function evidence(report: Report): Markup | false {
  if (report.evidence.length === 0) return false;
  const { typed, seen, nulls } = depthOf(report);
  const allNulls = nulls > 0 ? `, ${counted(nulls, 'place')} seen as null` : '';
  return html`<section id="evidence" aria-labelledby="evidence-title">
    <h2 id="evidence-title">Depth of evidence</h2>
    <p class="hint">
      Judged ${grouped(seen)} of ${grouped(typed)} typed locations${allNulls}. What was never seen was never judged: a
      field that no answer holds can break nothing.
    </p>
    <ul class="cards">
      ${report.evidence.map(evidenceOf)}
    </ul>
  </section>`;
}

function evidenceOf({ schema, typed, seenValid, seenNull, neverSeen }: Evidence): Markup {
  const nulls = Math.max(0, Math.min(seenNull, typed - seenValid - neverSeen.length));
  const words = `${seenValid} of ${typed} seen valid, ${seenNull} seen as null, ${neverSeen.length} never seen`;
  return html`<li class="card evidence">
    <h3>
      <code>${schema}</code>
      <span class="tally"
        >${grouped(seenValid)} of ${grouped(typed)}${seenNull > 0 && `, ${grouped(seenNull)} as null`}</span
      >
    </h3>
    ${bar(
      [
        { name: 'valid', size: seenValid },
        { name: 'null', size: nulls },
      ],
      typed,
      words,
    )}
    ${
      neverSeen.length > 0 &&
      html`<details>
        <summary>${counted(neverSeen.length, 'place')} never seen</summary>
        <ul class="pointers">
          ${neverSeen.map((pointer) => html`<li><code>${pointer === '' ? 'the whole body' : pointer}</code></li>`)}
        </ul>
      </details>`
    }
  </li>`;
}

function observations(all: readonly Observation[]): Markup | false {
  if (all.length === 0) return false;
  const ordered = all.toSorted((one, other) => compareSections(one.section, other.section));
  return html`<section id="observations" aria-labelledby="observations-title">
    <h2 id="observations-title">Observed choices</h2>
    <p class="hint">The specification leaves these open. Whatever the target does here, it is never a failure.</p>
    <ul class="choices">
      ${ordered.map(
        ({ gap, section, question, choice, seen }) =>
          html`<li>
            <p class="question"><span class="number">${section}</span> <bdi>${question}</bdi></p>
            <p class="choice">
              ${choice === undefined ? html`<span class="unknown">None of the answers we know</span>` : html`<bdi>${choiceWords(gap, choice)}</bdi>`}
            </p>
            <p class="seen">Seen: <bdi>${seen}</bdi></p>
          </li>`,
      )}
    </ul>
  </section>`;
}

function choiceWords(gap: Observation['gap'], choice: string): string {
  const { choices } = Object.hasOwn(gaps, gap) ? gaps[gap] : { choices: {} as Readonly<Record<string, string>> };
  return Object.hasOwn(choices, choice) ? (choices[choice] ?? choice) : choice;
}

function created(all: readonly CreatedOnTarget[]): Markup | false {
  return (
    all.length > 0 &&
    html`<section id="created" aria-labelledby="created-title">
      <h2 id="created-title">Created on the target</h2>
      <p class="hint">The service has no operation that deletes, so these stay until somebody removes them.</p>
      <ul class="created">
        ${all.map(
          ({ kind, id, name }) =>
            html`<li><span class="kind">${kind}</span> <code>${id}</code> <bdi>${name}</bdi></li>`,
        )}
      </ul>
    </section>`
  );
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
