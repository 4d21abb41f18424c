import { isPacked as isStillPacked, unpack } from '../../text/unpack.ts';
import { show } from '../show.ts';

/** Why a body cannot be decoded. */
export interface Packed {
  readonly problem: 'too-large' | 'malformed';
  /** A sentence. */
  readonly says: (host: string) => string;
  readonly cause?: unknown;
}

/**
 * Decodes a body with up to four layers of gzip, deflate or brotli.
 * @param encoding the value of Content-Encoding.
 * @param maxBytes the largest decoded body.
 */
export function decode(body: Uint8Array, encoding: string, maxBytes: number): Uint8Array | Packed {
  const unpacked = unpack(body, encoding, maxBytes);
  if (!isStillPacked(unpacked)) return unpacked;
  const { why, coding, cause } = unpacked;
  const words: Readonly<Record<typeof why, (host: string) => string>> = {
    'too-often': (host) => `${host} says that it encoded its answer ${coding} times.`,
    unknown: (host) => `${host} encoded its answer as ${show(coding)}, which the request did not ask for.`,
    'too-large': (host) => `The answer of ${host}, unpacked, is larger than ${maxBytes} bytes.`,
    broken: (host) => `The answer of ${host} claims to be ${coding}, but cannot be decoded.`,
  };
  return { problem: why === 'too-large' ? 'too-large' : 'malformed', says: words[why], cause };
}

export const isPacked = (decoded: Uint8Array | Packed): decoded is Packed => 'problem' in decoded;
