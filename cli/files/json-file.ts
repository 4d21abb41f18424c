import { readFileSync } from 'node:fs';
import path from 'node:path';
import { whereNoJson } from '../../conformance/http/read-body.ts';
import { visible } from '../../conformance/report/redact.ts';
import { readable } from '../errors.ts';

/** The content of a file; `what` names its kind. @throws UsageError that names the file and, if it is not JSON, the place */
export function readJsonFile(what: string, file: string, cwd: string): unknown {
  const text = readable(
    () => readFileSync(path.resolve(cwd, file), 'utf8'),
    (code) => `The ${what} ${visible(file)} cannot be read (${code}).`,
  );
  const json = text.replace(/^\ufeff/, '');
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
