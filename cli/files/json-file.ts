import { whereNoJson } from '../../conformance/http/read-body.ts';
import { visible } from '../../text/visible.ts';
import { readable } from '../errors.ts';
import { readFile } from './files.ts';

/** The content of a file; `what` names its kind. @throws UsageError that names the file and, if it is not JSON, the place */
export function readJsonFile(what: string, file: string, cwd: string): unknown {
  const json = readFile(`The ${what}`, file, cwd);
  return readable(
    () => JSON.parse(json) as unknown,
    () => {
      // The error's message may quote the file, and so a token.
      const before = json.slice(0, whereNoJson(json)?.index ?? 0);
      const line = before.split('\n').length;
      const column = before.length - before.lastIndexOf('\n');
      return `The ${what} ${visible(file)} is not JSON; see line ${line}, column ${column}.`;
    },
  );
}

/** A value as a few characters of JSON, safe for a terminal. */
export function snippet(value: unknown): string {
  const text = JSON.stringify(value);
  return visible(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}
