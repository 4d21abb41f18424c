import type { IncomingMessage } from 'node:http';
import type { Met } from '../conformance/foreign/met.ts';
import { isPacked, unpack } from '../http/unpack.ts';
import type { Inspection } from './forward.ts';
import { joined, type RawHeaders } from '../http/headers.ts';

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
  const [request, answer] = [bufferUpTo(MAX_REQUEST), bufferUpTo(MAX_ANSWER)];
  return {
    pieces: { request: request.add, answer: answer.add },
    size: () => request.size + answer.size,
    met(bare, raw) {
      const [headers, body] = [joined(raw), request.bytes()];
      return {
        ...bare,
        requestHeaders: joined(rawHeaders),
        requestBody: body === undefined || body.length === 0 ? undefined : body.toString(),
        headers,
        body: decoded(answer.bytes(), headers['content-encoding']),
        hasAllHeaders: true,
      };
    },
  };
}

interface Buffering {
  readonly add: (chunk: Buffer) => void;
  /** `undefined` if there were too many. */
  bytes(): Buffer | undefined;
  /** The number of bytes in memory. */
  readonly size: number;
}

function bufferUpTo(most: number): Buffering {
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (size > most) chunks = [];
      else chunks.push(chunk);
    },
    bytes: () => (size > most ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)),
    get size() {
      return size > most ? 0 : size;
    },
  };
}

/** Decodes a body; `undefined` if its encoding is unknown or it is too large. */
function decoded(bytes: Buffer | undefined, encoding = ''): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  const body = unpack(bytes, encoding, MAX_ANSWER);
  return isPacked(body) ? undefined : body;
}
