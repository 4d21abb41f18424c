import type { Ticks } from '../conformance/foreign/exchange-of.ts';
import type { ForeignExchange } from '../conformance/foreign/foreign-exchange.ts';
import { joinHeaders, type RawHeaders } from '../http/headers.ts';
import { isPacked, unpack } from '../http/unpack.ts';

/** What the user is told of a judge that broke, before why. */
export const BROKE = 'error: The judge broke. The proxy still forwards everything: ';

/** The usual heap of the judge, in MiB. */
export const MEMORY = 192;

/** The largest bodies that are kept, in bytes. */
export const MOST = { request: 2 * 1024 * 1024, answer: 8 * 1024 * 1024 };

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
  readonly waits: boolean;
  readonly request: Pieces | undefined;
  readonly answer: Pieces | undefined;
}

/** A body as it came. It is missing if it was too large. */
export type Pieces = readonly Uint8Array[];

export interface PackedExchanges {
  readonly bytes: SharedArrayBuffer;
  /** How many of the bytes are in use. */
  readonly size: number;
  readonly exchanges: number;
}

const BLOCK = 1024 * 1024;
const MOST_SPARE = 32;

/**
 * Packs exchanges into blocks of bytes, which one thread hands over to another: copying each object would take longer. They are
 * packed as they end, into shared memory that is used again: neither counts as memory to collect, which takes the most time.
 * @param onFull is told to take the block, since the next exchange does not fit
 */
export function createPacker(onFull: () => void) {
  const spare: SharedArrayBuffer[] = [];
  let block = Buffer.from(new SharedArrayBuffer(BLOCK));
  let size = 0;
  let exchanges = 0;
  return {
    add(passed: Passed): void {
      const { request = [], answer = [] } = passed;
      const text = headOf(passed);
      const most = 4 + text.length + lengthOf(request) + lengthOf(answer);
      if (size + most > block.length && size > 0) onFull();
      if (most > block.length) block = Buffer.from(new SharedArrayBuffer(most));
      size = block.writeUInt32LE(text.length, size);
      size += block.write(text, size, 'latin1');
      for (const pieces of [request, answer])
        for (const piece of pieces) {
          // Ten times as fast as `set`, which is careful with memory that is shared.
          block.fill(piece, size, size + piece.byteLength);
          size += piece.byteLength;
        }
      exchanges++;
    },
    get size() {
      return size;
    },
    take(): PackedExchanges {
      const taken = { bytes: block.buffer, size, exchanges };
      block = Buffer.from(spare.pop() ?? new SharedArrayBuffer(BLOCK));
      [size, exchanges] = [0, 0];
      return taken;
    },
    reuse(bytes: SharedArrayBuffer): void {
      if (bytes.byteLength === BLOCK && spare.length < MOST_SPARE) spare.push(bytes);
    },
  };
}

function lengthOf(pieces: Pieces | undefined): number {
  return pieces?.reduce((sum, { byteLength }) => sum + byteLength, 0) ?? -1;
}

/** Everything but the bodies: numbers first, and a line each, since nothing in a head breaks a line or is beyond Latin-1. */
function headOf({ method, url, sent, came, request, answer, ...more }: Passed): string {
  const { sentAt, answeredAt, begun, n, status } = more;
  const flags = [more.isWhole, more.isJudged, more.begins, more.waits].map(Number);
  const lengths = [sent.length, lengthOf(request), lengthOf(answer)];
  return [sentAt, answeredAt, begun, n, status, ...flags, ...lengths, method, url, ...sent, ...came].join('\n');
}
const NUMBERS = 12;

/** What was packed. The bodies are those of the block, until it is used again. */
export function unpackAll(packed: PackedExchanges): readonly Passed[] {
  const block = Buffer.from(packed.bytes, 0, packed.size);
  const all: Passed[] = [];
  let at = 0;
  const next = (length: number): Buffer => block.subarray(at, (at += length));
  const body = (length: number): Pieces | undefined => (length < 0 ? undefined : [next(length)]);
  while (at < block.length) {
    const lines = next(next(4).readUInt32LE()).toString('latin1').split('\n');
    const [sentAt = 0, answeredAt = 0, begun = 0, n = 0, status = 0, ...more] = lines.splice(0, NUMBERS).map(Number);
    const [isWhole, isJudged, begins, waits, countSent = 0, request = 0, answer = 0] = more;
    const [method = '', url = '', ...headers] = lines;
    const flags = { isWhole: isWhole === 1, isJudged: isJudged === 1, begins: begins === 1, waits: waits === 1 };
    const [sent, came] = [headers.slice(0, countSent), headers.slice(countSent)];
    const head = { method, url, sentAt, answeredAt, begun, n, status, sent, came };
    all.push({ ...head, ...flags, request: body(request), answer: body(answer) });
  }
  return all;
}

export function exchangeOf(passed: Passed): ForeignExchange {
  const { method, url, sent, status, came, sentAt, answeredAt, request, answer, isWhole } = passed;
  const headers = joinHeaders(came);
  return {
    request: { method, url, headers: joinHeaders(sent), body: Buffer.concat(request ?? []).toString() || undefined },
    answer: status === 0 ? undefined : { status, headers, body: unpacked(answer, headers['content-encoding']) },
    sentAt,
    answeredAt,
    hasAllHeaders: isWhole,
  };
}

/** `undefined` if the encoding is unknown, or the body too large. */
function unpacked(pieces: Pieces | undefined, encoding = ''): Uint8Array | undefined {
  if (pieces === undefined) return undefined;
  const [only = new Uint8Array()] = pieces;
  const body = unpack(pieces.length > 1 ? Buffer.concat(pieces) : only, encoding, MOST.answer);
  if (isPacked(body)) return undefined;
  return body;
}
