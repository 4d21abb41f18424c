import { createColors } from 'picocolors';
import { visible } from '../text/visible.ts';

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Everything that the program uses of its environment, besides files and the network. */
export interface Io {
  /** The arguments after the name of the program. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Relative paths start here. */
  readonly cwd: string;
  /** Asks the user, and resolves with whether the answer is yes; missing if there is nobody to ask. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  /** Aborted when the user wants the program to stop. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the process at once, with the status of the signal; missing where the program is a part of another. */
  readonly exit?: (() => void) | undefined;
}

/** Whether to colour the output: `NO_COLOR` and `FORCE_COLOR` decide, or else whether it is a terminal. */
export function hasColor(output: Output, env: Io['env']): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return output.isTTY === true && env['TERM'] !== 'dumb';
}

export type Colors = ReturnType<typeof createColors>;

export function colorsOf({ stdout, env }: Pick<Io, 'stdout' | 'env'>): Colors {
  return createColors(hasColor(stdout, env));
}

/** Writes a value as JSON, or as a text for a person. */
export function print(
  io: Pick<Io, 'stdout' | 'env'>,
  { json }: { readonly json: boolean },
  value: unknown,
  textOf: (colors: Colors) => string,
): void {
  io.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : textOf(colorsOf(io)));
}

/** So seldom progress is written where lines stay: in the log of a pipeline. */
const SELDOM_MS = 60_000;

/** A line on a terminal that is overwritten. Elsewhere it is a new line, after each minute. */
export function progressLine({ stderr }: Pick<Io, 'stderr'>, now: () => number = Date.now) {
  const erase = '\r\u001b[2K';
  let isShown = false;
  let writtenAt = now();
  return {
    show: (text: string): void => {
      if (stderr.isTTY !== true) {
        if (now() - writtenAt < SELDOM_MS) return;
        writtenAt = now();
        stderr.write(`${visible(text)}\n`);
        return;
      }
      isShown = true;
      stderr.write(`${erase}${visible(text).slice(0, (stderr.columns ?? 80) - 1)}`);
    },
    end: (): void => {
      if (isShown) stderr.write(erase);
      isShown = false;
    },
  };
}

/** Lets a reader close the pipe early (`agent-contract list checks | head -1`) without a crash. */
export function tolerateBrokenPipe(...streams: readonly NodeJS.EventEmitter[]): void {
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    });
}
