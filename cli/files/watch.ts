import { realpathSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { codeOf } from '../errors.ts';

/** Milliseconds without a change after which a file counts as written. */
const STILL = 40;

/** Differs after a file was written or replaced; `undefined` if there is none. */
export function fingerprint(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && fingerprintOf(found);
}

export const fingerprintOf = ({ ino, size, mtimeNs }: Readonly<Record<'ino' | 'size' | 'mtimeNs', bigint>>): string =>
  [ino, size, mtimeNs].join('.');

/**
 * Calls `changed` whenever a file was written or replaced, until the returned function is called. It watches the folder
 * and not the file, since editors replace files when they save.
 * @throws UsageError if the folder cannot be watched.
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
      return scheduleLook();
    }
    if (found === undefined || found === known) return;
    known = found;
    changed();
  };
  const scheduleLook = (): void => void (timer ??= setTimeout(look, STILL));
  const watchers = [...new Set([path.dirname(file), realFolder(file)])].map((folder) => {
    try {
      // A folder that disappears later sends no more events.
      return watch(folder, scheduleLook).on('error', () => {});
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

/** The target of a link. */
function realFolder(file: string): string {
  try {
    return path.dirname(realpathSync(file));
  } catch {
    return path.dirname(file);
  }
}
