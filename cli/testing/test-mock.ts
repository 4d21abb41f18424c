import { EventEmitter, once } from 'node:events';
import { main } from '../main.ts';

/** The most milliseconds to wait: far more than a busy machine needs, and far less than the time limit of a test. */
const PATIENCE = 30_000;

/** Used by tests only: resolves after the first event with which `isReached`. If it does not come, this fails. */
export async function reached(isReached: () => boolean, emitter: EventEmitter, event: string): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE);
  while (!isReached()) await once(emitter, event, { signal });
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
    const written = new EventEmitter();
    let stderr = '';
    let using: Promise<void> | undefined;
    const until = (said: RegExp): Promise<void> => reached(() => said.test(stderr), written, 'stderr');
    const status = await main({
      argv: ['mock', '--port', '0', ...argv],
      env,
      cwd: folder,
      signal: interruption.signal,
      stdout: {
        write(text: string) {
          using = (async () => use(text, until))().finally(() => interruption.abort());
          // It is awaited below, once the mock has stopped.
          using.catch(() => undefined);
        },
      },
      stderr: {
        write(text: string) {
          stderr += text;
          written.emit('stderr');
        },
      },
    });
    if (!using) throw new Error(`The mock did not start: ${stderr}`);
    await using;
    return { status, stderr };
  };
