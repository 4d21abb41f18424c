/**
 * The parsed URL, or `undefined`. In Node.js 20, `URL.canParse` rejects non-ASCII texts after some hundred calls, so
 * nothing here may use it.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
