import { spawn } from 'node:child_process';
import type { Found } from './findings-log.ts';
import { postJson } from '../http/post.ts';
import { messageOf } from '../text/errors.ts';

const PATIENCE_MS = 10_000;
/** Findings that may wait to be told. Each is the first of its kind, so that there are few. */
const MOST = 500;

/** Tells findings to a URL or a command in `cwd`, as JSON, one by one; `onFailure` hears of the first failure. */
export function createTeller(to: string, cwd: string, onFailure: (why: string) => void) {
  const tellOne = /^https?:\/\//i.test(to) ? postJson.bind(undefined, to) : running(to, cwd);
  let last = Promise.resolve();
  let waiting = 0;
  let hasFailed = false;
  return {
    tell(found: Found): void {
      if (waiting >= MOST) return;
      waiting++;
      last = last
        .then(() => tellOne(`${JSON.stringify(found)}\n`))
        .catch((error: unknown) => {
          if (!hasFailed) onFailure(messageOf(error));
          hasFailed = true;
        })
        .finally(() => waiting--);
    },
    end: (): Promise<void> => last,
  };
}

const running = (command: string, cwd: string) => (input: string) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn(command, { shell: true, cwd, stdio: ['pipe', 'ignore', 'inherit'], timeout: PATIENCE_MS });
    child.on('error', reject);
    child.stdin.on('error', () => undefined);
    child.on('exit', (status, signal) => {
      if (status === 0) resolve();
      else reject(new Error(`it ended with ${status ?? signal}`));
    });
    child.stdin.end(input);
  });
