/** A text in which every character outside printable ASCII is a JSON escape; JSON keeps its meaning. */
export const toAscii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
