/** A text in which every character outside of printable ASCII is an escape of JSON; JSON stays the same JSON. */
export const toAscii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
