import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { codeOf } from '../errors.ts';

/** Milliseconds between signs of life of who holds a lock, and after which one without them counts as left behind. */
const HEARTBEAT = 2000;
export const LEFT_BEHIND = 20_000;

/** A file that is kept from others. */
export interface Lock {
  /** Whether it still is: after a long sleep of this process another one may have taken it. */
  isHeld(): boolean;
  release(): void;
}

export interface LockOptions {
  /** Epoch milliseconds; the machine's clock unless given. */
  readonly now?: () => number;
}

/** Locks that this process holds: its own id alone does not tell, since after a restart of a container it is the same. */
const held = new Set<string>();

/**
 * Makes sure that no other process that asks works on `file` as well, by a file beside it that shows signs of life. One
 * without them is taken over, whichever process has the number of its holder now; and at once if there is none. `label`
 * is what messages begin with. @throws UsageError
 */
export function lockFile(file: string, label: string, { now = Date.now }: LockOptions = {}): Lock {
  const lock = `${file}.lock`;
  const content = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    since: new Date(now()).toISOString(),
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
    if (!takeAway(lock, found) || !take())
      throw new UsageError(`${label}: ${visible(file)} was just taken by another mock.`);
  }
  held.add(lock);
  const isOurs = (): boolean => contentOf(lock) === content;
  const timer = setInterval(() => {
    if (isOurs()) touch(lock, now());
  }, HEARTBEAT).unref();
  return {
    // Somebody may have deleted it, as the message above says.
    isHeld: () => isOurs() || (contentOf(lock) === undefined && take()),
    release() {
      clearInterval(timer);
      held.delete(lock);
      if (isOurs()) rmSync(lock, { force: true });
    },
  };
}

/** Takes a lock that was left behind out of the way, and no other that came in its place meanwhile. */
function takeAway(lock: string, known: string | undefined): boolean {
  const aside = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    // Somebody else was faster, and may have it or not.
    return codeOf(error) === 'ENOENT';
  }
  const isKnown = contentOf(aside) === known;
  if (!isKnown)
    try {
      linkSync(aside, lock);
    } catch {
      // Somebody has it by now; the one whose lock this was sees that before it writes.
    }
  rmSync(aside, { force: true });
  return isKnown;
}

function contentOf(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return undefined;
  }
}

/** Who holds a lock, in words; nobody where it was left behind. */
function holderOf(lock: string, content: string | undefined, now: number): string | undefined {
  if (isSilent(lock, now)) return undefined;
  let found: { readonly pid?: unknown; readonly host?: unknown; readonly since?: unknown };
  try {
    found = JSON.parse(content ?? '') as typeof found;
  } catch {
    return 'which is starting';
  }
  const { pid, host, since } = found;
  const words = visible(`process ${String(pid)} on ${String(host)}, since ${String(since)}`);
  if (host !== hostname() || typeof pid !== 'number') return words;
  return (pid === process.pid ? held.has(lock) : isThere(pid)) ? words : undefined;
}

/** Whether any process has that number: the holder, another one since, or what is left of one that was killed. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there where it may not be sent a signal.
    return codeOf(error) === 'EPERM';
  }
}

/** A sign of life that lies far ahead is none either: the clock was wrong when it was given. */
const isSilent = (lock: string, now: number): boolean =>
  Math.abs(now - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0)) > LEFT_BEHIND;

function touch(lock: string, now: number): void {
  try {
    utimesSync(lock, now / 1000, now / 1000);
  } catch {
    // Somebody has deleted it, and has been told what that means.
  }
}
