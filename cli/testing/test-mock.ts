import { main } from '../main.ts';

/** Milliseconds after which nobody waits any more: far more than a busy machine needs, far less than the limit of a test. */
const PATIENCE = 30_000;

/** For tests: what `wait` resolves with. It fails, and so stops the mock, if nothing comes. `wait` may return how to stop. */
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

/** For tests: what a test does while a mock serves; `until` resolves once the mock has printed a matching text. */
export type Use = (printed: string, until: (said: RegExp) => Promise<void>) => Promise<void> | void;

/** For tests: starts `mock` in a folder, passes its first output to `use`, and stops it like Ctrl+C. */
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
