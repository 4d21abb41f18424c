import { joinHeaders } from '../../http/headers.ts';
import type { ForeignExchange, Reason } from '../foreign/foreign-exchange.ts';
import { arrayAt, field, isObject, stringAt } from '../json.ts';

export type RecordedEntry = Exclude<ReturnType<typeof entryOf>, Reason>;

export type Pairs = readonly (readonly [name: string | undefined, value: string | undefined])[];

/** What an item of a recording says, in any format. A missing or mistyped member is unknown. */
export interface RecordedItem {
  readonly method: string | undefined;
  readonly url: string | undefined;
  /** Epoch milliseconds. */
  readonly sentAt: number;
  /** Milliseconds. */
  readonly took: unknown;
  readonly headers: Pairs;
  readonly body: string | undefined;
  readonly status: unknown;
  readonly answerHeaders: Pairs;
  readonly answer: Uint8Array | undefined;
  /** Whether the body of the answer is known to be whole. Default: no. */
  readonly isExact?: boolean;
  /** Whether every header of the request was recorded. Default: yes. */
  readonly hasAllHeaders?: boolean;
  /** Whether the answer did not come from a server. */
  readonly isElsewhere?: boolean;
  /** What our own recordings hold beyond the format. */
  readonly own?: unknown;
}

const DAY = 86_400_000;

export function entryOf(item: RecordedItem) {
  const { method, url, sentAt, took, body, status, answer, isExact = false, hasAllHeaders = true, own } = item;
  if (method === undefined || url === undefined) return 'no-answer' as const;
  if (!(sentAt > 0 && sentAt < 1e14)) return 'no-time' as const;
  const hasEnd = typeof took === 'number' && took >= 0 && took < DAY;
  const headers = headersOf(item.answerHeaders);
  // The server wrote the length of the decoded body only where nothing is encoded.
  const isAsSent = (headers['content-length'] ?? String(answer?.length ?? 0)) === String(answer?.length ?? 0);
  const exchange: ForeignExchange = {
    request: { method: method.toUpperCase(), url, headers: headersOf(item.headers), body },
    answer: typeof status === 'number' && status > 0 ? { status, headers, body: answer } : undefined,
    sentAt,
    // Rounded up a little, so that no exchange takes zero time.
    answeredAt: sentAt + (hasEnd ? took : 0) + 0.001,
    leftOut: item.isElsewhere === true ? 'not-the-server' : undefined,
    hasAllHeaders,
    // Then a body that is not JSON may be cut, or still encoded.
    isRetold: !isExact || !isAsSent || headers['content-encoding'] !== undefined,
  };
  return { exchange, own, hasEnd };
}

/** Names in lower case; repeated values joined as HTTP joins them. */
function headersOf(pairs: Pairs): Record<string, string> {
  const known = pairs.slice(0, 200).flatMap(([name, value]) => {
    if (name === undefined || value === undefined || name.startsWith(':')) return [];
    return [name, value];
  });
  return joinHeaders(known);
}

export function readEntry(entry: unknown): RecordedEntry | Reason {
  const [request, response] = [field(entry, 'request'), field(entry, 'response')];
  if (!isObject(response)) return 'no-answer';
  const [text, size] = [stringAt(response, 'content', 'text'), field(response, 'content', 'size')];
  const encoding = stringAt(response, 'content', 'encoding') === 'base64' ? 'base64' : 'utf8';
  const answer = text === undefined && size !== 0 ? undefined : Buffer.from(text ?? '', encoding);
  const headersIn = (message: unknown): Pairs =>
    arrayAt(message, 'headers').map((one) => [stringAt(one, 'name'), stringAt(one, 'value')]);
  return entryOf({
    method: stringAt(request, 'method'),
    url: stringAt(request, 'url'),
    sentAt: Date.parse(stringAt(entry, 'startedDateTime') ?? ''),
    took: field(entry, 'time'),
    headers: headersIn(request),
    body: stringAt(request, 'postData', 'text'),
    status: field(response, 'status'),
    answerHeaders: headersIn(response),
    answer,
    isExact: size === (answer?.length ?? 0) && field(response, 'content', 'comment') === undefined,
    hasAllHeaders: field(entry, '_agentContract', 'hasAllHeaders') === true,
    isElsewhere: isElsewhere(entry, response),
    own: field(entry, '_agentContract'),
  });
}

/** Marks of browsers and test tools on answers that did not come from a server. */
const MARKS = /^_(?:from(?:Disk|Memory)?Cache|servedFromCache|was(?:Fulfilled|Aborted)|fetchedViaServiceWorker)$/;

function isElsewhere(entry: unknown, response: object): boolean {
  const members = [entry as object, response].flatMap((of) => Object.entries(of));
  const marks = members.filter(([name]) => MARKS.test(name)).map(([, mark]: [string, unknown]) => mark);
  const fetchType = stringAt(entry, '_fetchType') ?? stringAt(response, '_fetchType') ?? 'Network Load';
  const isMarked = marks.some((mark) => mark === true || (typeof mark === 'string' && !/^(?:false)?$/.test(mark)));
  return isMarked || fetchType !== 'Network Load';
}
