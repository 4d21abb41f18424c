import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../../conformance/usage-error.ts';
import { visible } from '../../text/visible.ts';
import type { Cli, CommandDefinition } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { readFlags, switchFlag, typedFlags } from '../flags.ts';
import { colorsOf } from '../io.ts';

const footer = `
A bundle is what check --submission DIR writes. verify compares digests and editions, judges the history again, and compares what it
shows with the report. It does not say who made the bundle: sign statement.json for that, and verify the signature first.

Exit status: 0 everything agrees; 1 something does not; 2 a flag or a file is wrong.`;

const flags = typedFlags({ json: switchFlag('as JSON') } as const);

export const definition: CommandDefinition = {
  operands: [['<folder>', 'bundle that check --submission wrote']],
  flags,
  footer,
  run,
};

async function run({ io }: Cli, command: Command): Promise<number> {
  const { json } = readFlags(flags, command, io);
  const [folder = ''] = command.args;
  const full = path.resolve(io.cwd, folder);
  if (!existsSync(full)) throw new UsageError(`There is no folder ${visible(folder)}.`);
  const { verifyBundle } = await import('../submission/bundle.ts');
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
