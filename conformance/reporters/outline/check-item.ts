import { STATUS_CODES } from 'node:http';
import type { CheckReport, RecordedExchange, Report } from '../../report/report.ts';
import { visible } from '../../../text/visible.ts';
import { counted, duration, grouped, optional } from '../../show.ts';
import { brokenFirst, derivationOf, knownEntry, reasonOf } from '../wording/wording.ts';
import { briefOf, findingLine, placeWords } from '../../report/findings.ts';
import { outlineJson, windowOf, type BodyOutline } from './body.ts';
import { firstOf, type Entry, type Line, type OutlineOptions, type LinePiece } from './line.ts';

/** One check: a line, and its details. */
export type CheckItem = ReturnType<typeof itemOf>;
export type Fact = CheckItem['facts'][number];

export type ExchangeItem = ReturnType<typeof exchangesOf>[number];

/** A request or an answer. */
export type MessageItem = ExchangeItem['answer'];

export function itemOf(check: CheckReport, report: Pick<Report, 'target' | 'baseline'>, options: OutlineOptions = {}) {
  const { id, title, status, judged = 0 } = check;
  const known = knownEntry(report, check);
  const facts = factsOf(check, options);
  if (known) facts.push({ label: 'known', line: [{ quiet: 'to the baseline: ' }, reasonOf(known)] });
  return {
    id,
    title,
    status,
    /** The finding, or the reason for the status, in one line. */
    brief: briefOf(check),
    /** On how many exchanges, pairs or lists it was judged. */
    judged,
    isKnown: known !== undefined,
    facts,
    /** Those that show the failure, the decisive one first. */
    exchanges: exchangesOf(check, report.target.baseUrl, options),
    proof: proofOf(check, options),
  };
}

/** Details: `expected  at most 100 results`. A page can use the label as a class. */
function factsOf(check: CheckReport, { isShort = false }: OutlineOptions) {
  const { id, status, failure, reason, supply } = check;
  const facts: { label: string; line: Line }[] = [];
  const add = (label: string, ...line: Line): void => void facts.push({ label, line });
  const requirements = firstOf(brokenFirst(check), 'requirements', isShort);
  for (const requirement of requirements.first) {
    const { statement, section, lane } = requirement;
    const line: LinePiece[] = [statement, { quiet: ` (section ${section}, ${lane})` }];
    const derivation = derivationOf(requirement);
    if (derivation !== undefined && !isShort) line.push({ quiet: ` ${derivation}` });
    if (!isShort) line.push(' ', { literal: requirement.id });
    add('requires', ...line);
  }
  if (requirements.rest > 0 && failure?.requirement === undefined)
    add('requires', `${requirements.rest} more: see agent-contract explain ${id}`);
  if (failure) {
    if (failure.because !== undefined) add('follows', 'from ', { literal: failure.because });
    add('expected', { literal: failure.expected });
    add('actual', { literal: failure.actual });
    if (failure.at !== undefined) add('at', { literal: placeWords(failure.at) });
    if (failure.times !== undefined) add('times', `${failure.times}, with other values`);
    if (failure.condition !== undefined) add('when', failure.condition);
    const more = firstOf(failure.more ?? [], 'more', true);
    for (const finding of more.first) add('also', { literal: findingLine(finding) });
    if (more.rest > 0) add('also', `${more.rest} more of these, in the JSON report`);
    const earlier = firstOf(failure.exchanges, 'exchanges', isShort).rest;
    if (earlier > 0) add('earlier', `${counted(earlier, 'exchange')} before these, in the JSON report`);
  }
  if (status === 'error') add('broke', { literal: (isShort ? briefOf(check) : reason) ?? 'for an unknown reason' });
  else if (reason !== undefined) add('because', reason);
  if (supply !== undefined) add('supply', { literal: supply });
  return facts;
}

function exchangesOf({ failure }: CheckReport, baseUrl: string, options: OutlineOptions) {
  const { includeBodies = false, isShort = false } = options;
  const { exchanges = [], at } = failure ?? {};
  const [count, base] = [exchanges.length, baseUrl.replace(/\/+$/, '')];
  const items = exchanges.map((exchange, index) => {
    const { curl, method, url, requestHeaders, requestBody, headers, body, durationMs = NaN } = exchange;
    const isDecisive = index === count - 1;
    let title = `Before it: exchange ${index + 1} of ${count}`;
    if (isDecisive) title = 'The exchange that failed';
    if (count === 1) title = 'The exchange';
    const request = {
      // The base URL is at the top of the report.
      line: `${method} ${url.startsWith(`${base}/`) ? url.slice(base.length) : url}`,
      took: '',
      headers: shownHeaders(requestHeaders),
      ...bodyOf(requestBody, includeBodies),
    };
    const answer = {
      line: answerLine(exchange),
      /** Empty if it is not known. */
      took: optional`${durationMs >= 0 && duration(durationMs)}`,
      headers: shownHeaders(headers),
      ...bodyOf(body, includeBodies, isDecisive ? at : undefined),
    };
    return { title, curl, request, answer, excerpt: body ?? '' };
  });
  // The one that shows the failure comes first: it is the one to repeat.
  return items.slice(firstOf(items, 'exchanges', isShort).rest).toReversed();
}

function answerLine({ status, failure }: RecordedExchange): string {
  if (status === undefined) return `No answer: ${failure ?? 'for an unknown reason'}`;
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim() + optional`, ${failure}`;
}

/** A header that sets a session is as good as a token, and the run does not know it as a secret. */
const PRIVATE = /^(?:set-cookie|cookie)$/i;

function shownHeaders(headers: Readonly<Record<string, string>> = {}) {
  return Object.entries(headers).map(([name, value]) => [name, PRIVATE.test(name) ? '(not shown)' : value] as const);
}

/** A body to see, or the remark why there is none. */
function bodyOf(
  text: string | undefined,
  values: boolean,
  at?: string,
): { readonly body: BodyOutline | undefined; readonly bodyTitle: string; readonly remark?: string } {
  const bodyTitle = values ? 'Its body' : 'The shape of its body';
  if (text === undefined) return { body: undefined, bodyTitle };
  if (text === '') return { body: undefined, bodyTitle, remark: 'Its body is empty.' };
  const body = outlineJson(text, { values, at });
  if (!body && values) return { body: windowOf(text.split(/\r?\n/).map(visible)), bodyTitle };
  if (!body) return { body, bodyTitle, remark: `${grouped(text.length)} characters that are not JSON.` };
  if (at === undefined || body.place >= 0) return { body, bodyTitle };
  return { body, bodyTitle, remark: 'The failing place lies beyond the part of the body that was kept.' };
}

function proofOf({ provenBy = [] }: CheckReport, { isShort = false }: OutlineOptions): readonly Entry[] {
  const { first, rest } = firstOf(provenBy, 'proofs', isShort);
  const entries: Entry[] = first.map(({ id, does }) => ({ line: [does, ' ', { literal: id }] }));
  if (rest > 0) entries.push({ line: [`and ${rest} more`] });
  return entries;
}
