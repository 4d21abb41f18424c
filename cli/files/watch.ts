import { realpathSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { codeOf } from '../errors.ts';

/** Milliseconds for which a file has to stay as it is before it counts as written. */
const STILL = 40;

/** What differs once a file was written or replaced; `undefined` if there is none. */
export function fingerprint(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && fingerprintOf(found);
}

export const fingerprintOf = ({ ino, size, mtimeNs }: Readonly<Record<'ino' | 'size' | 'mtimeNs', bigint>>): string =>
  [ino, size, mtimeNs].join('.');

/**
 * Calls `changed` whenever a file was written, or was replaced by another of its name, until the function that is returned
 * is called. The folder is watched and not the file, since editors save by replacing.
 * @throws UsageError where the folder cannot be watched.
 */
export function watchFile(file: string, changed: () => void): () => void {
  let known = fingerprint(file);
  let seen = known;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer = undefined;
    const found = fingerprint(file);
    if (found !== seen) {
      seen = found;
      return stir();
    }
    if (found === undefined || found === known) return;
    known = found;
    changed();
  };
  const stir = (): void => void (timer ??= setTimeout(look, STILL));
  const watchers = [...new Set([path.dirname(file), realFolder(file)])].map((folder) => {
    try {
      // A folder that goes away later has nothing more to say.
      return watch(folder, stir).on('error', () => {});
    } catch (error) {
      throw new UsageError(`--watch: the folder ${visible(folder)} cannot be watched (${codeOf(error)}).`, {
        cause: error,
      });
    }
  });
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Where a link leads to. */
function realFolder(file: string): string {
  try {
    return path.dirname(realpathSync(file));
  } catch {
    return path.dirname(file);
  }
}
