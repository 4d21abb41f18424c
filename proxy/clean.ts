import { withoutQuoted } from '../conformance/report/without-values.ts';
import { createRedactor, type Secret } from '../conformance/report/redact.ts';
import { withoutPasswords } from '../text/secret-names.ts';

/** Removes secrets from text. */
export interface Clean {
  /** For text from outside. */
  readonly text: (text: string) => string;
  /** For a sentence of ours that quotes text from outside. */
  readonly sentence: (text: string) => string;
}

/**
 * @param secrets may grow later
 * @param includeValues whether sentences show the values of bodies
 */
export function createClean(secrets: readonly Secret[], includeValues = false): Clean {
  let known = { count: -1, ...createRedactor([]) };
  const redactor = (): typeof known => {
    if (known.count !== secrets.length) known = { count: secrets.length, ...createRedactor(secrets) };
    return known;
  };
  const shown = (sentence: string): string => (includeValues ? sentence : withoutQuoted(sentence));
  return {
    text: (text) => redactor().text(text),
    sentence: (text) => shown(redactor().sentence(withoutPasswords(text))),
  };
}
