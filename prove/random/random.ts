import { fraction, seedWord } from '../../fixtures/universe/chance/hash.ts';

export type Random = ReturnType<typeof randomOf>;

const ODD_TEXTS: readonly string[] = [
  ['', '€', '\u{1f600}', 'é', '\0', '\u007f', '\u009f', 'a\r\nx: y', '\ud800', '\udfff!', '"\\"', '%'],
  ['constructor', '__proto__', 'toString', 'null', 'undefined', '[object Object]', '../..', '(a+)+', '('],
  ['x'.repeat(5000), '€'.repeat(1500), ','.repeat(3000), '='.repeat(3000), '['.repeat(3000)],
].flat();
const ASCII = 0x80;
const UNICODE = 0x110000;

/** Numbers, items and texts that look random, and are the same for the same seed. */
export function randomOf(...seed: readonly [number, ...number[]]) {
  const [first, ...others] = seed;
  const word = seedWord(first);
  let count = 0;
  const below = (limit: number): number => Math.floor(fraction(word, ...others, ++count) * limit);
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make);
  const of = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const weighted = <T>(choices: readonly (readonly [weight: number, make: () => T])[]): T => {
    let left = below(choices.reduce((sum, [weight]) => sum + weight, 0));
    const chosen = choices.find(([weight]) => (left -= weight) < 0) ?? choices[0];
    if (!chosen) throw new Error('There is nothing to choose from.');
    return chosen[1]();
  };
  return {
    /** A whole number from 0. */
    below,
    /** At most this many. */
    some,
    oneIn: (limit: number) => below(limit) === 0,
    of,
    /** Makes one of several things, each as often as its weight says. */
    weighted,
    /** Every kind of text: control characters, beyond Latin-1, four-byte characters, lone surrogates, empty, very long. */
    text: () =>
      weighted([
        [1, () => String.fromCodePoint(...some(30, () => below(UNICODE)))],
        [1, () => String.fromCodePoint(...some(30, () => below(ASCII)))],
        [2, () => of(ODD_TEXTS)],
      ]),
  };
}
