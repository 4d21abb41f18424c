import { existsSync, lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import { visible } from '../../text/visible.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { readJsonFile, snippet } from '../files/json-file.ts';
import { flagName, type Given, type FileOfValues } from '../flags.ts';
import { nearest } from '../../text/nearest.ts';
import schema from './target-file.schema.json';

const TARGET_FILE = 'agent-contract.json';

export const targetFileKeys: readonly string[] = Object.keys(schema.properties);

const SECRET = /^\/(?:\w*token|header)/i;

/** What the schema says of a value, and its flag says better. */
const OF_FLAGS: ReadonlySet<string> = new Set(['format', 'minLength', 'pattern']);

/** Reads the named file, or else the found one. @throws UsageError that names the place in it */
export function readTargetFile(named: string | undefined, cwd: string): FileOfValues {
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
    values: values as FileOfValues['values'],
  };
}

function complaint({ keyword, instancePath, params, message, data }: ErrorObject): string {
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    const meant = nearest(name, targetFileKeys).join(' or ');
    return `${instancePath}/${visible(name)} is not a known key${meant && ` (did you mean ${meant}?)`}`;
  }
  const shown = SECRET.test(instancePath) ? '' : `, and is ${snippet(data)}`;
  return `${instancePath || 'the file'} ${message ?? 'is wrong'}${shown}`;
}

/** Settings that only the user may choose, since they could let another server pass for the target. */
const TRUST = ['insecure', 'ca'] as const;

/** Keys with paths, and what stands before a path in their values. */
const PATHS = { report: /^[^=]*=/, baseline: /^/ };

/** Restricts a found target file to its folder. `given` returns what a flag has. @throws UsageError with what to do instead */
export function refuseBeyondFolder(file: FileOfValues, given: (key: string) => Given | undefined): void {
  const ofFile = (key: string): readonly string[] => {
    const one = given(key);
    if (one?.source === 'file') return one.values.map(String);
    return [];
  };
  const { label, folder } = file;
  for (const key of TRUST)
    if (ofFile(key).some((value) => value !== 'false'))
      throw new UsageError(
        `${label} /${key}: a file that was only found in the current folder cannot choose the trusted certificates. Use ${flagName(key)}, or name the file: --target ${label}.`,
      );
  for (const [key, before] of Object.entries(PATHS))
    for (const value of ofFile(key).map((one) => one.replace(before, '')))
      if (value !== '-' && !staysInside(folder, value))
        throw new UsageError(
          `${label} /${key} ${visible(JSON.stringify(value))}: a file that was only found in the current folder may name only files below that folder, and no links or hidden files. Use ${flagName(key)}, or name the file: --target ${label}.`,
        );
}

/** Whether a path leads below the folder, hidden files and folders excluded. */
function staysInside(folder: string, file: string): boolean {
  const full = path.resolve(folder, file);
  // A link may lead anywhere, even to something that does not exist yet.
  if (lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink() === true) return false;
  const parent = path.dirname(full);
  const isThere = existsSync(parent);
  const from = isThere ? realpathSync(folder) : folder;
  const way = path.relative(from, path.join(isThere ? realpathSync(parent) : parent, path.basename(full)));
  // "..", which leads out, also begins with a dot.
  return way !== '' && !path.isAbsolute(way) && way.split(path.sep).every((name) => !name.startsWith('.'));
}
