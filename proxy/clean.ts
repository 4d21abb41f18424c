import { createRedactor, type Secret } from '../conformance/report/redact.ts';

/** Removes secrets from text. */
export interface Clean {
  /** For text from outside. */
  readonly text: (text: string) => string;
  /** For a sentence of ours that quotes text from outside. */
  readonly sentence: (text: string) => string;
}

/** @param secrets may grow later */
export function createClean(secrets: readonly Secret[]): Clean {
  let known = { count: -1, ...createRedactor([]) };
  const redactor = (): typeof known => {
    if (known.count !== secrets.length) known = { count: secrets.length, ...createRedactor(secrets) };
    return known;
  };
  return { text: (text) => redactor().text(text), sentence: (text) => redactor().sentence(text) };
}
