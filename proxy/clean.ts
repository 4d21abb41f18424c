import { withoutQuoted } from '../conformance/report/without-values.ts';
import { createRedactor, type Secret } from '../conformance/report/redact.ts';
import { withoutPasswords } from '../text/secret-names.ts';

export type Clean = ReturnType<typeof createClean>;

/** Removes secrets from text. @param secrets may grow later @param includeValues whether sentences show the values of bodies */
export function createClean(secrets: readonly Secret[], includeValues = false) {
  let known = { count: -1, ...createRedactor([]) };
  const redactor = (): typeof known => {
    if (known.count !== secrets.length) known = { count: secrets.length, ...createRedactor(secrets) };
    return known;
  };
  return {
    /** For text from outside. */
    text: (text: string): string => redactor().text(text),
    /** For a sentence of ours that quotes text from outside. */
    sentence(text: string): string {
      const sentence = redactor().sentence(withoutPasswords(text));
      return includeValues ? sentence : withoutQuoted(sentence);
    },
  };
}
