/** Two FNV-1a hashes of a text as one word, enough to tell apart texts that no attacker chose. */
export function textWord(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x5bd1e995) ^ (other >>> 13);
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36);
}
