import type { Command } from 'commander';
import type { Secret } from '../conformance/report/redact.ts';
import type { Flags } from './flags.ts';
import type { Io } from './io.ts';

export type { Command };

export interface Cli {
  readonly io: Io;
  /** Values that no message may show; a command adds its own. */
  readonly secrets: Secret[];
  /** A secret of this run, which is sent along and must appear nowhere. */
  readonly canary: Required<Secret>;
  /** Everything that is written elsewhere than to the streams of `io` must pass here. */
  readonly clean: (text: string) => string;
}

/** What commands.json says of a command, so that only the module of the command that runs is loaded. */
export interface CommandTexts {
  readonly does: string;
  readonly usage?: string;
  readonly operands?: Readonly<Record<string, string>>;
  readonly footer?: readonly string[];
}

export interface CommandModule {
  readonly flags: Flags;
  /** Whether it heeds the signal of `io`. Every other command ends with the first signal. */
  readonly endsItself?: true;
  /** Resolves with the exit status, if it is not 0. The operands are `command.args`. */
  readonly run: (cli: Cli, command: Command) => Promise<number | void> | number | void;
}
