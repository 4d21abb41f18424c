/**
 * The URL that a text is, or `undefined` where it is none. `URL.canParse` of Node.js 20 takes a text with characters beyond ASCII
 * for none once it was called some hundred times, so that nothing here may use it.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
