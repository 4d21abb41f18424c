import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** Why a body cannot be decoded. */
export interface Packed {
  /** `too-often`: more than four layers. `unknown`: another coding than these. */
  readonly why: 'too-often' | 'unknown' | 'too-large' | 'broken';
  /** The coding that failed, in lower case; with `too-often`, how many layers there are. */
  readonly coding: string;
  readonly cause?: unknown;
}

type Unpacking = (body: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array;

const MAX_CODINGS = 4;

const unpackings: Readonly<Record<string, Unpacking>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  // Servers send both readings of "deflate": with the zlib header, as they should, and without.
  deflate: (body, limit) => ((body[0] ?? 0) % 16 === 8 ? inflateSync(body, limit) : inflateRawSync(body, limit)),
};

/**
 * Decodes a body with up to four layers of gzip, deflate or brotli (RFC 9110, section 8.4).
 * @param encoding the value of Content-Encoding.
 * @param maxBytes the largest decoded body.
 */
export function unpack(body: Uint8Array, encoding: string, maxBytes: number): Uint8Array | Packed {
  if (encoding === '' || body.byteLength === 0) return body;
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MAX_CODINGS) return { why: 'too-often', coding: String(codings.length) };
  let unpacked = body;
  for (const coding of codings.toReversed()) {
    const unpacking = Object.hasOwn(unpackings, coding) ? unpackings[coding] : undefined;
    if (unpacking === undefined) return { why: 'unknown', coding };
    try {
      unpacked = unpacking(unpacked, { maxOutputLength: maxBytes });
    } catch (cause) {
      const { code } = cause as { readonly code?: unknown };
      return { why: code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'broken', coding, cause };
    }
  }
  return unpacked;
}

export const isPacked = (unpacked: Uint8Array | Packed): unpacked is Packed => 'why' in unpacked;
