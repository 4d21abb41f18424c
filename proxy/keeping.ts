import type { IncomingMessage } from 'node:http';
import type { Met } from '../conformance/foreign/met.ts';
import { isPacked, unpack } from '../text/unpack.ts';
import type { Onlooker } from './forward.ts';
import { joined, type RawHeaders } from '../mock/upstream/http/headers.ts';

const MAX_REQUEST = 2 * 1024 * 1024;
const MAX_ANSWER = 8 * 1024 * 1024;

/** The bodies of one exchange, as they come. */
export interface Keeping {
  readonly pieces: Required<Pick<Onlooker, 'request' | 'answer'>>;
  /** All that is known of it. */
  met(bare: Met, raw: RawHeaders): Met;
  /** Bytes in memory. */
  size(): number;
}

export function createKeeping({ rawHeaders }: IncomingMessage): Keeping {
  const [sent, came] = [gathering(MAX_REQUEST), gathering(MAX_ANSWER)];
  return {
    pieces: { request: sent.add, answer: came.add },
    size: () => sent.size + came.size,
    met(bare, raw) {
      const [headers, body] = [joined(raw), sent.bytes()];
      return {
        ...bare,
        requestHeaders: joined(rawHeaders),
        requestBody: body === undefined || body.length === 0 ? undefined : body.toString(),
        headers,
        body: unpacked(came.bytes(), headers['content-encoding']),
        hasAllHeaders: true,
      };
    },
  };
}

interface Gathering {
  readonly add: (chunk: Buffer) => void;
  /** `undefined` where there is more than is kept. */
  bytes(): Buffer | undefined;
  /** In memory. */
  readonly size: number;
}

function gathering(most: number): Gathering {
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

/** `undefined` where nobody can read it. */
function unpacked(bytes: Buffer | undefined, encoding = ''): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  const body = unpack(bytes, encoding, MAX_ANSWER);
  return isPacked(body) ? undefined : body;
}
