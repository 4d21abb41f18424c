import { existsSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../conformance/usage-error.ts';
import { visible } from '../../text/visible.ts';
import type { AddCommand } from '../command-context.ts';
import { exitStatus } from '../exit-status.ts';
import { colorsOf } from '../io.ts';

const FOOTER = `
A bundle is what check --submission DIR writes. verify compares digests and editions, judges the history again, and compares what it
shows with the report. It does not say who made the bundle: sign statement.json for that, and verify the signature first.

Exit status: 0 everything agrees; 1 something does not; 2 a flag or a file is wrong.`;

export const addVerify: AddCommand = (program, { io, action }) => {
  program
    .command('verify')
    .description('verify what a vendor submitted: digests, the contract, and the verdict, judged again')
    .argument('<folder>', 'bundle that check --submission wrote')
    .addHelpText('after', FOOTER)
    .option('--json', 'as JSON')
    .action(
      action(async (folder: string, { json }: { readonly json?: boolean }) => {
        const full = path.resolve(io.cwd, folder);
        if (!existsSync(full)) throw new UsageError(`There is no folder ${visible(folder)}.`);
        const { verifyBundle } = await import('../submission/bundle.ts');
        const looked = await verifyBundle(full);
        const { green, red } = colorsOf(io);
        const lines = looked.map(({ what, wrong }) =>
          wrong === undefined ? `${green('✓')} ${what}` : `${red('✗')} ${what}: ${visible(wrong)}`,
        );
        const problems = looked.filter(({ wrong }) => wrong !== undefined).length;
        const verdict = problems === 0 ? 'VERIFIED' : `NOT VERIFIED: ${problems} of ${looked.length} do not agree`;
        const answer =
          json === true
            ? JSON.stringify({ verified: problems === 0, looked }, null, 2)
            : [...lines, verdict].join('\n');
        io.stdout.write(`${answer}\n`);
        return problems === 0 ? exitStatus.conformant : exitStatus.nonconformant;
      }),
    );
};
