import type { Outcome, Report, Status } from '../../report/report.ts';
import { bar } from './bar.ts';
import { icon, type Anchors } from './check.ts';
import { html, type Markup } from './markup.ts';
import { knownEntry } from '../wording/known.ts';
import {
  countOf,
  counted,
  depthOf,
  duration,
  findingLine,
  grouped,
  outcomeWords,
  statuses,
} from '../wording/wording.ts';

/** Most failures that are listed under the verdict. */
const MAX_DIGEST = 5;

/** An outcome has the icon of this status. */
export const statusOfOutcome: Readonly<Record<Outcome, Status>> = {
  conformant: 'pass',
  partial: 'not-judged',
  nonconformant: 'fail',
  unreachable: 'error',
};

/** The verdict, its basis, and the failures. */
export function header(report: Report, anchors: Anchors): Markup {
  const { outcome, summary, target, counts, checks } = report;
  const { typed, seen } = depthOf(report);
  const needsSupply = counts.notJudged > 0;
  return html`<header class="verdict">
    <div class="wrap">
      <p class="brand"><b>agent-contract</b> conformance report</p>
      <h1>${icon(statusOfOutcome[outcome])}<span>${outcomeWords[outcome]}</span></h1>
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
      ${digest(report, anchors)} ${baselineNews(report, anchors)}
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

/** The new failures, at a glance. */
function digest(report: Report, anchors: Anchors): Markup | false {
  const failed = report.checks.filter((check) => check.status === 'fail' && !knownEntry(report, check));
  const rest = failed.length - MAX_DIGEST;
  return (
    failed.length > 0 &&
    html`<ol class="digest" aria-label="What failed">
      ${failed.slice(0, MAX_DIGEST).map(
        (check) =>
          html`<li>
            <a href="#${anchors(check)}"><bdi>${check.title}</bdi></a>
            ${check.failure && html`<span><bdi>${findingLine(check.failure)}</bdi></span>`}
          </li>`,
      )}
      ${rest > 0 && html`<li><span>and ${counted(rest, 'more failure')} below</span></li>`}
    </ol>`
  );
}

function baselineNews({ baseline, checks }: Report, anchors: Anchors): Markup | undefined {
  if (!baseline) return undefined;
  const { verdict, known, news } = baseline;
  const words = known.length === 0 ? 'no known findings' : counted(known.length, 'known finding');
  const others = news.filter(({ kind }) => kind !== 'new-failure');
  return html`<div class="baseline" data-verdict="${verdict}">
    <p><b>${verdict === 'news' ? 'Different from the baseline' : 'Nothing new since the baseline'}</b>, ${words}.</p>
    <ul>
      ${others.map(({ check: id, says }) => {
        const check = checks.find((one) => one.id === id);
        return html`<li>
          ${check ? html`<a href="#${anchors(check)}"><bdi>${says}</bdi></a>` : html`<bdi>${says}</bdi>`}
        </li>`;
      })}
    </ul>
  </div>`;
}

function tallyBar({ counts, checks }: Report): Markup {
  const parts = statuses.map((status) => ({ name: status, size: countOf(counts, status) }));
  const words = statuses.map((status) => `${countOf(counts, status)} ${countWords[status]}`).join(', ');
  return bar(parts, checks.length, words);
}

/** RFC 3339 in a readable form; anything else unchanged. */
function moment(text: string): Markup {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(text) ?? [];
  if (date === undefined || time === undefined) return html`<bdi>${text}</bdi>`;
  return html`<time datetime="${text}">${date} ${time} UTC</time>`;
}
