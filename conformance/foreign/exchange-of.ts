import { readAnswer } from '../probes/api/answer.ts';
import type { Answered } from '../http/exchange.ts';
import { MAX_KEPT } from '../http/read-body.ts';
import { beginning, createReader, holdsTooMuch } from '../http/read-body.ts';
import { field, isObject, stringAt } from '../json.ts';
import { readSelection } from '../history/facts/selection.ts';
import type { IdentifiedCaller } from './callers.ts';
import type { Met, Reason } from './met.ts';
import type { Recognised } from './recognise.ts';

/** When a request was sent and answered, by the counter of the whole history. */
export interface Ticks {
  readonly n: number;
  readonly begun: number;
}

/** Request headers that ask for something other than the plain answer. */
const CONDITIONAL = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range', 'range'];
/** Statuses of answers to such requests, and redirects. */
const isConditional = ({ requestHeaders, status }: Met): boolean =>
  (status >= 300 && status < 400) ||
  ((status === 206 || status === 412 || status === 416) && CONDITIONAL.some((name) => name in requestHeaders));

const MAX_BODY = 8 * 1024 * 1024;
const MAX_KEYS = 10_000;

/** Turns recorded traffic into exchanges, or says why one is left out. */
export function createExchanges(): (
  met: Met,
  by: Recognised,
  shown: IdentifiedCaller,
  place: Ticks,
) => Answered | Reason {
  const readBody = createReader();
  const keys = new Set<string>();

  const isRepeated = ({ requestHeaders }: Met): boolean => {
    const key = requestHeaders['idempotency-key'];
    if (key === undefined) return false;
    const isKnown = keys.has(key) || keys.size >= MAX_KEYS;
    keys.add(key.slice(0, 1000));
    return isKnown;
  };

  return (met, by, shown, place) => {
    const left = whyLeftOut(met) ?? (isRepeated(met) ? 'repeated' : undefined);
    if (left !== undefined || met.body === undefined) return left ?? 'no-body';
    const { status, headers, body, requestBody } = met;
    if (body.length > MAX_BODY || holdsTooMuch(body)) return 'too-large';
    const text = beginning(body);
    const answer = readAnswer(by.endpoint, { status, headers, text, read: readBody(body) });
    if (met.isRetold && answer.problem !== undefined && answer.accepted) return 'no-body';
    const sent = parsed(requestBody);
    return {
      ...place,
      sentAt: met.sentAt,
      answeredAt: met.answeredAt,
      caller: shown.caller,
      method: met.method,
      endpoint: by.endpoint,
      agentId: by.agentId,
      query: by.query,
      sent,
      // The specification does not show the answer for an unpublished agent (section 4.4).
      open:
        isOpen(met, by, sent) ||
        (by.endpoint === 'get-published-agent' && !isObject(field(answer.json, 'publicAgent'))),
      answer,
      kept: {
        request: {
          method: met.method,
          url: met.url,
          headers: { ...contentTypeOf(met), ...shown.headers },
          ...(requestBody === undefined ? {} : { body: requestBody.slice(0, MAX_KEPT) }),
        },
        status,
        headers: withoutCookies(headers),
        body: text,
        durationMs: Math.max(0, met.answeredAt - met.sentAt),
      },
    };
  };
}

function whyLeftOut(met: Met): Reason | undefined {
  if (met.leftOut !== undefined) return met.leftOut;
  if (!(met.status >= 200 && met.status < 600)) return 'no-answer';
  if (isConditional(met)) return 'conditional';
  if (met.requestHeaders['prefer'] !== undefined) return 'preference';
  return undefined;
}

const contentTypeOf = ({ requestHeaders }: Met): Readonly<Record<string, string>> => {
  const type = requestHeaders['content-type'];
  return type === undefined ? {} : { 'content-type': type };
};

const withoutCookies = (headers: Met['headers']): Met['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'set-cookie'));

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

const LISTING: ReadonlySet<string> = new Set(['limit', 'cursor', 'timeFilter']);

/** Whether a request asks for something that the specification leaves open, so that any answer may be right. */
function isOpen({ requestHeaders, requestBody, method }: Met, { endpoint, query }: Recognised, sent: unknown): boolean {
  const { accept = '*/*', 'content-type': type = '', 'x-http-method-override': override } = requestHeaders;
  if (!/(?:\*\/\*|application\/(?:json|\*))/i.test(accept) || override !== undefined) return true;
  if (endpoint === 'list-results')
    return (
      query.some(([name]) => !LISTING.has(name)) || !readSelection(query).isDocumented || requestBody !== undefined
    );
  if (query.length > 0) return true;
  if (method === 'GET') return requestBody !== undefined && requestBody !== '';
  if (!/^application\/json\s*(?:;|$)/i.test(type) || !isObject(sent)) return true;
  // The specification does not show what happens to the other form (section 4.2), nor to an unrecognisable one.
  const agent = field(sent, 'agent');
  if (endpoint === 'import-agent') return stringAt(agent, 'version') !== '6';
  return isObject(agent) && agent['version'] !== undefined && agent['version'] !== '6';
}
