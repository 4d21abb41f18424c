/** A whole number from 0 to `below` - 1. It depends only on a seed and on `label`. */
export type Draw = (label: string, below: number) => number;

/** FNV-1a with a final mix, so that neighbouring seeds draw different numbers. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return (value ^ (value >>> 15)) >>> 0;
}

/** `items` in an order drawn from the seed. */
export function shuffled<T>(items: readonly T[], draw: Draw): T[] {
  const keys = new Map(items.map((item, i) => [item, draw(String(i), 2 ** 31)]));
  return items.toSorted((one, other) => (keys.get(one) ?? 0) - (keys.get(other) ?? 0));
}
