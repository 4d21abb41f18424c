import { lstatSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { visible } from '../../text/visible.ts';
import { stateText, type MockState } from '../../mock/index.ts';
import { codeOf, messageOf, UsageError } from '../errors.ts';
import { readJsonFile } from '../files/json-file.ts';
import { lockFile } from './lock-file.ts';
import { checkWritable } from '../files/files.ts';
import { throttled } from '../files/throttle.ts';
import { fingerprint, fingerprintOf } from '../files/watch.ts';

/** Milliseconds between two writes while things change. */
export const PAUSE = 200;

export type StateFile = ReturnType<typeof openStateFile>;

export const LEFT = 'The mock left it as it is. Fix it, name another file, or delete it to start afresh.';

/**
 * Opens the file at an absolute path, for this process alone. @throws UsageError, and then the file is unchanged.
 * @param current gives the state to save. @param warn is told why the file could not be written
 * @param takeOver adopts the changes of another process, instead of leaving the file alone
 */
export function openStateFile(
  named: string,
  current: () => MockState,
  warn: (message: string) => void,
  takeOver?: () => void,
) {
  checkWritable(named, '--state');
  const file = followed(named);
  const shown = visible(file);
  const lock = lockFile(file, '--state');
  let begun: ReturnType<typeof read>;
  try {
    begun = read(file);
  } catch (error) {
    lock.release();
    throw error;
  }
  /** The fingerprint of the file at the last read or write. */
  let known = begun.print;
  /** That of a foreign change that could not be adopted. */
  let refused: string | undefined;
  /** Whether the file holds the present state, as far as is known. */
  let isSaved = true;
  let lastWarning = '';
  const warnOnce = (message: string): void => {
    if (message !== lastWarning) warn(message);
    lastWarning = message;
  };
  const isForeign = (print = fingerprint(file)): boolean => print !== undefined && print !== known;

  async function save(): Promise<void> {
    isSaved = true;
    try {
      const { temporary, print } = await write(file, current());
      const isHeld = lock.isHeld();
      if (!isHeld || isForeign()) {
        isSaved = false;
        rmSync(temporary, { force: true });
        return giveWay(isHeld);
      }
      // Both at once, so that our own change is not taken for a foreign one.
      renameSync(temporary, file);
      known = print;
      lastWarning = '';
    } catch (error) {
      isSaved = false;
      warnOnce(`${shown} cannot be written (${codeOf(error)}). The data of the mock is not saved.`);
    }
  }
  /** Adopts a foreign change, or reports that the file is left alone because of it. */
  function giveWay(isHeld: boolean): void {
    if (!isHeld)
      return warnOnce(`${shown} was taken by another mock while this one slept. This one does not save its data.`);
    takeOver?.();
    isSaved = !isForeign();
    if (!isSaved)
      warnOnce(`${shown} was changed by somebody else. The mock leaves it as it is, and does not save its own data.`);
  }
  /** Writes unsaved data beside the file, as a last resort. */
  async function saveAside(): Promise<void> {
    const aside = `${file}.unsaved`;
    try {
      const { temporary } = await write(aside, current());
      renameSync(temporary, aside);
      warn(`The unsaved data is in ${visible(aside)}.`);
    } catch (error) {
      warn(`The unsaved data is lost: ${visible(aside)} cannot be written either (${codeOf(error)}).`);
    }
  }

  const writer = throttled(save, PAUSE);
  return {
    /** Absolute, with links resolved. */
    file,
    /** Its content when it was opened; `undefined` if there was no file. */
    state: begun.state,
    save(): void {
      isSaved = false;
      writer.request();
    },
    flush: writer.finish,
    /** Passes on what another process wrote meanwhile; false if nothing. If `use` throws, it is not read again. */
    takeChange(use: (state: unknown) => void): boolean {
      const print = fingerprint(file);
      if (!isForeign(print) || print === refused) return false;
      refused = print;
      const found = read(file);
      use(found.state);
      known = found.print;
      refused = undefined;
      return true;
    },
    /** Writes unsaved changes and releases the file; resolves with whether everything was saved. */
    async close(): Promise<boolean> {
      await writer.finish();
      if (!isSaved) await saveAside();
      lock.release();
      return isSaved;
    },
  };
}

/** The target of a link, even if nothing exists there yet. */
function followed(file: string): string {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return file;
  return followed(path.resolve(path.dirname(file), readlinkSync(file)));
}

function read(file: string): { readonly print: string | undefined; readonly state: unknown } {
  const print = fingerprint(file);
  if (print === undefined) return { print, state: undefined };
  const stat = statSync(file);
  if (!stat.isFile()) throw new UsageError(`--state: ${visible(file)} is not a regular file.`);
  if (stat.nlink > 1)
    throw new UsageError(
      `--state: ${visible(file)} has ${stat.nlink} names (hard links), so that another mock may use it under another one. Name a copy of it.`,
    );
  try {
    return { print, state: readJsonFile('state file', file, '/') };
  } catch (error) {
    throw new UsageError(`${messageOf(error)} ${LEFT}`, { cause: error });
  }
}

/** Writes a file beside the one that it replaces, readable only by its owner. */
async function write(file: string, state: MockState): Promise<{ readonly temporary: string; readonly print: string }> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    // One that a crash left behind would keep its mode.
    rmSync(temporary, { force: true });
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await writeFile(handle, stateText(state));
      await handle.sync();
      return { temporary, print: fingerprintOf(await handle.stat({ bigint: true })) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
