import type { Command } from 'commander';
import type { Secret } from '../conformance/report/redact.ts';
import type { Io } from './io.ts';

/** What every command works with. */
export interface Cli {
  readonly io: Io;
  /** Values that no message may show; a command adds those that it is given. */
  readonly secrets: Secret[];
  /** A secret made for this run, to be sent along and to be seen nowhere. */
  readonly canary: Required<Secret>;
  /** What is written elsewhere than to the streams of `io` has to pass here. */
  readonly clean: (text: string) => string;
  /** Makes what a command does, and the status that it ends with, into an action of commander. */
  readonly action: <A extends readonly unknown[]>(
    work: (...args: A) => Promise<number> | number,
  ) => (...args: A) => Promise<void>;
}

/** Adds one command to the program. */
export type AddCommand = (program: Command, cli: Cli) => void;
