import { accessSync, constants, lstatSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { writeFileSync, type WriteFileOptions } from 'node:fs';
import path from 'node:path';
import { visible } from '../../text/visible.ts';
import { readable, UsageError } from '../errors.ts';

/** `label` begins each message. @throws UsageError if a file could not be written */
export function checkWritable(file: string, label: string): void {
  const folder = path.dirname(file);
  const cannot = (why: string): UsageError => new UsageError(`${label}: ${why}`);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) throw cannot('this is a folder. Name a file.');
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) throw cannot(`there is no folder ${visible(folder)}. Create it first.`);
  if (!found.isDirectory()) throw cannot(`${visible(folder)} is not a folder.`);
  readable(
    () => accessSync(folder, constants.W_OK),
    () => `${label}: the folder ${visible(folder)} cannot be written to.`,
  );
}

/** The text of a file. `label` begins the message: `--seed-file:`. @throws UsageError if it cannot be read */
export function readFile(label: string, file: string, cwd = ''): string {
  const text = readable(
    () => readFileSync(path.resolve(cwd, file), 'utf8'),
    (code) => `${label} ${visible(file)} cannot be read (${code}).`,
  );
  return text.replace(/^\ufeff/, '');
}

/** Writes a file. `label` begins the message. @throws UsageError if it cannot be written */
export function writeFile(label: string, file: string, text: string, options: WriteFileOptions = {}): void {
  readable(
    () => writeFileSync(file, text, options),
    (code) => `${label}: ${visible(file)} cannot be written (${code}).`,
  );
}

/** Writes a file atomically. Anything other than a regular file (a pipe, /dev/null) is written directly. */
export function writeAtomically(file: string, text: string): void {
  const existing = lstatSync(file, { throwIfNoEntry: false });
  const real = existing?.isSymbolicLink() === true ? realpathSync(file) : file;
  if (existing !== undefined && !statSync(real).isFile()) {
    writeFileSync(real, text);
    return;
  }
  const temporary = `${real}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, real);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
