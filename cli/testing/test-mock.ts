import { main } from '../main.ts';

/** The most milliseconds to wait: far more than a busy machine needs, and far less than the time limit of a test. */
const PATIENCE = 30_000;

/**
 * Used by tests only: the value that `wait` resolves with. If it does not come, this fails, which stops the mock. `wait` may
 * return a function that stops waiting.
 */
export function patiently(what: string, wait: (resolve: () => void) => (() => void) | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let stop: (() => void) | undefined;
    const timer = setTimeout(() => {
      stop?.();
      reject(new Error(`${what} did not come.`));
    }, PATIENCE);
    stop = wait(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Used by tests only: what a test does while a mock serves; `until` resolves when the mock has printed a matching text. */
export type Use = (printed: string, until: (said: RegExp) => Promise<void>) => Promise<void> | void;

/** Used by tests only: starts `mock` in a folder, passes its first output to `use`, and stops it like Ctrl+C. */
export const serve =
  (folder: string) =>
  async (
    argv: readonly string[],
    use: Use,
    env: Record<string, string> = {},
  ): Promise<{ readonly status: number; readonly stderr: string }> => {
    const interruption = new AbortController();
    let stderr = '';
    let isStarted = false;
    let failure: unknown;
    const waiting = new Map<RegExp, () => void>();
    const tell = (): void => {
      for (const [said, resolve] of waiting) if (said.test(stderr)) resolve();
    };
    const until = (said: RegExp): Promise<void> =>
      patiently(String(said), (resolve) => {
        waiting.set(said, resolve);
        tell();
        return undefined;
      });
    const status = await main({
      argv: ['mock', '--port', '0', ...argv],
      env,
      cwd: folder,
      signal: interruption.signal,
      stdout: {
        write(text: string) {
          isStarted = true;
          void (async () => use(text, until))()
            .catch((error: unknown) => {
              failure = error;
            })
            .finally(() => interruption.abort());
        },
      },
      stderr: {
        write(text: string) {
          stderr += text;
          tell();
        },
      },
    });
    if (!isStarted) throw new Error(`The mock did not start: ${stderr}`);
    if (failure !== undefined) throw failure;
    return { status, stderr };
  };
