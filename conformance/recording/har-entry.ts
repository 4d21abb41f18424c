import type { ForeignExchange, Reason } from '../foreign/foreign-exchange.ts';
import { field, isObject, stringAt } from '../json.ts';

/** An entry, as it is judged. */
export interface HarEntry {
  readonly exchange: ForeignExchange;
  /** What our own recordings hold beyond the HAR format. */
  readonly own: unknown;
  /** Whether the end of the exchange is known. */
  readonly hasEnd: boolean;
}

/** Reads one entry of a HAR file. A missing or mistyped member counts as unknown. */
export function readEntry(entry: unknown): HarEntry | Reason {
  const [request, response] = [field(entry, 'request'), field(entry, 'response')];
  const [method, url] = [stringAt(request, 'method'), stringAt(request, 'url')];
  if (method === undefined || url === undefined || !isObject(response)) return 'no-answer';
  const sentAt = Date.parse(stringAt(entry, 'startedDateTime') ?? '');
  if (!(sentAt > 0)) return 'no-time';
  const time = field(entry, 'time');
  const hasEnd = typeof time === 'number' && time >= 0 && time < 86_400_000;
  const status = field(response, 'status');
  const headers = headersOf(response);
  const body = stringAt(request, 'postData', 'text');
  return {
    exchange: {
      request: { method: method.toUpperCase(), url, headers: headersOf(request), body },
      answer: typeof status === 'number' && status !== 0 ? { status, headers, body: bodyOf(response) } : undefined,
      sentAt,
      // Rounded up a little, so that no exchange takes zero time.
      answeredAt: sentAt + (hasEnd ? time : 0) + 0.001,
      leftOut: isElsewhere(entry, response) ? 'not-the-server' : undefined,
      hasAllHeaders: field(entry, '_agentContract', 'hasAllHeaders') === true,
      isRetold: isRetold(response, headers),
    },
    own: field(entry, '_agentContract'),
    hasEnd,
  };
}

const MAX_HEADERS = 200;

/** Names in lower case; repeated values joined as HTTP joins them. */
function headersOf(of: unknown): Record<string, string> {
  const listed = field(of, 'headers');
  const headers = new Map<string, string>();
  for (const one of Array.isArray(listed) ? listed.slice(0, MAX_HEADERS) : []) {
    const [name, value] = [stringAt(one, 'name')?.toLowerCase(), stringAt(one, 'value')];
    if (name === undefined || value === undefined || name.startsWith(':')) continue;
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

function bodyOf(response: unknown): Uint8Array | undefined {
  const text = stringAt(response, 'content', 'text');
  if (text === undefined) {
    if (field(response, 'content', 'size') === 0) return new Uint8Array();
    return undefined;
  }
  return Buffer.from(text, stringAt(response, 'content', 'encoding') === 'base64' ? 'base64' : 'utf8');
}

/** Whether a body that is not JSON may be cut, or still encoded. */
function isRetold(response: unknown, headers: Readonly<Record<string, string>>): boolean {
  const size = field(response, 'content', 'size');
  const length = bodyOf(response)?.length ?? 0;
  // The recorder wrote the length of the decoded body, and the server, where nothing is encoded, that of the same bytes.
  const sent = headers['content-length'] ?? String(length);
  const isWhole = typeof size === 'number' && size >= 0 && size === length && sent === String(length);
  return !isWhole || headers['content-encoding'] !== undefined || field(response, 'content', 'comment') !== undefined;
}

/** Marks of browsers and test tools on answers that did not come from a server. */
function isElsewhere(entry: unknown, response: unknown): boolean {
  const fetchType = stringAt(entry, '_fetchType') ?? stringAt(response, '_fetchType');
  return (
    ['_fromCache', '_fromDiskCache', '_fromMemoryCache', '_servedFromCache', '_wasFulfilled', '_wasAborted'].some(
      (name) => isMarked(field(entry, name)),
    ) ||
    ['_fetchedViaServiceWorker', '_fromCache', '_servedFromCache'].some((name) => isMarked(field(response, name))) ||
    (fetchType !== undefined && fetchType !== 'Network Load')
  );
}

const isMarked = (mark: unknown): boolean =>
  mark === true || (typeof mark === 'string' && mark !== '' && mark !== 'false');
