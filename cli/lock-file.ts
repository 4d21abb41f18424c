import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { visible } from '../conformance/report/redact.ts';
import { UsageError } from '../conformance/usage-error.ts';
import { codeOf } from './errors.ts';

/** Milliseconds between signs of life of who holds a lock, and after which one on another machine counts as left behind. */
const HEARTBEAT = 10_000;
const LEFT_BEHIND = 60_000;

/** Locks that this process holds: its own id alone does not tell, since after a restart of a container it is the same. */
const held = new Set<string>();

/**
 * Makes sure that no other process that asks works on `file` as well, until the function that is returned is called: by a
 * file beside it. One that a process left behind when it crashed is taken over. `label` is what messages begin with.
 * @throws UsageError
 */
export function lockFile(file: string, label: string): () => void {
  const lock = `${file}.lock`;
  const content = JSON.stringify({ pid: process.pid, host: hostname(), since: new Date().toISOString() });
  const take = (): boolean => {
    try {
      writeFileSync(lock, content, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw new UsageError(`${label}: ${visible(lock)} cannot be written (${codeOf(error)}).`, { cause: error });
    }
  };
  if (!take()) {
    const holder = holderOf(lock);
    if (holder !== undefined)
      throw new UsageError(
        `${label}: ${visible(file)} is in use by another mock (${holder}). Stop that one, or name another file. If there is none, delete ${visible(lock)}.`,
      );
    rmSync(lock, { force: true });
    if (!take()) throw new UsageError(`${label}: ${visible(file)} has just been taken by another mock.`);
  }
  held.add(lock);
  const timer = setInterval(() => touch(lock), HEARTBEAT).unref();
  return () => {
    clearInterval(timer);
    held.delete(lock);
    rmSync(lock, { force: true });
  };
}

/** Who holds a lock, in words; nobody where it was left behind. */
function holderOf(lock: string): string | undefined {
  let found: { readonly pid?: unknown; readonly host?: unknown; readonly since?: unknown };
  try {
    found = JSON.parse(readFileSync(lock, 'utf8')) as typeof found;
  } catch {
    return isSilent(lock) ? undefined : 'which is starting';
  }
  const { pid, host, since } = found;
  const words = visible(`process ${String(pid)} on ${String(host)}, since ${String(since)}`);
  if (host !== hostname() || typeof pid !== 'number') return isSilent(lock) ? undefined : words;
  return (pid === process.pid ? held.has(lock) : isAlive(pid)) ? words : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there where it may not be sent a signal.
    return codeOf(error) === 'EPERM';
  }
}

const isSilent = (lock: string): boolean =>
  Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LEFT_BEHIND;

function touch(lock: string): void {
  const now = new Date();
  try {
    utimesSync(lock, now, now);
  } catch {
    // Somebody has deleted it, and has been told what that means.
  }
}
