import type { Command } from 'commander';
import type { Secret } from '../conformance/report/redact.ts';
import type { Io } from './io.ts';

/** What every command works with. */
export interface Cli {
  readonly io: Io;
  /** Values that no message may show; a command adds its own. */
  readonly secrets: Secret[];
  /** A secret of this run, which is sent along and must appear nowhere. */
  readonly canary: Required<Secret>;
  /** Everything that is written elsewhere than to the streams of `io` must pass here. */
  readonly clean: (text: string) => string;
  /** Turns a command, and its exit status, into an action of commander. */
  readonly action: <A extends readonly unknown[]>(
    work: (...args: A) => Promise<number> | number,
  ) => (...args: A) => Promise<void>;
}

/** Adds one command to the program. */
export type AddCommand = (program: Command, cli: Cli) => void;
