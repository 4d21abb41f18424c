import { attempt } from './errors.ts';

/**
 * The parsed URL, or `undefined`. In Node.js 20, `URL.canParse` rejects non-ASCII texts after some hundred calls, so
 * nothing here may use it.
 */
export const parseUrl = (text: string, base?: string): URL | undefined => attempt(() => new URL(text, base));

/** A part of a URL without percent signs; undefined if these encode no UTF-8. */
export const percentDecoded = (text: string | undefined): string | undefined =>
  attempt(() => text && decodeURIComponent(text));
