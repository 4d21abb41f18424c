import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { visible } from '../../conformance/report/redact.ts';
import { codeOf } from '../errors.ts';
import { signalOf } from '../interruption.ts';
import type { Io } from '../io.ts';

const NOT_STARTED = 126;
const NOT_FOUND = 127;
const SIGNALLED = 128;

/** Runs a command on our streams without a shell, and passes on signals. Resolves with its status, as a shell does. */
export function runProgram(command: string, args: readonly string[], io: Io): Promise<number> {
  const { env, cwd, signal } = io;
  const { isVerbatim, ...found } =
    process.platform === 'win32' ? windowsCommand(command, args, { env, cwd }) : { command, args, isVerbatim: false };
  const child = spawn(found.command, found.args, { cwd, env, stdio: 'inherit', windowsVerbatimArguments: isVerbatim });
  const pass = (): void => {
    const name = signalOf(signal ?? new AbortController().signal);
    // Ctrl+C in a terminal reaches every process; the command has already got it.
    if (name === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(name);
  };
  const abandon = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', pass, { once: true });
  process.once('exit', abandon);
  if (signal?.aborted === true) pass();
  return new Promise<number>((resolve) => {
    child.once('error', (error) => {
      const code = codeOf(error);
      const name = visible(JSON.stringify(command));
      io.stderr.write(
        code === 'ENOENT'
          ? `error: The command ${name} cannot be found. Is it installed, and in a folder on PATH?\n`
          : `error: The command ${name} cannot be started (${visible(code)}).\n`,
      );
      resolve(code === 'ENOENT' ? NOT_FOUND : NOT_STARTED);
    });
    child.once('close', (status, by) => resolve(status ?? SIGNALLED + (by === null ? 0 : constants.signals[by])));
  }).finally(() => {
    signal?.removeEventListener('abort', pass);
    process.off('exit', abandon);
  });
}

/**
 * What Node.js must start to run a command; `isVerbatim` if the arguments are already quoted. Finds a command as Windows does: in the folders of `Path`, with each extension of `PATHEXT`. Batch files, such as
 * `npm` and most tools in `node_modules`, need `cmd.exe`, with its special characters escaped.
 */
export function windowsCommand(
  command: string,
  args: readonly string[],
  { env, cwd, isFile = isRegularFile }: Pick<Io, 'env' | 'cwd'> & { readonly isFile?: (file: string) => boolean },
) {
  const variable = (name: string): string | undefined =>
    Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
  const endings = (variable('PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const folders = /[\\/]/.test(command)
    ? ['']
    : ['', ...(variable('PATH') ?? '').split(';').filter((one) => one !== '')];
  const hasEnding = endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()));
  const names = ['', ...endings].map((ending) => `${command}${ending}`).slice(hasEnding ? 0 : 1);
  const found = folders
    .flatMap((folder) => names.map((name) => path.win32.resolve(cwd, folder, name)))
    .find((file) => isFile(file));
  if (found === undefined || !/\.(?:cmd|bat)$/i.test(found))
    return { command: found ?? command, args, isVerbatim: false };
  // A batch file that passes its arguments on makes cmd.exe parse them a second time.
  const line = [caret(found), ...args.map((arg) => caret(caret(quoted(arg))))].join(' ');
  return { command: variable('COMSPEC') ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true };
}

/** One argument as programs parse it: backslashes are doubled only before a quotation mark. */
const quoted = (arg: string): string =>
  `"${arg.replace(/(\\*)("|$)/g, (_, slashes: string, mark: string) => `${slashes}${slashes}${mark && '\\"'}`)}"`;

const caret = (text: string): string => text.replace(/[()[\]%!^"`<>&|;, *?]/g, '^$&');

function isRegularFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
