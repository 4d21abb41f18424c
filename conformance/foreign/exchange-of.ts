import { LRUCache } from 'lru-cache';
import { endpoints } from '../../spec/index.ts';
import { createAnswerReader } from '../probes/api/answer.ts';
import type { Answered } from '../http/exchange.ts';
import { MAX_KEPT, holdsTooMuch } from '../http/read-body.ts';
import { field, isObject, parseJson, stringAt } from '../json.ts';
import { readSelection } from '../history/facts/selection.ts';
import type { IdentifiedCaller } from './callers.ts';
import type { HttpRequest } from '../../http/exchange.ts';
import type { ForeignExchange, Reason } from './foreign-exchange.ts';
import type { Recognised } from './recognise.ts';

/** When a request was sent and answered, by the counter of the whole history. */
export type Ticks = Pick<Answered, 'n' | 'begun'>;

/** Request headers that ask for something other than the plain answer. */
const CONDITIONAL = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range', 'range'];

const MAX_BODY = 8 * 1024 * 1024;

/** Turns recorded traffic into exchanges, or says why one is left out. */
export function createExchanges() {
  const readAnswer = createAnswerReader();
  // The oldest key is forgotten: servers forget it too.
  const keys = new LRUCache<string, true>({ max: 10_000 });

  return (foreign: ForeignExchange, by: Recognised, shown: IdentifiedCaller, place: Ticks): Answered | Reason => {
    const left = whyLeftOut(foreign);
    if (left !== undefined) return left;
    const { request, sentAt, answeredAt } = foreign;
    const key = request.headers['idempotency-key']?.slice(0, 1000);
    if (key !== undefined && keys.has(key)) return 'repeated';
    if (key !== undefined) keys.set(key, true);
    const { status = 0, headers = {}, body } = foreign.answer ?? {};
    if (body === undefined) return 'no-body';
    if (body.length > MAX_BODY || holdsTooMuch(body)) return 'too-large';
    const answer = readAnswer(by.endpoint, { status, headers, body });
    if (foreign.isRetold === true && answer.problem !== undefined && answer.accepted) return 'no-body';
    const sent = parseJson(request.body);
    // The type of its body, and what finds it in the user's tracing.
    const kept = Object.entries(request.headers)
      .filter(([name]) => name === 'content-type' || name === 'traceparent')
      .map(([name, value]) => [name, value.slice(0, 1000)] as const);
    // The specification does not show the answer for an unpublished agent (section 4.4).
    const isUnpublished =
      endpoints[by.endpoint].mayBeAbsent === true && !isObject(field(answer.json, endpoints[by.endpoint].holds));
    return {
      ...place,
      sentAt,
      answeredAt,
      caller: shown.caller,
      method: request.method,
      endpoint: by.endpoint,
      agentId: by.agentId,
      query: by.query,
      sent,
      open: isOpen(request, by, sent) || isUnpublished,
      answer,
      excerpt: {
        request: {
          method: request.method,
          url: request.url,
          headers: { ...Object.fromEntries(kept), ...shown.headers },
          body: request.body?.slice(0, MAX_KEPT),
        },
        status,
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'set-cookie')),
        body: answer.text,
        durationMs: Math.max(0, answeredAt - sentAt),
      },
    };
  };
}

function whyLeftOut(foreign: ForeignExchange): Reason | undefined {
  if (foreign.leftOut !== undefined) return foreign.leftOut;
  const { status = 0 } = foreign.answer ?? {};
  if (!(status >= 200 && status < 600)) return 'no-answer';
  const { headers } = foreign.request;
  const isPart = [206, 412, 416].includes(status) && CONDITIONAL.some((name) => name in headers);
  if (isPart || (status >= 300 && status < 400)) return 'conditional';
  if (headers['prefer'] !== undefined) return 'preference';
  return undefined;
}

/** Whether a request asks for something that the specification leaves open, so that any answer may be right. */
function isOpen({ headers, body, method }: HttpRequest, { endpoint, query }: Recognised, sent: unknown): boolean {
  const { accept = '*/*', 'content-type': type = '', 'x-http-method-override': override } = headers;
  if (!/(?:\*\/\*|application\/(?:json|\*))/i.test(accept) || override !== undefined) return true;
  if (endpoints[endpoint].does === 'lists') return !readSelection(query).isDocumented || body !== undefined;
  if (query.length > 0) return true;
  if (method === 'GET') return body !== undefined && body !== '';
  if (!/^application\/json\s*(?:;|$)/i.test(type) || !isObject(sent)) return true;
  // The specification does not show what happens to the other form (section 4.2), nor to an unrecognisable one.
  const agent = field(sent, 'agent');
  if (endpoints[endpoint].does === 'imports') return stringAt(agent, 'version') !== '6';
  return isObject(agent) && agent['version'] !== undefined && agent['version'] !== '6';
}
