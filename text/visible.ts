/**
 * Everything that a terminal, an editor or a browser would interpret instead of showing: control characters (line feed
 * included), direction marks, invisible characters, unpaired surrogates.
 */
export const UNSEEN =
  // oxlint-disable-next-line no-control-regex
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

/** The text with everything invisible escaped, so that it stays on its line and in its colour. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if ('\n\r\t'.includes(character)) return JSON.stringify(character).slice(1, -1);
    const code = character.codePointAt(0) ?? 0;
    if (code > 0xffff) return `\\u{${code.toString(16)}}`;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** A text from outside in quotation marks, on one line, and without more than so many characters of it. */
export function quoted(text: string, most = 80): string {
  const printable = visible(JSON.stringify(text.slice(0, most + 1)));
  if (printable.length <= most) return printable;
  return `${printable.slice(0, most)}…"`;
}
