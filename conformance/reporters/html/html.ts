import type { Report, Reporter, Status } from '../../report/report.ts';
import type { BodyOutline } from '../outline/body.ts';
import type { CheckItem, ExchangeItem, MessageItem } from '../outline/check-item.ts';
import type { Entry, LinePiece } from '../outline/line.ts';
import { outlineOf, type CheckGroup, type Outline } from '../outline/outline.ts';
import type { Section } from '../outline/sections.ts';
import { present } from '../../collections.ts';
import { counted, optional } from '../../show.ts';
import { marks } from '../text.ts';
import words from '../wording/words.json';
import { html, multiline, trusted, type Markup } from './markup.ts';
import { htmlPage } from './page.ts';

/** The report as one HTML file without scripts, which makes no network requests. */
export const htmlReporter = (report: Report, { includeBodies }: Partial<Parameters<Reporter>[1]> = {}): string => {
  const outline = outlineOf(report, { includeBodies });
  const { look, verdict, target, tool, checks, causes, sections } = outline;
  const body = html`${header(outline)}
    <div class="layout">
      ${overview(outline)}
      <main>
        ${toolbar(outline)}
        <section id="checks" aria-label="Checks" tabindex="-1">
          ${checks.map((group) => groupElement(group, report.counts.fail <= FEW_FAILURES))}
          ${checks.length === 0 && html`<p class="empty">No check was run.</p>`}
        </section>
        ${present(causes, ...sections).map(sectionElement)}
      </main>
    </div>
    ${footer(tool, includeBodies)}`;
  return htmlPage({ title: `${verdict}: ${target}`, look, skip: ['checks', 'Skip to the checks'], body });
};

const FEW_FAILURES = 3;
const MOST_AT_A_GLANCE = 5;

/** The mark of a status; the text beside it says the same. */
export function mark(status: Status): Markup {
  return html`<span class="mark" data-status="${status}" aria-hidden="true">${marks[status]}</span>`;
}

const anchor = (check: string): string => `check-${check.replace(/[^\w.-]+/g, '-').slice(0, 80)}`;
const groupAnchor = (number: string): string => `section-${number.replace(/[^\w.]+/g, '-') || 'other'}`;

function header({ look, verdict, target, summary, counts, facts, checks, baseline }: Outline): Markup {
  const failed = checks.flatMap(({ items }) => items).filter(({ status, isKnown }) => status === 'fail' && !isKnown);
  const rest = failed.length - MOST_AT_A_GLANCE;
  return html`<header class="verdict">
    <p class="brand"><b>agent-contract</b> conformance report</p>
    <h1>${mark(look)} <span>${verdict}</span></h1>
    <p class="target"><bdi>${target}</bdi></p>
    <p class="summary"><bdi>${summary}</bdi></p>
    <ul class="counts">
      ${counts.map(({ status, text }) => html`<li data-status="${status}">${mark(status)} ${text}</li>`)}
    </ul>
    ${
      failed.length > 0 &&
      html`<ol class="digest" aria-label="What failed">
        ${failed.slice(0, MOST_AT_A_GLANCE).map(
          ({ id, title, brief }) =>
            html`<li>
              <a href="#${anchor(id)}"><bdi>${title}</bdi></a> <span><bdi>${brief}</bdi></span>
            </li>`,
        )}
        ${rest > 0 && html`<li><span>and ${counted(rest, 'more failure')} below</span></li>`}
      </ol>`
    }
    ${baseline && sectionElement(baseline)} ${definitions('facts', facts)}
  </header>`;
}

/** Every check as a small mark under its section: a map and a table of contents in one. */
function overview({ checks, causes, sections }: Outline): Markup {
  const cell = ({ id, title, status }: CheckItem): Markup =>
    html`<a href="#${anchor(id)}" title="${title}" tabindex="-1">${mark(status)}</a>`;
  return html`<nav class="overview" aria-label="Contents">
    <ol>
      ${checks.map(
        ({ number, title, tally, items }) =>
          html`<li>
            <a href="#${groupAnchor(number)}"><span class="number">${number}</span> ${title}</a>
            <span class="tally">${tally}</span>
            <div class="cells" aria-hidden="true">${items.map(cell)}</div>
          </li>`,
      )}
      ${present(causes, ...sections).map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
    </ol>
  </nav>`;
}

/** The style alone does what these ask for. */
function toolbar({ counts, checks }: Outline): Markup | undefined {
  if (checks.length === 0) return undefined;
  const choices = counts.filter(({ count }) => count > 0);
  return html`<fieldset class="toolbar">
    <legend>Show</legend>
    <label><input type="radio" name="status" id="status-all" checked="" /> all</label>
    ${choices.map(
      ({ status, text }) =>
        html`<label><input type="radio" name="status" id="status-${status}" /> ${mark(status)} ${text}</label>`,
    )}
    <label><input type="checkbox" id="open-all" /> with details</label>
  </fieldset>`;
}

function groupElement({ number, title, tally, items }: CheckGroup, opensFailures: boolean): Markup {
  return html`<section class="group" id="${groupAnchor(number)}">
    <h2><span class="number">${number}</span> ${title} <span class="tally">${tally}</span></h2>
    ${items.map((item) => checkElement(item, opensFailures))}
  </section>`;
}

/** The anchor is inside, so that a link to it opens the check. */
export function checkElement(item: CheckItem, opensFailures: boolean): Markup {
  const { id, title, status, brief, judged, isKnown, facts, exchanges, proof } = item;
  const isOpen = status === 'fail' && !isKnown && opensFailures;
  return html`<details class="check" data-status="${status}" data-id="${id}" ${isOpen && trusted('open=""')}>
    <summary>
      ${mark(status)}
      <span class="what"
        ><span class="sr">${status}: </span><bdi class="title">${title}</bdi>
        <code class="id">${id}</code> ${isKnown && html`<span class="badge">known</span>`}
        ${brief !== undefined && html`<span class="brief"><bdi>${brief}</bdi></span>`}</span
      >
      ${judged > 0 && html`<span class="tally">judged on ${judged}</span>`}
    </summary>
    <div class="details" id="${anchor(id)}">
      <dl class="facts-of">
        ${facts.map(
          ({ label, line }) =>
            html`<div class="${label}">
              <dt>${label}</dt>
              <dd>${line.map(pieceElement)}</dd>
            </div>`,
        )}
      </dl>
      ${exchanges.map(exchangeElement)}
      ${proof.length > 0 && folded(`Proven to catch ${counted(proof.length, 'violation')}`, listOf(proof))}
    </div>
  </details>`;
}

function exchangeElement({ title, curl, request, answer }: ExchangeItem): Markup {
  const took = `Answer${optional` after ${answer.took}`}`;
  return html`<div class="exchange">
    <p class="label">${title}</p>
    <div class="sides">${messageElement('Request', request)} ${messageElement(took, answer)}</div>
    <p class="label">The same again, with <code>$TOKEN</code> set</p>
    <pre class="curl" tabindex="0"><code>${curl}</code></pre>
  </div>`;
}

function messageElement(name: string, { line, headers, body, bodyTitle, remark }: MessageItem): Markup {
  const names = headers.map(([key, value]) => html`<li><bdi>${key}</bdi>: <bdi>${value}</bdi></li>`);
  return html`<div class="side">
    <p class="label">${name}</p>
    <p class="first"><bdi>${line}</bdi></p>
    ${
      names.length > 0 &&
      folded(
        counted(names.length, 'header'),
        html`<ul class="headers">
          ${names}
        </ul>`,
      )
    }
    ${body && html`<div role="group" aria-label="${bodyTitle}">${bodyElement(body)}</div>`}
    ${remark !== undefined && html`<p class="hint">${remark}</p>`}
  </div>`;
}

/** The lines near the place; the others are folded. */
function bodyElement({ lines, place, from, to }: BodyOutline): Markup {
  const block = (some: readonly string[], first: number): Markup =>
    html`<pre dir="auto" tabindex="0">
${some.map((line, index) => {
        const marked = first + index === place && html`<mark>${line}</mark>`;
        return html`${index > 0 && trusted('\n')}${marked || line}`;
      })}</pre>`;
  return html`${from > 0 && folded(`${counted(from, 'line')} before`, block(lines.slice(0, from), 0))}
  ${block(lines.slice(from, to), from)}
  ${to < lines.length && folded(`${counted(lines.length - to, 'line')} after`, block(lines.slice(to), to))}`;
}

function sectionElement({ id, title, hint, entries, remark, block }: Section): Markup {
  return html`<section class="more" id="${id}">
    <h2>${title}</h2>
    ${hint !== undefined && html`<p class="hint">${hint.charAt(0).toUpperCase()}${hint.slice(1)}.</p>`}
    ${listOf(entries)} ${remark !== undefined && html`<p class="remark">${remark}</p>`}
    ${block !== undefined && html`<pre class="curl" tabindex="0"><code>${multiline(block)}</code></pre>`}
  </section>`;
}

export function listOf(entries: readonly Entry[]): Markup {
  const items = entries.map(({ line, below = [], list: long }) => {
    const literals = long?.literals.map((text) => html`<li><code>${text}</code></li>`);
    const inner = html`<ul class="literals">
      ${literals}
    </ul>`;
    return html`<li>
      ${line.map(pieceElement)} ${long && folded(`${long.literals.length} ${long.title}`, inner)}
      ${below.length > 0 && listOf(below)}
    </li>`;
  });
  return html`<ul>
    ${items}
  </ul>`;
}

export function folded(summary: string, inner: Markup): Markup {
  return html`<details>
    <summary>${summary}</summary>
    ${inner}
  </details>`;
}

function pieceElement(piece: LinePiece): Markup {
  if (typeof piece === 'string') return html`<bdi>${piece}</bdi>`;
  if ('strong' in piece) return html`<b><bdi>${piece.strong}</bdi></b>`;
  if ('quiet' in piece) return html`<span class="quiet">${piece.quiet}</span>`;
  if ('check' in piece) return html`<a href="#${anchor(piece.check)}"><bdi>${piece.title}</bdi></a>`;
  return html`<code>${multiline(piece.literal)}</code>`;
}

function footer(tool: string, includeBodies = false): Markup {
  const bodies = {
    true: 'Bodies are shown with their values.',
    false: 'Bodies show types in place of values; --include-bodies shows the values.',
  }[`${includeBodies}`];
  return html`<footer>
    <h2>How to read this</h2>
    ${definitions('legend', words.legend as Parameters<typeof definitions>[1])}
    <p>${bodies} Tokens are never shown. The seed repeats the same random choices. Written by ${tool}.</p>
  </footer>`;
}

function definitions(name: string, rows: readonly { name: string; value: string; status?: Status }[]): Markup {
  return html`<dl class="${name}">
    ${rows.map(
      ({ status, name: term, value }) =>
        html`<div>
          <dt>${status && mark(status)} ${term}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
