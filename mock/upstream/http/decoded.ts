import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** The bytes of a body as they were before they were encoded; `undefined` where nobody can read it, or it is larger than `most`. */
export function decoded(bytes: Buffer | undefined, encoding: string | undefined, most: number): Uint8Array | undefined {
  if (bytes === undefined || encoding === undefined || encoding === 'identity' || bytes.length === 0) return bytes;
  const limit = { maxOutputLength: most };
  try {
    if (/^(?:x-)?gzip$/i.test(encoding)) return gunzipSync(bytes, limit);
    if (/^deflate$/i.test(encoding)) return inflateSync(bytes, limit);
    if (/^br$/i.test(encoding)) return brotliDecompressSync(bytes, limit);
  } catch {
    return undefined;
  }
  return undefined;
}
