import { statSync } from 'node:fs';

/** Milliseconds between two looks at a file. One that did not change between them counts as written. */
const PAUSE = 100;

/** Differs after a file was written or replaced; `undefined` if there is none. */
export function fingerprint(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && fingerprintOf(found);
}

export const fingerprintOf = ({ ino, size, mtimeNs }: Readonly<Record<'ino' | 'size' | 'mtimeNs', bigint>>): string =>
  [ino, size, mtimeNs].join('.');

/** Calls `changed` when a file was written or replaced. It polls, since shared folders of containers lack events. */
export function watchFile(file: string, changed: () => void): () => void {
  let known = fingerprint(file);
  let seen = known;
  const timer = setInterval(() => {
    const found = fingerprint(file);
    const isWritten = found !== undefined && found === seen;
    seen = found;
    if (!isWritten || found === known) return;
    known = found;
    changed();
  }, PAUSE);
  return () => clearInterval(timer);
}
