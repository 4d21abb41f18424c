import { readFileSync } from 'node:fs';
import path from 'node:path';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { codeOf, messageOf } from '../errors.ts';

/**
 * The parsed content of a file. `what` names its kind in messages: "target file".
 * @throws UsageError that names the file and, if it is not JSON, the place in it
 */
export function readJsonFile(what: string, file: string, cwd: string): unknown {
  let text: string;
  try {
    text = readFileSync(path.resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(`The ${what} ${visible(file)} cannot be read (${codeOf(error)}).`, { cause: error });
  }
  const json = text.replace(/^\ufeff/, '');
  try {
    return JSON.parse(json);
  } catch (error) {
    // The error's message may quote the file, and so a token.
    const before = json.slice(0, endOfSense(json));
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    throw new UsageError(`The ${what} ${visible(file)} is not JSON; see line ${line}, column ${column}.`, {
      cause: error,
    });
  }
}

/** The length of the part that could be the beginning of JSON. */
function endOfSense(text: string): number {
  const isBeginning = (length: number): boolean => {
    try {
      JSON.parse(text.slice(0, length));
      return true;
    } catch (error) {
      const message = messageOf(error);
      return /end of JSON input/.test(message) || Number(/position (\d+)/.exec(message)?.[1] ?? -1) >= length;
    }
  };
  let [sense, nonsense] = [0, text.length + 1];
  while (nonsense - sense > 1) {
    const middle = Math.floor((sense + nonsense) / 2);
    if (isBeginning(middle)) sense = middle;
    else nonsense = middle;
  }
  return sense;
}

/** A value as a few characters of JSON, safe for a terminal. */
export function snippet(value: unknown): string {
  const text = JSON.stringify(value);
  return visible(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}
