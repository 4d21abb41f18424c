import { statSync } from 'node:fs';
import path from 'node:path';

/**
 * What Node.js must start to run a command; `isVerbatim` if the arguments are already quoted. Finds a command as Windows does: in the folders of `Path`, with each extension of `PATHEXT`. Batch files, such as
 * `npm` and most tools in `node_modules`, need `cmd.exe`, with its special characters escaped.
 */
export function windowsCommand(
  command: string,
  args: readonly string[],
  {
    env,
    cwd,
    isFile = isRegularFile,
  }: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly cwd: string;
    readonly isFile?: (file: string) => boolean;
  },
): { readonly command: string; readonly args: readonly string[]; readonly isVerbatim: boolean } {
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
