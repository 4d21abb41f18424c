import { existsSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../conformance/usage-error.ts';
import { visible } from '../../text/visible.ts';
import type { Cli, Command } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { jsonFlag, readFlags } from '../flags.ts';
import { colorsOf } from '../io.ts';
import { verifyBundle } from '../submission/bundle.ts';

export const flags = jsonFlag;

export async function run({ io }: Cli, command: Command): Promise<number> {
  const { json } = readFlags(jsonFlag, command, io);
  const [folder = ''] = command.args;
  const full = path.resolve(io.cwd, folder);
  if (!existsSync(full)) throw new UsageError(`There is no folder ${visible(folder)}.`);
  const looked = await verifyBundle(full);
  const problems = looked.filter(({ wrong }) => wrong !== undefined).length;
  if (json) io.stdout.write(`${JSON.stringify({ verified: problems === 0, looked }, null, 2)}\n`);
  else {
    const { green, red } = colorsOf(io);
    for (const { what, wrong } of looked)
      io.stdout.write(wrong === undefined ? `${green('✓')} ${what}\n` : `${red('✗')} ${what}: ${visible(wrong)}\n`);
    io.stdout.write(problems === 0 ? 'VERIFIED\n' : `NOT VERIFIED: ${problems} of ${looked.length} do not agree\n`);
  }
  return problems === 0 ? exitStatus.conformant : exitStatus.nonconformant;
}
