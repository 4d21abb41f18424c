import type { IncomingMessage } from 'node:http';
import type { ForeignExchange } from '../conformance/foreign/foreign-exchange.ts';
import { createBodyBuffer } from '../http/body.ts';
import { joinHeaders, type RawHeaders } from '../http/headers.ts';
import { isPacked, unpack } from '../http/unpack.ts';

const MAX_REQUEST = 2 * 1024 * 1024;
const MAX_ANSWER = 8 * 1024 * 1024;

/** Collects the bodies of one exchange. */
export function createBodyBuffers({ rawHeaders }: IncomingMessage) {
  const [request, answer] = [createBodyBuffer(MAX_REQUEST), createBodyBuffer(MAX_ANSWER)];
  return {
    pieces: { request: request.add, answer: answer.add },
    /** The number of bytes in memory. */
    size: (): number => request.size + answer.size,
    /** The exchange, with its headers and bodies. `raw` are the headers of the answer. */
    fill(bare: ForeignExchange, raw: RawHeaders): ForeignExchange {
      const [headers, sent] = [joinHeaders(raw), request.bytes()];
      const body = sent === undefined || sent.length === 0 ? undefined : Buffer.from(sent).toString();
      return {
        ...bare,
        request: { ...bare.request, headers: joinHeaders(rawHeaders), body },
        answer: bare.answer && {
          ...bare.answer,
          headers,
          body: unpacked(answer.bytes(), headers['content-encoding']),
        },
        hasAllHeaders: true,
      };
    },
  };
}

/** `undefined` if the encoding is unknown, or the body too large. */
function unpacked(bytes: Uint8Array | undefined, encoding = ''): Uint8Array | undefined {
  if (bytes === undefined) return undefined;
  const body = unpack(bytes, encoding, MAX_ANSWER);
  if (isPacked(body)) return undefined;
  return body;
}
