import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../conformance/usage-error.ts';
import { visible } from '../../text/visible.ts';
import type { Cli, Command } from '../command.ts';
import { readJsonFile } from '../files/json-file.ts';
import { writeFile } from '../files/files.ts';
import { flagsOf, readFlags, typedFlags } from '../flags.ts';
import { partsFor, toolNames, type Part } from '../init/tools.ts';

export const flags = typedFlags(flagsOf('init', {}));

export async function run({ io }: Cli, command: Command): Promise<void> {
  const { yes: isYes } = readFlags(flags, command, io);
  if (!existsSync(path.join(io.cwd, 'package.json')))
    throw new UsageError('There is no package.json here. Run this in the folder of your project.');
  const manifest = readJsonFile('manifest', 'package.json', io.cwd) ?? {};
  const parts = partsFor(manifest as Record<string, object | undefined>, readdirSync(io.cwd));
  if (parts.length === 0) {
    io.stdout.write(
      `package.json names none of ${toolNames.join(', ')}. "agent-contract mock" starts a mock for any tool.\n`,
    );
    return;
  }
  io.stdout.write(`${parts.map(shown).join('\n')}\n`);
  const fresh = parts.filter(({ isThere }) => !isThere);
  if (fresh.length === 0) return;
  const files = fresh.map(({ file }) => file).join(', ');
  if (!isYes && io.ask === undefined) {
    io.stdout.write(`Nothing was written. agent-contract init --yes writes ${files}.\n`);
    return;
  }
  if (isYes || (await io.ask?.(`Write ${files}? [y/N] `)) === true) {
    // A file of that name may have appeared meanwhile.
    for (const { tool, file, text } of fresh) writeFile(tool, path.join(io.cwd, file), text, { flag: 'wx' });
    io.stdout.write(`Written: ${files}.\n`);
  } else io.stdout.write('Nothing was written.\n');
}

function shown({ tool, file, isThere, text }: Part): string {
  const remark = isThere ? ', which exists already and is not changed. Add this to it:' : '';
  const lines = text.trimEnd().replaceAll(/^(?=.)/gm, '    ');
  return `${tool}: ${visible(file)}${remark}\n\n${lines}\n`;
}
