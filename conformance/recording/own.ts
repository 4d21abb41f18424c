import { readAnswer } from '../probes/api/answer.ts';
import type { Met } from '../foreign/met.ts';
import type { Exchange } from '../http/exchange.ts';
import { MAX_KEPT } from '../http/read-body.ts';
import { beginning, createReader } from '../http/read-body.ts';
import { field, isObject, stringAt } from '../json.ts';
import { endpointIds, type EndpointId } from '../../spec/index.ts';
import type { RecordedRun } from './write-har.ts';
import { parseUrl } from '../../text/parse-url.ts';

const CALLERS: readonly string[] = ['valid', 'read', 'guest', 'none', 'wrong', 'unknown'];

const isEndpoint = (name: string | undefined): name is EndpointId => endpointIds.some((one) => one === name);

/** The run that a file was recorded from. */
export function readRun(member: unknown): RecordedRun | undefined {
  const target = field(member, 'target');
  const now = field(member, 'now');
  if (!isObject(target)) return undefined;
  const texts = Object.entries(target).filter(([, value]) => typeof value === 'string');
  return { target: Object.fromEntries(texts), now: typeof now === 'number' ? now : undefined };
}

/** Turns entries of our own recordings into exchanges; `undefined` for any other entry. */
export function createOwn(): (met: Met, own: unknown) => Exchange | undefined {
  const readBody = createReader();
  return (met, own) => {
    const [n, begun, caller] = [field(own, 'n'), field(own, 'begun'), stringAt(own, 'caller')];
    const endpoint = stringAt(own, 'endpoint');
    if (!Number.isSafeInteger(n) || !Number.isSafeInteger(begun) || !CALLERS.includes(caller ?? '')) return undefined;
    if (!isEndpoint(endpoint) || !parseUrl(met.url)) return undefined;
    const [twin, differs] = [field(own, 'twin'), stringAt(own, 'differs')];
    const { status, headers, body, requestBody } = met;
    const text = body && beginning(body);
    const isAnswered = status > 0 && body !== undefined && text !== undefined;
    return {
      n: n as number,
      begun: begun as number,
      sentAt: met.sentAt,
      answeredAt: Math.round(met.answeredAt),
      caller: caller as Exchange['caller'],
      method: met.method,
      endpoint,
      agentId: stringAt(own, 'agentId'),
      query: [...new URL(met.url).searchParams],
      sent: parsed(requestBody),
      open: field(own, 'open') === true,
      ...(typeof twin === 'number' ? { twin } : {}),
      ...(differs === undefined ? {} : { differs }),
      ...(isAnswered ? { answer: readAnswer(endpoint, { status, headers, text, read: readBody(body) }) } : {}),
      kept: {
        request: {
          method: met.method,
          url: met.url,
          headers: met.requestHeaders,
          ...(requestBody === undefined ? {} : { body: requestBody.slice(0, MAX_KEPT) }),
        },
        durationMs: Math.max(0, met.answeredAt - met.sentAt),
        ...(isAnswered ? { status, headers, body: text } : { failure: 'no answer was recorded' }),
      },
    };
  };
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
