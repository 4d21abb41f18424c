import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { visible } from '../../text/visible.ts';
import type { Cli, Command } from '../command.ts';
import { flagsOf, readFlags, typedFlags } from '../flags.ts';
import { runProgram } from '../run/run-program.ts';
import { packageRoot } from './docs.ts';

export const flags = typedFlags(flagsOf('site', {}));

const VITEPRESS = 'node_modules/vitepress/bin/vitepress.js';

export async function run({ io }: Cli, command: Command): Promise<number | void> {
  const { base = '/' } = readFlags(flags, command, io);
  const work = mkdtempSync(path.join(tmpdir(), 'agent-contract-site-'));
  try {
    copyPages(packageRoot(), work);
    const steps = [
      ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      [process.execPath, VITEPRESS, 'build', 'docs/site', '--base', base, '--outDir', path.join(work, 'site')],
    ] as const;
    for (const [program, ...args] of steps) {
      const status = await runProgram(program, args, { ...io, cwd: work });
      if (status !== 0) return status;
    }
    const to = path.resolve(io.cwd, command.args[0] ?? '');
    cpSync(path.join(work, 'site'), to, { recursive: true });
    io.stdout.write(`The site is in ${visible(to)}: serve it with any server of static files.\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The generator reads and writes beside the pages, so that it gets a copy of them; the engine stays where its packages are. */
function copyPages(from: string, to: string): void {
  for (const name of ['docs', 'bench/results.md', ...readdirSync(from).filter((file) => file.endsWith('.md'))])
    if (existsSync(path.join(from, name)))
      cpSync(path.join(from, name), path.join(to, name), {
        recursive: true,
        filter: (file) => !file.endsWith('node_modules'),
      });
  for (const name of ['package.json', 'package-lock.json'])
    cpSync(path.join(from, 'docs/site', name), path.join(to, name));
  symlinkSync(path.join(from, 'dist'), path.join(to, 'dist'), 'junction');
}
