import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { quoted } from '../text/visible.ts';

export interface StillPacked {
  readonly failure: 'too-large' | 'malformed';
  /** The end of a sentence that begins with its sender. */
  readonly words: string;
  readonly cause?: unknown;
}

type Unpacking = (body: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array;

const MAX_CODINGS = 4;

const unpackings: ReadonlyMap<string, Unpacking> = new Map<string, Unpacking>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['deflate', inflateEither],
]);

/** Unpacks up to four layers of gzip, deflate or brotli (RFC 9110, section 8.4), by Content-Encoding. */
export function unpack(body: Uint8Array, encoding: string, maxBytes: number): Uint8Array | StillPacked {
  if (encoding === '' || body.byteLength === 0) return body;
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MAX_CODINGS)
    return { failure: 'malformed', words: `says that it encoded its body ${codings.length} times` };
  let unpacked = body;
  for (const coding of codings.toReversed()) {
    const unpacking = unpackings.get(coding);
    if (!unpacking)
      return { failure: 'malformed', words: `encoded its body as ${quoted(coding)}, which cannot be unpacked` };
    try {
      unpacked = unpacking(unpacked, { maxOutputLength: maxBytes });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        return { failure: 'too-large', words: `sent a body that, unpacked, is larger than ${maxBytes} bytes`, cause };
      return { failure: 'malformed', words: `sent a body that claims to be ${coding}, but cannot be unpacked`, cause };
    }
  }
  return unpacked;
}

export const isPacked = (unpacked: Uint8Array | StillPacked): unpacked is StillPacked => 'failure' in unpacked;

/** Servers send both readings of "deflate": with the zlib header, as they should, and without. */
function inflateEither(body: Uint8Array, limit: { maxOutputLength: number }): Uint8Array {
  const hasHeader = (body[0] ?? 0) % 16 === 8;
  if (hasHeader) return inflateSync(body, limit);
  return inflateRawSync(body, limit);
}
