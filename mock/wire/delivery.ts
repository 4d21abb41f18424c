import type { Wire } from './wire.ts';
import { platform } from '../../text/platform.ts';

/** The longest delay of an answer, in milliseconds. */
export const LONGEST_DELAY = 600_000;

/** The bytes of an answer's body: UTF-8, unless a fault chooses another encoding. */
export function bodyBytes({ body, encoding }: Pick<Wire, 'body' | 'encoding'>): Uint8Array {
  if (encoding === undefined) return new platform.TextEncoder().encode(body);
  return Uint8Array.from(body, (character) => character.charCodeAt(0) % 256);
}

/**
 * Milliseconds until the last byte of an answer, for hosts that can only send whole answers: a slow answer comes in one
 * piece, when its end would.
 */
export function waitingTime({ body, delivery }: Wire): number {
  const { delay = 0, rate } = delivery ?? {};
  return delay + (rate === undefined ? 0 : (new platform.TextEncoder().encode(body).length / rate) * 1000);
}

/** Values of `Set-Cookie`: what the mock itself sets, and what a server behind it does. */
export const cookiesIn = ({ headers, cookies = [] }: Pick<Wire, 'headers' | 'cookies'>): readonly string[] => {
  const own = headers['set-cookie'];
  if (own === undefined) return cookies;
  return [own, ...cookies];
};
