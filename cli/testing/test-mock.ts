import { EventEmitter, once } from 'node:events';
import { main } from '../main.ts';

/** The most milliseconds to wait: far more than a busy machine needs, and far less than the time limit of a test. */
const PATIENCE = 30_000;

/** Used by tests only: resolves after the first event with which `isReached`. If it does not come, this fails. */
export async function reached(isReached: () => boolean, emitter: EventEmitter, event: string): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE);
  while (!isReached()) await once(emitter, event, { signal });
}

/** Used by tests only: what a test does while a command serves; `until` resolves with the group of what it reports. */
export type Use = (printed: string, until: (said: RegExp) => Promise<string>) => Promise<void> | void;

/** Used by tests only: starts a command that serves, passes its first output to `use`, and stops it like Ctrl+C. */
export const servingIn =
  (folder: string, command: 'mock' | 'proxy' = 'mock') =>
  async (
    argv: readonly string[],
    use: Use,
    env: Record<string, string> = {},
  ): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> => {
    const interruption = new AbortController();
    const written = new EventEmitter();
    let stdout = '';
    let stderr = '';
    let using: Promise<void> | undefined;
    const begin = (printed: string): void => {
      using ??= (async () => use(printed, until))().finally(() => interruption.abort());
      // It is awaited below, once the command has ended.
      using.catch(() => undefined);
    };
    const until = async (said: RegExp): Promise<string> => {
      await reached(() => said.test(stderr), written, 'stderr');
      return said.exec(stderr)?.[1] ?? '';
    };
    const status = await main({
      argv: [command, '--port', '0', ...argv],
      env,
      cwd: folder,
      signal: interruption.signal,
      stdout: {
        write(text: string) {
          stdout += text;
          begin(text);
        },
      },
      stderr: {
        write(text: string) {
          stderr += text;
          written.emit('stderr');
          // With --json, standard output has findings alone.
          if (text.startsWith('proxy on')) begin(stderr);
        },
      },
    });
    if (!using) throw new Error(`It did not start: ${stderr}`);
    await using;
    return { status, stdout, stderr };
  };

/** Used by tests only: what a mock prints with `--json`. */
export interface Ready {
  readonly url: string;
  readonly port: number;
  readonly seed: number;
  readonly persona: string;
  readonly certificate: string;
  readonly target: { readonly token: string; readonly agentId: string; readonly workspaceId: string };
  readonly tokens: Record<string, string>;
}

/** Used by tests only: starts a mock like {@link servingIn}, with `--json`. */
export const serveJson =
  (folder: string) =>
  (
    argv: readonly string[],
    use: (ready: Ready, until: Parameters<Use>[1]) => ReturnType<Use>,
    env: Record<string, string> = {},
  ): ReturnType<ReturnType<typeof servingIn>> =>
    servingIn(folder)(['--json', ...argv], (line, until) => use(JSON.parse(line) as Ready, until), env);
