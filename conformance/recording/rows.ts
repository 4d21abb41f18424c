import { isPacked, unpack } from '../../http/unpack.ts';
import { arrayAt, field, isObject, stringAt } from '../json.ts';
import { MAX_ENTRY } from './json-scanner.ts';

/**
 * An item of a recording as an entry of a HAR file, whatever wrote it. `undefined` for an item that is no exchange, such as an
 * event between two exchanges of a trace.
 */
export function entryIn(item: unknown): unknown {
  if (!isObject(item) || 'startedDateTime' in item) return item;
  const format = formats.find(({ mark }) => mark in item);
  if (format) return format.read(item);
  return 'request' in item ? item : undefined;
}

/** Other formats than HAR: a member that only their items have, and how they are read. */
const formats: readonly { readonly mark: string; readonly read: (item: unknown) => unknown }[] = [
  // A trace of Playwright: its entries are those of HAR, and their bodies are files beside it.
  {
    mark: 'snapshot',
    read: (row) => (stringAt(row, 'type') === 'resource-snapshot' ? field(row, 'snapshot') : undefined),
  },
  { mark: 'http_buffered_trace', read: ofEnvoy },
  { mark: 'timestamp_created', read: ofMitmproxy },
  { mark: 'latencies', read: ofKong },
  { mark: 'request_uri', read: ofNginx },
];

type Pairs = readonly (readonly [name: string, value: unknown])[];

interface Exchange {
  /** Epoch milliseconds. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly method: unknown;
  readonly url: unknown;
  readonly headers: Pairs;
  readonly body?: unknown;
  readonly status: unknown;
  readonly answerHeaders: Pairs;
  /** Bytes as they were on the wire, or text. */
  readonly answer?: unknown;
  /** Whether the text of the answer is as it was on the wire. */
  readonly isExact: boolean;
  /** Whether every header of the request was recorded. */
  readonly hasAllHeaders: boolean;
}

function harEntry(of: Exchange): object {
  const { sentAt, answeredAt, method, url, headers, body, status, answerHeaders, hasAllHeaders } = of;
  const isTimed = sentAt > 0 && sentAt < 1e14;
  return {
    startedDateTime: isTimed ? new Date(sentAt).toISOString() : undefined,
    time: answeredAt - sentAt,
    request: {
      method,
      url,
      headers: named(headers),
      postData: textOf(body) === '' ? undefined : { text: textOf(body) },
    },
    response: { status: Number(textOf(status)), headers: named(answerHeaders), content: contentOf(of) },
    _agentContract: { hasAllHeaders },
  };
}

/** A text, or a number or bytes as text; empty for anything else. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const named = (pairs: Pairs): readonly object[] =>
  pairs.flatMap(([name, value]) => (textOf(value) === '' ? [] : [{ name, value: textOf(value) }]));

function contentOf({ answer, answerHeaders, isExact }: Exchange): object {
  if (answer === undefined || answer === null) return { size: -1 };
  if (typeof answer === 'string') return { size: isExact ? Buffer.byteLength(answer) : -1, text: answer };
  const [, coding = ''] = answerHeaders.find(([name]) => name.toLowerCase() === 'content-encoding') ?? [];
  const bytes = unpack(answer as Uint8Array, textOf(coding), MAX_ENTRY);
  if (isPacked(bytes)) return { size: -1 };
  return { size: isExact ? bytes.length : -1, encoding: 'base64', text: Buffer.from(bytes).toString('base64') };
}

/** A tap of Envoy: https://www.envoyproxy.io/docs/envoy/latest/operations/traffic_tapping */
function ofEnvoy(row: unknown): unknown {
  const [request, response] = ['request', 'response'].map((part) => field(row, 'http_buffered_trace', part));
  const [headers, answerHeaders] = [request, response].map((of): Pairs =>
    arrayAt(of, 'headers').map((one) => [stringAt(one, 'key') ?? '', stringAt(one, 'value')]),
  );
  const of = (name: string): unknown =>
    [...(headers ?? []), ...(answerHeaders ?? [])].find(([key]) => key === name)?.[1];
  const [sentAt = NaN, answeredAt = NaN] = [request, response].map((one) =>
    Date.parse(stringAt(one, 'headers_received_time') ?? ''),
  );
  const bytesOf = (message: unknown): Buffer | undefined => {
    const bytes = stringAt(message, 'body', 'as_bytes');
    if (bytes !== undefined) return Buffer.from(bytes, 'base64');
    return Buffer.from(stringAt(message, 'body', 'as_string') ?? '');
  };
  return harEntry({
    sentAt,
    answeredAt,
    method: of(':method'),
    url: `${textOf(of(':scheme')) || 'http'}://${textOf(of(':authority'))}${textOf(of(':path'))}`,
    headers: headers ?? [],
    body: bytesOf(request),
    status: of(':status'),
    answerHeaders: answerHeaders ?? [],
    answer: bytesOf(response),
    isExact: field(response, 'body', 'truncated') !== true,
    hasAllHeaders: true,
  });
}

/** A flow of mitmproxy, of version 7 or later. */
function ofMitmproxy(flow: unknown): unknown {
  const [request, response] = [field(flow, 'request'), field(flow, 'response')];
  if (!isObject(request)) return undefined;
  const headersOf = (message: unknown): Pairs =>
    arrayAt(message, 'headers').flatMap((pair) => {
      const [name, value] = Array.isArray(pair) ? (pair as unknown[]) : [];
      return [[textOf(name), value]] as Pairs;
    });
  const of = (name: string): string => textOf(field(request, name));
  const host = textOf(headersOf(request).find(([name]) => name.toLowerCase() === 'host')?.[1]);
  const authority = of('authority') || host || `${of('host')}:${of('port')}`;
  return harEntry({
    sentAt: Number(field(request, 'timestamp_start')) * 1000,
    answeredAt: Number(field(response, 'timestamp_end')) * 1000,
    method: of('method'),
    url: `${of('scheme')}://${authority}${of('path')}`,
    headers: headersOf(request),
    body: field(request, 'content'),
    status: field(response, 'status_code'),
    answerHeaders: headersOf(response),
    answer: field(response, 'content'),
    isExact: true,
    hasAllHeaders: true,
  });
}

/** A line of a log of Kong (File Log, HTTP Log, …). Bodies are in it if a plugin adds them. */
function ofKong(row: unknown): unknown {
  const [sentAt, took] = [Number(field(row, 'started_at')), Number(field(row, 'latencies', 'request'))];
  const headersOf = (part: string): Pairs =>
    Object.entries(field(row, part, 'headers') ?? {}).map(([name, value]) => [name, [value].flat().join(', ')]);
  return harEntry({
    sentAt,
    answeredAt: sentAt + took,
    method: field(row, 'request', 'method'),
    url: field(row, 'request', 'url'),
    headers: headersOf('request'),
    body: stringAt(row, 'request', 'body'),
    status: field(row, 'response', 'status'),
    answerHeaders: headersOf('response'),
    answer: stringAt(row, 'response', 'body'),
    isExact: false,
    hasAllHeaders: true,
  });
}

/**
 * A line of a JSON log of nginx whose members are named like nginx's own variables, and `response_body`. It is written when the
 * answer has been sent.
 */
function ofNginx(row: unknown): unknown {
  const of = (name: string): unknown => field(row, name);
  const answeredAt = Number(of('msec')) * 1000;
  const beginningWith = (prefix: string): Pairs =>
    Object.entries(row as object).flatMap(([name, value]: [string, unknown]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length).replaceAll('_', '-'), value] as const] : [],
    );
  const answer = stringAt(row, 'response_body');
  return harEntry({
    sentAt: Math.round(answeredAt - Number(of('request_time')) * 1000),
    answeredAt,
    method: of('request_method'),
    url: `${textOf(of('scheme')) || 'http'}://${textOf(of('http_host') ?? of('host'))}${textOf(of('request_uri'))}`,
    headers: [...beginningWith('http_'), ['content-type', of('content_type')]],
    body: of('request_body') === '-' ? undefined : of('request_body'),
    status: of('status'),
    answerHeaders: beginningWith('sent_http_'),
    answer: answer === '' || answer === '-' ? undefined : answer,
    isExact: false,
    hasAllHeaders: false,
  });
}
