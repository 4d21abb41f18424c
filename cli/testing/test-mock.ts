import { main } from '../main.ts';

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
      new Promise((resolve) => {
        waiting.set(said, resolve);
        tell();
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
