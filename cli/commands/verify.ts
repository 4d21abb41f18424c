import { existsSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../conformance/usage-error.ts';
import { visible } from '../../text/visible.ts';
import type { Cli, Command } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { jsonFlag, readFlags } from '../flags.ts';
import { print } from '../io.ts';
import { verifyBundle } from '../submission/bundle.ts';

export const flags = jsonFlag;

export async function run({ io }: Cli, command: Command): Promise<number> {
  const [folder = ''] = command.args;
  const full = path.resolve(io.cwd, folder);
  if (!existsSync(full)) throw new UsageError(`There is no folder ${visible(folder)}.`);
  const looked = await verifyBundle(full);
  const problems = looked.filter(({ wrong }) => wrong !== undefined).length;
  print(io, readFlags(jsonFlag, command, io), { verified: problems === 0, looked }, ({ green, red }) => {
    const lines = looked.map(({ what, wrong }) =>
      wrong === undefined ? `${green('✓')} ${what}\n` : `${red('✗')} ${what}: ${visible(wrong)}\n`,
    );
    lines.push(problems === 0 ? 'VERIFIED\n' : `NOT VERIFIED: ${problems} of ${looked.length} do not agree\n`);
    return lines.join('');
  });
  return problems === 0 ? exitStatus.conformant : exitStatus.nonconformant;
}
