import { Buffer } from 'buffer';
import { sha1 } from '@noble/hashes/legacy';
import { sha256 } from '@noble/hashes/sha2';

// Stands in a browser for the little of Node.js that the judge uses. What opens files and connections is never reached there.

Object.assign(globalThis, { Buffer });
export { Buffer };

export function createHash(name: string) {
  const hash = (name === 'sha1' ? sha1 : sha256).create();
  return {
    update(bytes: string | Uint8Array) {
      hash.update(bytes);
      return this;
    },
    digest: (encoding?: BufferEncoding) => {
      const digest = Buffer.from(hash.digest());
      return encoding === undefined ? digest : digest.toString(encoding);
    },
  };
}

export const randomBytes = (size: number): Buffer => Buffer.from(crypto.getRandomValues(new Uint8Array(size)));

export function randomInt(from: number, to?: number): number {
  const [least, end] = to === undefined ? [0, from] : [from, to];
  return least + Math.floor(Math.random() * (end - least));
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes) !== undefined;
  } catch {
    return false;
  }
}

export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Object.is(one, other);
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  if (Array.isArray(one) !== Array.isArray(other) || keys.length !== others.length) return false;
  return keys.every(
    (key) => key in other && isDeepStrictEqual(one[key as keyof typeof one], other[key as keyof typeof other]),
  );
}

const { port1, port2 } = new MessageChannel();
const turns: (() => void)[] = [];
port1.addEventListener('message', () => turns.shift()?.());
port1.start();

/** After what waits now. A timer of a browser would wait for milliseconds. */
export function setImmediate(): Promise<void> {
  return new Promise((resolve) => {
    turns.push(resolve);
    port2.postMessage(0);
  });
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => globalThis.setTimeout(resolve, ms));
export { delay as setTimeout };

export const setMaxListeners = (): void => undefined;
export const STATUS_CODES: Readonly<Record<number, string>> = {};
export const constants = {};

function notHere(): never {
  throw new Error('This needs Node.js, and runs in a browser.');
}
async function nothing(): Promise<void> {}
export const createHttpTransport = () => Object.assign(notHere, { keep: nothing, close: nothing });
export {
  notHere as brotliDecompressSync,
  notHere as createGunzip,
  notHere as createHmac,
  notHere as gunzipSync,
  notHere as inflateRawSync,
  notHere as inflateSync,
  notHere as pipeline,
  notHere as Readable,
  notHere as timingSafeEqual,
};
