import path from 'node:path';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { valueAt } from '../../spec/json-pointer.ts';
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

const SECRET = /token$/i;

let validator: ValidateFunction | undefined;

/** A test judges the schema itself, which takes Ajv longer than to compile it. */
const compile = (): ValidateFunction => addFormats(new Ajv({ allErrors: true, validateSchema: false })).compile(schema);

/** Reads the named file, or else the found one. @throws UsageError that names the place in it */
export function readTargetFile(named: string | undefined, cwd: string): TargetFile {
  const file = named ?? TARGET_FILE;
  const full = path.resolve(cwd, file);
  const values = readJsonFile('target file', file, cwd);
  const validate = (validator ??= compile());
  if (!validate(values)) {
    const complaints = (validate.errors ?? []).map((error) => complaint(error, values));
    throw new UsageError(`The target file ${visible(file)} is wrong: ${complaints.join('; ')}.`);
  }
  return {
    label: path.basename(file),
    folder: path.dirname(full),
    isNamed: named !== undefined,
    values: values as TargetFile['values'],
  };
}

function complaint({ keyword, instancePath, params, message }: ErrorObject, values: unknown): string {
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    return `${instancePath}/${visible(name)} is not a known key.${didYouMean(name, targetFileKeys)}`.replace(
      /[.?]$/,
      (end) => (end === '.' ? '' : end),
    );
  }
  const place = instancePath === '' ? 'the file' : instancePath;
  const value = valueAt(values, instancePath);
  const shown = SECRET.test(instancePath) || instancePath.startsWith('/header') ? '' : `, and is ${snippet(value)}`;
  return `${place} ${wish(keyword, params, message)}${shown}`;
}

function wish(keyword: string, params: ErrorObject['params'], message: string | undefined): string {
  switch (keyword) {
    case 'format':
      return 'must be a URL such as "https://api.example.com"';
    case 'minLength':
      return 'must not be empty';
    case 'pattern':
      return WISHES[String(params['pattern'])] ?? `must match ${String(params['pattern'])}`;
    default:
      return message ?? 'is wrong';
  }
}

const WISHES: Readonly<Record<string, string>> = {
  [schema.properties.baseUrl.pattern]: 'must begin with http:// or https://',
  [schema.properties.report.items.pattern]: 'must be FORMAT=FILE',
  [schema.properties.header.items.pattern]: 'must be "Name: value"',
};
