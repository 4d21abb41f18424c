import { join } from 'node:path';
import { createColors } from 'picocolors';
import type { Tried } from '../proof/prove.ts';
import type { AddCommand } from './cli.ts';
import { exitStatus } from './exit-status.ts';
import { hasColor } from './io.ts';

export const addProve: AddCommand = (program, { io, action }) => {
  program
    .command('prove')
    .description('show that every check fails on the faults that it is for, and on nothing that is permitted')
    .option('--json', 'every trial with its verdict, as JSON')
    .action(
      action(async ({ json }: { readonly json?: boolean }) => {
        const [{ prove }, { summary }, { allTrials, nameOf }] = await Promise.all([
          import('../proof/prove.ts'),
          import('../proof/summary.ts'),
          import('../proof/trials.ts'),
        ]);
        const trials = allTrials();
        const tried = await prove(join(__dirname, '../proof/worker.js'), trials, (_, done) => {
          if (io.stderr.isTTY === true)
            io.stderr.write(`\r${done} of ${trials.length} trials${done === trials.length ? '\n' : ''}`);
        });
        const wrong = tried.filter(({ verdict }) => !verdict.holds);
        if (json === true) io.stdout.write(`${JSON.stringify(tried, null, 2)}\n`);
        else {
          const { red } = createColors(hasColor(io.stdout, io.env));
          io.stdout.write(`${matrix(tried)}\n${summary(tried).join('\n')}\n`);
          for (const { trial, verdict } of wrong)
            io.stdout.write(
              red(
                `\n${nameOf(trial)}\n  expected ${verdict.expected.join(', ')}\n  failed   ${verdict.failed.join(', ')}\n`,
              ),
            );
        }
        return wrong.length === 0 ? exitStatus.conformant : exitStatus.nonconformant;
      }),
    );
};

/** One line a violation: which checks caught it, and under how many profiles exactly those did. */
function matrix(tried: readonly Tried[]): string {
  const rows = new Map<string, { expected: readonly string[]; held: number; of: number }>();
  for (const { trial, verdict } of tried) {
    if (trial.kind !== 'fault') continue;
    const row = rows.get(trial.violation) ?? { expected: verdict.expected, held: 0, of: 0 };
    rows.set(trial.violation, { ...row, held: row.held + Number(verdict.holds), of: row.of + 1 });
  }
  const width = Math.max(...[...rows.keys()].map((id) => id.length));
  return [...rows]
    .map(([id, row]) => `${id.padEnd(width)}  ${row.held}/${row.of}  ${row.expected.join(', ')}\n`)
    .join('');
}
