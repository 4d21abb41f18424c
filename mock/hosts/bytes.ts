import type { Wire } from '../call.ts';

/** The bytes of an answer's body: UTF-8, but where a fault says otherwise. */
export const bytesOf = ({ body, encoding }: Pick<Wire, 'body' | 'encoding'>): Uint8Array =>
  encoding === 'latin1'
    ? Uint8Array.from(body, (character) => character.charCodeAt(0) % 256)
    : new TextEncoder().encode(body);
