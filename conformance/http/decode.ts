import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { show } from '../show.ts';
import { codesOf } from './explain-failure.ts';

/** Why a body cannot be decoded. */
export interface Packed {
  readonly problem: 'too-large' | 'malformed';
  /** A sentence. */
  readonly says: (host: string) => string;
  readonly cause?: unknown;
}

type Decoder = (body: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array;

const MAX_CODINGS = 4;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  // Servers send both readings of "deflate": with the zlib header, as they should, and without.
  deflate: (body, limit) => ((body[0] ?? 0) % 16 === 8 ? inflateSync(body, limit) : inflateRawSync(body, limit)),
};

/**
 * Decodes a body with up to four layers of gzip, deflate or brotli.
 * @param encoding the value of Content-Encoding.
 * @param maxBytes the largest decoded body.
 */
export function decode(body: Uint8Array, encoding: string, maxBytes: number): Uint8Array | Packed {
  if (encoding === '' || body.byteLength === 0) return body;
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MAX_CODINGS)
    return { problem: 'malformed', says: (host) => `${host} says that it encoded its answer ${codings.length} times.` };
  let decoded = body;
  for (const coding of codings.toReversed()) {
    const decoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    if (decoder === undefined)
      return {
        problem: 'malformed',
        says: (host) => `${host} encoded its answer as ${show(coding)}, which the request did not ask for.`,
      };
    try {
      decoded = decoder(decoded, { maxOutputLength: maxBytes });
    } catch (cause) {
      return codesOf(cause).includes('ERR_BUFFER_TOO_LARGE')
        ? {
            problem: 'too-large',
            says: (host) => `The answer of ${host}, unpacked, is larger than ${maxBytes} bytes.`,
            cause,
          }
        : {
            problem: 'malformed',
            says: (host) => `The answer of ${host} claims to be ${coding}, but cannot be decoded.`,
            cause,
          };
    }
  }
  return decoded;
}

export const isPacked = (decoded: Uint8Array | Packed): decoded is Packed => 'problem' in decoded;
