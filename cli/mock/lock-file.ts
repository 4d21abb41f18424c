import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { visible } from '../../text/visible.ts';
import { attempt, codeOf, UsageError } from '../errors.ts';

/** Milliseconds between signs of life of a lock's holder, and after which a lock without them counts as left behind. */
const HEARTBEAT = 2000;
export const LEFT_BEHIND = 20_000;

/** This process. Its process id alone is not enough: after a restart of a container it is the same. */
const own = randomUUID();

/**
 * Makes sure that no other process with this lock works on `file`, through a lock file beside it with signs of life. A
 * lock without them is taken over, whichever process now has its holder's id; at once if none has. `label` begins each
 * message; `now` gives epoch milliseconds. @throws UsageError
 */
export function lockFile(file: string, label: string, { now = Date.now } = {}) {
  const lock = `${file}.lock`;
  const content = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    since: new Date(now()).toISOString(),
    process: own,
    id: randomUUID(),
  });
  const take = (): boolean => {
    try {
      writeFileSync(lock, content, { flag: 'wx', mode: 0o600 });
      touch(lock, now());
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw new UsageError(`${label}: ${visible(lock)} cannot be written (${codeOf(error)}).`, { cause: error });
    }
  };
  if (!take()) {
    const found = contentOf(lock);
    const holder = holderOf(lock, found, now());
    if (holder !== undefined)
      throw new UsageError(
        `${label}: ${visible(file)} is in use by another mock (${holder}). Stop that mock, or name another file. If no such mock runs, wait ${LEFT_BEHIND / 1000} seconds, or delete ${visible(lock)}.`,
      );
    // Where two processes take a lock away at once, the earlier one notices before it writes.
    rmSync(lock, { force: true });
    if (!take()) throw new UsageError(`${label}: ${visible(file)} was just taken by another mock.`);
  }
  const timer = setInterval(() => {
    if (contentOf(lock) === content) touch(lock, now());
  }, HEARTBEAT).unref();
  return {
    /** Another process may have taken it while this one slept; the user may have deleted it, as the message suggests. */
    isHeld(): boolean {
      const found = contentOf(lock);
      return found === content || (found === undefined && take());
    },
    release(): void {
      clearInterval(timer);
      if (contentOf(lock) === content) rmSync(lock, { force: true });
    },
  };
}

const contentOf = (lock: string): string | undefined => attempt(() => readFileSync(lock, 'utf8'));

/** The holder of a lock, in words; `undefined` if it was left behind. */
function holderOf(lock: string, content: string | undefined, now: number): string | undefined {
  if (isSilent(lock, now)) return undefined;
  const found = attempt(() => JSON.parse(content ?? '') as Readonly<Record<string, unknown>>);
  if (!found) return 'which is starting';
  const { pid, host, since, process: by } = found;
  const words = visible(`process ${String(pid)} on ${String(host)}, since ${String(since)}`);
  if (host !== hostname() || typeof pid !== 'number') return words;
  if (pid === process.pid ? by === own : isThere(pid)) return words;
  return undefined;
}

/** Whether a process has that id: the holder, or a later one. One that ended and waits for its parent is not there. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    // It exists if it may not be signalled.
    return codeOf(error) === 'EPERM';
  }
}

/** Where the system tells the state of a process. */
function hasEnded(pid: number): boolean {
  return /\) [ZX][^)]*$/.test(attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '');
}

/** A sign of life far in the future does not count: the clock was wrong. */
const isSilent = (lock: string, now: number): boolean =>
  Math.abs(now - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0)) > LEFT_BEHIND;

function touch(lock: string, now: number): void {
  // The user may have deleted it, and knows what that means.
  attempt(() => utimesSync(lock, now / 1000, now / 1000));
}
