import fc, { type Arbitrary, type StringConstraints } from 'fast-check';

const SURROGATES = 0x800;
const FIRST_SURROGATE = 0xd800;

/**
 * Every Unicode character except lone surrogates, like `unit: 'binary'`. That one builds a list of a million characters in each
 * test file, which takes longer than many of these files.
 */
const character = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES));

/** Used by tests only: any text. */
export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}): Arbitrary<string> =>
  fc.string({ unit: character, ...constraints });
