import path from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { readJsonFile, snippet } from '../files/json-file.ts';
import { didYouMean } from '../../text/nearest.ts';
import schema from './target-file.schema.json';

/** The default file. */
export const TARGET_FILE = 'agent-contract.json';

export interface TargetFile {
  /** The name of the file in messages. */
  readonly label: string;
  readonly folder: string;
  /** Whether the user named it; otherwise it was found in the current folder. */
  readonly isNamed: boolean;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The keys of a target file. */
export const targetFileKeys: readonly string[] = Object.keys(schema.properties);

const SECRET = /^\/(?:\w*token|header)/i;

/** What the schema says of a value, and its flag says better. */
const OF_FLAGS: ReadonlySet<string> = new Set(['format', 'minLength', 'pattern']);

/** Reads the named file, or else the found one. @throws UsageError that names the place in it */
export function readTargetFile(named: string | undefined, cwd: string): TargetFile {
  const file = named ?? TARGET_FILE;
  const values = readJsonFile('target file', file, cwd);
  // A test judges the schema itself, which takes Ajv longer than to compile it.
  const ajv = new Ajv({ allErrors: true, verbose: true, validateSchema: false, validateFormats: false });
  const validate = ajv.compile(schema);
  validate(values);
  const wrong = (validate.errors ?? []).filter(({ keyword }) => !OF_FLAGS.has(keyword));
  if (wrong.length > 0)
    throw new UsageError(`The target file ${visible(file)} is wrong: ${wrong.map(complaint).join('; ')}.`);
  return {
    label: path.basename(file),
    folder: path.dirname(path.resolve(cwd, file)),
    isNamed: named !== undefined,
    values: values as TargetFile['values'],
  };
}

function complaint({ keyword, instancePath, params, message, data }: ErrorObject): string {
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    const hint = didYouMean(name, targetFileKeys);
    return `${instancePath}/${visible(name)} is not a known key${hint && `.${hint}`}`;
  }
  const shown = SECRET.test(instancePath) ? '' : `, and is ${snippet(data)}`;
  return `${instancePath || 'the file'} ${message ?? 'is wrong'}${shown}`;
}
