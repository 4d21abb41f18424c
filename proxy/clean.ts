import { createRedactor, type Secret } from '../conformance/report/redact.ts';

/** Takes secrets out of what is told. */
export interface Clean {
  /** Of what came from outside. */
  readonly text: (text: string) => string;
  /** Of a sentence of ours, in which what came from outside is quoted. */
  readonly sentence: (text: string) => string;
}

/** @param secrets more may be added while it is used. */
export function createClean(secrets: readonly Secret[]): Clean {
  let known = { count: -1, ...createRedactor([]) };
  const redactor = (): typeof known => {
    if (known.count !== secrets.length) known = { count: secrets.length, ...createRedactor(secrets) };
    return known;
  };
  return { text: (text) => redactor().text(text), sentence: (text) => redactor().sentence(text) };
}
