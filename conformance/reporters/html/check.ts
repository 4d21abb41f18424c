import { STATUS_CODES } from 'node:http';
import type { CheckReport, FailureReport, RecordedExchange, Status } from '../../report/report.ts';
import { viewBody, type BodyView } from '../body/body.ts';
import { html, lineFeed, multiline, trusted, type Markup } from './markup.ts';
import {
  brokenFirst,
  counted,
  derivationOf,
  duration,
  findingLine,
  grouped,
  placeWords,
  statusWords,
} from '../wording/wording.ts';

/** The URL fragment of each check. */
export type Anchors = (check: CheckReport) => string;

/** Gives each check a unique fragment, even if ids repeat. */
export function anchorsOf(checks: readonly CheckReport[]): Anchors {
  const taken = new Set<string>();
  const anchors = new Map<CheckReport, string>();
  for (const check of checks) {
    const base = `check-${check.id.replace(/[^\w.-]+/g, '-').slice(0, 80)}`;
    let anchor = base;
    for (let number = 2; taken.has(anchor); number++) anchor = `${base}-${number}`;
    taken.add(anchor);
    anchors.set(check, anchor);
  }
  return (check) => anchors.get(check) ?? '';
}

/** The icon of a status; the text beside it says the same. */
export function icon(status: string): Markup {
  return html`<svg class="icon" data-status="${status}" aria-hidden="true" focusable="false">
    <use href="#i-${status}"></use>
  </svg>`;
}

export interface CheckContext {
  readonly anchors: Anchors;
  readonly baseUrl: string;
  readonly includeBodies: boolean;
  /** Whether failures are expanded at first. */
  readonly opensFailures: boolean;
  /** Why the check's failure is known and accepted. */
  readonly known: (check: CheckReport) => string | undefined;
}

/** One check: a summary line, and its details. */
export function checkElement(check: CheckReport, context: CheckContext): Markup {
  const { id, title, status, judged, failure, reason } = check;
  const known = context.known(check);
  const open = status === 'fail' && known === undefined && context.opensFailures && trusted(' open=""');
  return html`<details class="check" id="${context.anchors(check)}" data-status="${status}" data-id="${id}" ${open}>
    <summary>
      ${icon(status)}
      <span class="what"
        ><span class="title"><span class="sr">${statusWords[status]}: </span><bdi>${title}</bdi></span>
        <code class="id">${id}</code> ${known !== undefined && html`<span class="lane">known</span>`}
        ${
          failure &&
          html`<span class="brief"
            ><span><b>expected</b> <bdi>${failure.expected}</bdi></span>
            <span><b>got</b> <bdi>${failure.actual}</bdi></span>
            ${failure.at !== undefined && html`<span><b>at</b> <bdi>${placeWords(failure.at)}</bdi></span>`}</span
          >`
        }
        ${!failure && reason !== undefined && html`<span class="brief"><bdi>${reason.split('\n', 1)[0]}</bdi></span>`}</span
      >
      <span class="took">${judged > 0 && html`judged on ${judged}`}</span>
    </summary>
    <div class="details">
      ${failure ? finding(failure) : remark(check)}
      ${known !== undefined && html`<p class="at">Known to the baseline: <bdi>${known}</bdi></p>`}
      ${requirementList(check)}
      ${failure?.exchanges.map((_exchange, index) => exchangeElement(failure, index, context))} ${proof(check)}
    </div>
  </details>`;
}

function remark({ status, reason, supply }: CheckReport): Markup | undefined {
  if (reason === undefined) return undefined;
  return html`<div class="reason">
    <p class="label">${reasonLabels[status]}</p>
    <pre class="wrapped" dir="auto" tabindex="0">${multiline(reason)}</pre>
    ${
      supply !== undefined &&
      html`<p class="label">What to supply</p>
        <p><bdi class="supply">${supply}</bdi></p>`
    }
  </div>`;
}

const reasonLabels: Readonly<Record<Status, string>> = {
  pass: 'Remark',
  fail: 'Why it failed',
  'not-judged': 'Why it was not judged',
  error: 'How the runner broke (not a fault of the target)',
};

function finding({ expected, actual, at, more = [] }: FailureReport): Markup {
  return html`<dl class="versus">
      <div class="expected">
        <dt>Expected</dt>
        <dd><bdi>${expected}</bdi></dd>
      </div>
      <div class="actual">
        <dt>Actual</dt>
        <dd><bdi>${actual}</bdi></dd>
      </div>
    </dl>
    ${at !== undefined && html`<p class="at">At ${pointer(at)} in the answer’s body</p>`}
    ${
      more.length > 0 &&
      html`<details class="more">
        <summary>${counted(more.length, 'more place')} of the same check</summary>
        <ul>
          ${more.map(
            (one) =>
              html`<li>
                ${one.at !== undefined && html`<p>${pointer(one.at)}</p>`}
                <p><bdi>${findingLine(one)}</bdi></p>
              </li>`,
          )}
        </ul>
      </details>`
    }`;
}

function pointer(at: string): Markup {
  return at === '' ? html`the whole` : html`<code>${at}</code>`;
}

function exchangeElement({ exchanges, at }: FailureReport, index: number, context: CheckContext): Markup {
  const exchange = exchanges[index];
  if (!exchange) return html``;
  const { includeBodies } = context;
  const { method, url, curl, requestHeaders = {}, requestBody, headers = {}, body, durationMs } = exchange;
  const isDecisive = index === exchanges.length - 1;
  const heading =
    exchanges.length === 1
      ? 'The exchange'
      : `Exchange ${index + 1} of ${exchanges.length}${isDecisive ? ', the decisive one' : ''}`;
  return html`<div class="exchange">
    <p class="label">${heading}</p>
    <div class="sides">
      <div class="side">
        <p class="label">Request</p>
        <p class="first"><b>${method}</b> <bdi class="url">${below(context.baseUrl, url)}</bdi></p>
        ${headerList(requestHeaders)} ${bodyElement(requestBody, { includeBodies, at: undefined, of: 'the request' })}
      </div>
      <div class="side">
        <p class="label">
          Answer${durationMs !== undefined && html` <span class="took">after ${duration(durationMs)}</span>`}
        </p>
        ${firstLine(exchange)} ${foldedHeaders(headers)}
        ${bodyElement(body, { includeBodies, at: isDecisive ? at : undefined, of: 'the answer' })}
      </div>
    </div>
    <div class="curl">
      <p class="label">The same again, with <code>$TOKEN</code> set</p>
      <pre tabindex="0"><code>${curl}</code></pre>
    </div>
  </div>`;
}

/** The base URL is at the top of the report; the path below it distinguishes requests. */
function below(baseUrl: string, url: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  return url.startsWith(`${base}/`) ? url.slice(base.length) : url;
}

function firstLine({ status, failure }: RecordedExchange): Markup {
  if (status === undefined) return html`<p class="first none"><b>No answer</b> <bdi>${failure}</bdi></p>`;
  const words = STATUS_CODES[status];
  return html`<p class="first"><b>${status}</b> ${words}</p>
    ${failure !== undefined && html`<p><bdi>${failure}</bdi></p>`}`;
}

/** A header that sets a session is as good as a token, and the run does not know it as a secret. */
const PRIVATE = /^(?:set-cookie|cookie)$/i;

function headerList(headers: Readonly<Record<string, string>>): Markup | false {
  const all = Object.entries(headers);
  return (
    all.length > 0 &&
    html`<dl class="headers">
      ${all.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${PRIVATE.test(name) ? '(not shown)' : value}</dd>
          </div>`,
      )}
    </dl>`
  );
}

function foldedHeaders(headers: Readonly<Record<string, string>>): Markup | false {
  const number = Object.keys(headers).length;
  return (
    number > 0 &&
    html`<details>
      <summary>${counted(number, 'header')}</summary>
      ${headerList(headers)}
    </details>`
  );
}

interface BodyContext {
  readonly includeBodies: boolean;
  readonly at: string | undefined;
  readonly of: 'the request' | 'the answer';
}

function bodyElement(body: string | undefined, { includeBodies, at, of }: BodyContext): Markup | false {
  if (body === undefined) return false;
  if (body === '') return html`<p class="hint">Its body is empty.</p>`;
  const view = viewBody(body, { values: includeBodies, at });
  if (view) {
    return html`<pre class="body wrapped" tabindex="0" aria-label="Body of ${of}">${outline(view)}</pre>
      ${view.place === 'beyond' && html`<p class="hint">The failing place lies beyond the part of the body that was kept.</p>`}`;
  }
  if (includeBodies)
    return html`<pre class="body wrapped" dir="auto" tabindex="0" aria-label="Body of ${of}">${multiline(body)}</pre>`;
  return html`<p class="hint">${grouped(body.length)} characters that are not JSON.</p>`;
}

/** Lines this close to the place are marked as near. */
const NEAR = 6;

function outline({ lines }: BodyView): readonly Markup[] {
  const place = lines.findIndex(({ isPlace }) => isPlace);
  return lines.map(({ indent, parts, isPlace }, index) => {
    const near = place >= 0 && Math.abs(index - place) <= NEAR && ' near';
    const inner = parts
      .filter(({ text }) => text !== '')
      .map(({ kind, text }) => (kind === 'mark' ? html`${text}` : html`<span class="${kind}">${text}</span>`));
    const margin = '  '.repeat(indent);
    return html`<span class="line in-${indent}${near}"
      >${margin}${isPlace ? html`<mark>${inner}</mark>` : inner}${lineFeed}</span
    >`;
  });
}

function requirementList(check: CheckReport): Markup {
  const requirements = brokenFirst(check);
  return html`<div class="requirements">
    <p class="label">${requirements.length === 1 ? 'Requirement' : 'Requirements'}</p>
    <ul>
      ${requirements.map((requirement) => {
        const { id, section, lane, statement } = requirement;
        const derivation = derivationOf(requirement);
        return html`<li>
          <p>
            ${statement}
            <span class="source"><span class="lane">${lane}</span> section ${section} <code>${id}</code></span>
          </p>
          ${derivation !== undefined && html`<p class="derivation">${derivation}</p>`}
        </li>`;
      })}
    </ul>
  </div>`;
}

const FEW = 8;

function proof({ provenBy: violations }: CheckReport): Markup | false {
  if (violations.length === 0) return false;
  const list = html`<ul>
    ${violations.map(({ id, does }) => html`<li><bdi>${does}</bdi> <code>${id}</code></li>`)}
  </ul>`;
  return html`<div class="proven">
    <p class="label">Proven to catch</p>
    <p class="hint">
      Committed on purpose, ${violations.length === 1 ? 'this' : 'each of these'} makes the check fail; what the
      specification permits does not.
    </p>
    ${
      violations.length <= FEW
        ? list
        : html`<details>
            <summary>${counted(violations.length, 'violation')}</summary>
            ${list}
          </details>`
    }
  </div>`;
}
