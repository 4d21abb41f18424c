import { createAnswerReader } from '../probes/api/answer.ts';
import type { HttpExchange } from '../../http/exchange.ts';
import type { Ticks } from '../foreign/exchange-of.ts';
import type { Exchange } from '../http/exchange.ts';
import { MAX_KEPT } from '../http/read-body.ts';
import { field, isObject, parseJson, stringAt } from '../json.ts';
import { endpointIds } from '../../spec/index.ts';
import type { RecordedRun } from './write-har.ts';
import { parseUrl } from '../../text/parse-url.ts';

const CALLERS: readonly string[] = ['valid', 'read', 'guest', 'none', 'wrong', 'unknown'];

export function readRecordedRun(member: unknown): RecordedRun | undefined {
  const target = field(member, 'target');
  if (!isObject(target)) return undefined;
  const texts = Object.entries(target).filter(([, value]) => typeof value === 'string');
  return { target: Object.fromEntries(texts), now: numberIn(field(member, 'now')) };
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The places that our proxy gave to exchanges, exacter than clocks; a proxy that continues a recording begins anew. */
export function createTicks(): (own: unknown) => Ticks | undefined {
  let [since, last, offset]: [unknown, number, number] = [undefined, 0, 0];
  return (own) => {
    const [n, begun] = [field(own, 'n'), field(own, 'begun')];
    if (!Number.isSafeInteger(n) || !Number.isSafeInteger(begun) || field(own, 'since') === undefined) return undefined;
    if (since !== field(own, 'since')) [since, offset] = [field(own, 'since'), last];
    const place = { n: offset + (n as number), begun: offset + (begun as number) };
    last = Math.max(last, place.n);
    return place;
  };
}

/** Turns entries of our own recordings into exchanges; `undefined` for any other entry. */
export function createOwn(): (recorded: HttpExchange, own: unknown) => Exchange | undefined {
  const readAnswer = createAnswerReader();
  return ({ request, answer: came, sentAt, answeredAt }, own) => {
    const [n, begun, caller] = [field(own, 'n'), field(own, 'begun'), stringAt(own, 'caller')];
    const endpoint = endpointIds.find((id) => id === stringAt(own, 'endpoint'));
    if (!Number.isSafeInteger(n) || !Number.isSafeInteger(begun) || !CALLERS.includes(caller ?? '')) return undefined;
    if (!endpoint || !parseUrl(request.url)) return undefined;
    const exchange = {
      n: n as number,
      begun: begun as number,
      sentAt,
      answeredAt: Math.round(answeredAt),
      caller: caller as Exchange['caller'],
      method: request.method,
      endpoint,
      agentId: stringAt(own, 'agentId'),
      query: [...new URL(request.url).searchParams],
      sent: parseJson(request.body),
      open: field(own, 'open') === true,
      twin: numberIn(field(own, 'twin')),
      differs: stringAt(own, 'differs'),
    };
    const excerpt = {
      request: { ...request, body: request.body?.slice(0, MAX_KEPT) },
      durationMs: Math.max(0, answeredAt - sentAt),
    };
    if (!came?.body) return { ...exchange, excerpt: { ...excerpt, failure: 'no answer was recorded' } };
    const answer = readAnswer(endpoint, { ...came, body: came.body });
    const { status, headers, text } = answer;
    return { ...exchange, answer, excerpt: { ...excerpt, status, headers, body: text } };
  };
}
