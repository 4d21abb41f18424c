import type { IncomingMessage } from 'node:http';
import type { Met } from '../conformance/foreign/met.ts';
import { createBodyBuffer } from '../http/body.ts';
import { joinHeaders, type RawHeaders } from '../http/headers.ts';
import { isPacked, unpack } from '../http/unpack.ts';
import type { Inspection } from './forward.ts';

const MAX_REQUEST = 2 * 1024 * 1024;
const MAX_ANSWER = 8 * 1024 * 1024;

/** Collects the bodies of one exchange. */
export interface BodyBuffers {
  readonly pieces: Required<Pick<Inspection, 'request' | 'answer'>>;
  /** The exchange, with its headers and bodies. */
  met(bare: Met, raw: RawHeaders): Met;
  /** The number of bytes in memory. */
  size(): number;
}

export function createBodyBuffers({ rawHeaders }: IncomingMessage): BodyBuffers {
  const [request, answer] = [createBodyBuffer(MAX_REQUEST), createBodyBuffer(MAX_ANSWER)];
  return {
    pieces: { request: request.add, answer: answer.add },
    size: () => request.size + answer.size,
    met(bare, raw) {
      const [headers, body] = [joinHeaders(raw), request.bytes()];
      return {
        ...bare,
        requestHeaders: joinHeaders(rawHeaders),
        requestBody: body === undefined || body.length === 0 ? undefined : Buffer.from(body).toString(),
        headers,
        body: unpacked(answer.bytes(), headers['content-encoding']),
        hasAllHeaders: true,
      };
    },
  };
}

/** `undefined` if the encoding is unknown, or the body too large. */
function unpacked(bytes: Uint8Array | undefined, encoding = ''): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  const body = unpack(bytes, encoding, MAX_ANSWER);
  return isPacked(body) ? undefined : body;
}
