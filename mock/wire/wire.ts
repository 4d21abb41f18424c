import type { HttpAnswer } from '../../http/exchange.ts';
import { platform } from '../../text/platform.ts';

/** How a host delivers an answer. Default: at once and in one piece. */
export interface Delivery {
  /** Milliseconds to wait first. */
  readonly delay?: number;
  /** Bytes of the body per second. */
  readonly rate?: number;
  readonly connection?: ConnectionFault;
}

/** An answer, and how a host delivers it. */
export interface Wire extends Omit<HttpAnswer, 'body'> {
  /** Values of `Set-Cookie`, which cannot be joined in one header: what a server behind the mock has set. */
  readonly cookies?: readonly string[];
  readonly body: string;
  /** The encoding of the body. Default: UTF-8. */
  readonly encoding?: 'latin1';
  readonly delivery?: Delivery;
}

/** Ways to break a connection instead of answering, and what a client sees. The names are WireMock's. */
export const connectionFaultMeanings = {
  CONNECTION_RESET_BY_PEER: 'closes the connection with a TCP reset, before any answer',
  EMPTY_RESPONSE: 'closes the connection without any answer',
  MALFORMED_RESPONSE_CHUNK: 'begins an answer with 200, and then sends an invalid chunk',
  RANDOM_DATA_THEN_CLOSE: 'sends bytes that are not HTTP, and closes the connection',
} as const;
export type ConnectionFault = keyof typeof connectionFaultMeanings;
export const connectionFaults = Object.keys(connectionFaultMeanings) as readonly ConnectionFault[];

export const isConnectionFault = (text: string): text is ConnectionFault =>
  connectionFaults.some((known) => known === text);

/** The longest delay of an answer, in milliseconds. */
export const LONGEST_DELAY = 600_000;

/** The bytes of an answer's body: UTF-8, unless a fault chooses another encoding. */
export function bodyBytes({ body, encoding }: Pick<Wire, 'body' | 'encoding'>): Uint8Array {
  if (encoding === undefined) return new platform.TextEncoder().encode(body);
  return Uint8Array.from(body, (character) => character.charCodeAt(0) % 256);
}

/** Milliseconds until the last byte, for hosts that can only send whole answers. */
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
