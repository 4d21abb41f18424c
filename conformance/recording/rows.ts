import { isPacked, unpack } from '../../http/unpack.ts';
import type { Reason } from '../foreign/foreign-exchange.ts';
import { arrayAt, field, isObject, stringAt } from '../json.ts';
import { entryOf, readEntry, type Pairs, type RecordedEntry, type RecordedItem } from './har-entry.ts';
import { MAX_ENTRY } from './json-scanner.ts';

/** An item of a recording, whatever wrote it; `undefined` for one that is no exchange, such as an event of a trace. */
export function readItem(item: unknown): RecordedEntry | Reason | undefined {
  if (!isObject(item) || 'startedDateTime' in item) return readEntry(item);
  // Other formats than HAR have a member that only their items have.
  const formats = {
    http_buffered_trace: ofEnvoy,
    timestamp_created: ofMitmproxy,
    latencies: ofKong,
    request_uri: ofNginx,
  };
  const [, format] = Object.entries(formats).find(([mark]) => mark in item) ?? [];
  const read = format?.(item);
  if (read) return entryOf(read);
  if (format || !('request' in item)) return undefined;
  return readEntry(item);
}

/** A text, or a number or bytes as text; `undefined` for anything else, and for an empty text. */
function textOf(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value).toString() || undefined;
  if (typeof value === 'string' || typeof value === 'number') return String(value) || undefined;
  return undefined;
}

function bytesOf(text: string | undefined, encoding?: BufferEncoding): Buffer | undefined {
  if (text === undefined) return undefined;
  return Buffer.from(text, encoding);
}

function unpacked(bytes: unknown, headers: Pairs): Uint8Array | undefined {
  if (!(bytes instanceof Uint8Array)) return undefined;
  const [, coding = ''] = headers.find(([name]) => name?.toLowerCase() === 'content-encoding') ?? [];
  const body = unpack(bytes, coding, MAX_ENTRY);
  if (isPacked(body)) return undefined;
  return body;
}

/** A tap of Envoy: https://www.envoyproxy.io/docs/envoy/latest/operations/traffic_tapping */
function ofEnvoy(row: unknown): RecordedItem {
  const messageOf = (name: string) => {
    const message = field(row, 'http_buffered_trace', name);
    const pairs: Pairs = arrayAt(message, 'headers').map((one) => [stringAt(one, 'key'), textOf(field(one, 'value'))]);
    const text = Buffer.from(stringAt(message, 'body', 'as_string') ?? '');
    return {
      pairs,
      of: (wanted: string) => pairs.find(([key]) => key === wanted)?.[1],
      at: Date.parse(stringAt(message, 'headers_received_time') ?? ''),
      body: bytesOf(stringAt(message, 'body', 'as_bytes'), 'base64') ?? text,
      isWhole: field(message, 'body', 'truncated') !== true,
    };
  };
  const [request, response] = [messageOf('request'), messageOf('response')];
  return {
    method: request.of(':method'),
    url: `${request.of(':scheme') ?? 'http'}://${request.of(':authority') ?? ''}${request.of(':path') ?? ''}`,
    sentAt: request.at,
    took: response.at - request.at,
    headers: request.pairs,
    body: textOf(request.body),
    status: Number(response.of(':status')),
    answerHeaders: response.pairs,
    answer: unpacked(response.body, response.pairs),
    isExact: response.isWhole,
  };
}

/** A flow of mitmproxy, of version 7 or later. */
function ofMitmproxy(flow: unknown): RecordedItem | undefined {
  const [request, response] = [field(flow, 'request'), field(flow, 'response')];
  if (!isObject(request)) return undefined;
  const [headers, answerHeaders] = [request, response].map((message): Pairs =>
    arrayAt(message, 'headers').map((pair) => {
      const [name, value] = arrayAt(pair);
      return [textOf(name), textOf(value)];
    }),
  ) as [Pairs, Pairs];
  const of = (name: string): string => textOf(field(request, name)) ?? '';
  const host = headers.find(([name]) => name?.toLowerCase() === 'host')?.[1];
  const authority = of('authority') || host || `${of('host')}:${of('port')}`;
  const sentAt = Number(field(request, 'timestamp_start')) * 1000;
  return {
    method: textOf(field(request, 'method')),
    url: `${of('scheme')}://${authority}${of('path')}`,
    sentAt,
    took: Number(field(response, 'timestamp_end')) * 1000 - sentAt,
    headers,
    body: textOf(field(request, 'content')),
    status: field(response, 'status_code'),
    answerHeaders,
    answer: unpacked(field(response, 'content'), answerHeaders),
    isExact: true,
  };
}

/** A line of a log of Kong (File Log, HTTP Log, …). Bodies are in it if a plugin adds them. */
function ofKong(row: unknown): RecordedItem {
  const headersOf = (part: string): Pairs =>
    Object.entries(field(row, part, 'headers') ?? {}).map(([name, value]) => [name, [value].flat().join(', ')]);
  return {
    method: stringAt(row, 'request', 'method'),
    url: stringAt(row, 'request', 'url'),
    sentAt: Number(field(row, 'started_at')),
    took: field(row, 'latencies', 'request'),
    headers: headersOf('request'),
    body: textOf(field(row, 'request', 'body')),
    status: field(row, 'response', 'status'),
    answerHeaders: headersOf('response'),
    answer: bytesOf(stringAt(row, 'response', 'body')),
  };
}

/** A line of nginx with members named like its variables, and `response_body`; written when the answer was sent. */
function ofNginx(row: unknown): RecordedItem {
  // nginx writes a variable without a value as a dash.
  const of = (name: string): string | undefined => textOf(field(row, name))?.replace(/^-$/, '') || undefined;
  const took = Number(of('request_time')) * 1000;
  const beginningWith = (prefix: string): Pairs =>
    Object.entries(row as object)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length).replaceAll('_', '-'), textOf(value)]);
  return {
    method: of('request_method'),
    url: `${of('scheme') ?? 'http'}://${of('http_host') ?? of('host') ?? ''}${of('request_uri') ?? ''}`,
    sentAt: Math.round(Number(of('msec')) * 1000 - took),
    took,
    headers: [...beginningWith('http_'), ['content-type', of('content_type')]],
    body: of('request_body'),
    status: Number(of('status')),
    answerHeaders: beginningWith('sent_http_'),
    answer: bytesOf(of('response_body')),
    hasAllHeaders: false,
  };
}
