import type { Ticks } from '../conformance/foreign/exchange-of.ts';
import type { ForeignExchange } from '../conformance/foreign/foreign-exchange.ts';
import { joinHeaders, type RawHeaders } from '../http/headers.ts';
import { isPacked, unpack } from '../http/unpack.ts';

/** The largest bodies that are kept, in bytes. */
export const MOST = { request: 2 * 1024 * 1024, answer: 8 * 1024 * 1024 };

/** The heap of the judge, in MiB. */
export const DEFAULT_MEMORY_MB = 192;

/** One exchange as it passed, in plain data. */
export interface Passed extends Ticks {
  readonly method: string;
  readonly url: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly sent: RawHeaders;
  /** 0 if no complete answer came. */
  readonly status: number;
  readonly came: RawHeaders;
  /** Whether headers and bodies are here. They are not needed of what is not the service's. */
  readonly isWhole: boolean;
  /** Otherwise it is only recorded. */
  readonly isJudged: boolean;
  /** Nothing before it is compared with what follows. */
  readonly begins: boolean;
  /** Whether its answer waits for the verdict. */
  readonly waits: boolean;
}

/** An exchange with its bodies, which are missing if they were too large. */
export interface PassedWhole extends Passed {
  readonly request: Uint8Array | undefined;
  readonly answer: Uint8Array | undefined;
}

/** Of an exchange on its way to the judge: the bytes of its bodies, and about as many for the rest. */
export const sizeOf = ({ request, answer }: PassedWhole): number =>
  1024 + (request?.byteLength ?? 0) + (answer?.byteLength ?? 0);

/** Packs exchanges into one buffer, which one thread hands over to another: copying each object would take longer. */
export function pack(all: readonly PassedWhole[]): ArrayBuffer {
  const bodies = all.flatMap(({ request, answer }) => [request, answer]);
  const about = all.map((passed) => ({ ...passed, request: undefined, answer: undefined }));
  const lengths = bodies.map((body) => body?.byteLength ?? -1);
  const head = Buffer.from(JSON.stringify([about, lengths]));
  const whole = lengths.reduce((sum, length) => sum + Math.max(0, length), 4 + head.byteLength);
  // One that nobody else has a part of, since it is handed over.
  const bytes = Buffer.allocUnsafeSlow(whole);
  let at = bytes.writeUInt32LE(head.byteLength);
  for (const part of [head, ...bodies]) {
    if (part === undefined) continue;
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes.buffer;
}

export function unpackAll(packed: ArrayBuffer): readonly PassedWhole[] {
  const bytes = Buffer.from(packed);
  let at = 4 + bytes.readUInt32LE();
  const [about, lengths] = JSON.parse(bytes.toString('utf8', 4, at)) as [Passed[], number[]];
  const next = (index: number): Uint8Array | undefined => {
    const length = lengths[index] ?? -1;
    if (length < 0) return undefined;
    at += length;
    return bytes.subarray(at - length, at);
  };
  return about.map((passed, i) => ({ ...passed, request: next(2 * i), answer: next(2 * i + 1) }));
}

/** The exchange for the judge. */
export function exchangeOf(passed: PassedWhole): ForeignExchange {
  const { method, url, sent, status, came, sentAt, answeredAt, request, answer, isWhole } = passed;
  const headers = joinHeaders(came);
  const body = request === undefined || request.length === 0 ? undefined : Buffer.from(request).toString();
  return {
    request: { method, url, headers: joinHeaders(sent), body },
    answer: status === 0 ? undefined : { status, headers, body: unpacked(answer, headers['content-encoding']) },
    sentAt,
    answeredAt,
    hasAllHeaders: isWhole,
  };
}

/** `undefined` if the encoding is unknown, or the body too large. */
function unpacked(bytes: Uint8Array | undefined, encoding = ''): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  const body = unpack(bytes, encoding, MOST.answer);
  if (isPacked(body)) return undefined;
  return body;
}
