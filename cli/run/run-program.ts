import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { visible } from '../../text/visible.ts';
import { codeOf } from '../errors.ts';
import { signalOf } from '../interruption.ts';
import type { Io } from '../io.ts';

const NOT_STARTED = 126;
const NOT_FOUND = 127;
const SIGNALLED = 128;

/** Runs a command on our streams without a shell, and passes on signals. Resolves with its status, as a shell does. */
export function runProgram(command: string, args: readonly string[], io: Io): Promise<number> {
  const { env, cwd, signal } = io;
  // Windows starts `npm` and the like only through its shell, which takes one line.
  const shell = process.platform === 'win32';
  const line = [command, ...args].map((one) => `"${one.replaceAll('"', String.raw`\"`)}"`).join(' ');
  const [program, words] = shell ? [line, []] : [command, args];
  const child = spawn(program, words, { cwd, env, stdio: 'inherit', shell });
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
      let [status, why] = [NOT_STARTED, `cannot be started (${visible(code)}).`];
      if (code === 'ENOENT') [status, why] = [NOT_FOUND, 'cannot be found. Is it installed, and in a folder on PATH?'];
      io.stderr.write(`error: The command ${visible(JSON.stringify(command))} ${why}\n`);
      resolve(status);
    });
    child.once('close', (status, by) => resolve(status ?? SIGNALLED + (by === null ? 0 : constants.signals[by])));
  }).finally(() => {
    signal?.removeEventListener('abort', pass);
    process.off('exit', abandon);
  });
}
