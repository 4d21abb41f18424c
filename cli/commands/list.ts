import { createColors } from 'picocolors';
import { UsageError } from '../../conformance/usage-error.ts';
import type { Entry, Kind } from '../catalog.ts';
import type { AddCommand } from '../command-context.ts';
import { exitStatus } from '../exit-status.ts';
import { hasColor } from '../io.ts';
import { didYouMean } from '../../text/nearest.ts';

export const addList: AddCommand = (program, { io, action }) => {
  program
    .command('list')
    .description(
      'list everything that has an id: checks, requirements, violations (faults), triggers, connection-faults, gaps (choices), profiles, personas, endpoints',
    )
    .argument(
      '<kind>',
      'checks, requirements, violations, triggers, connection-faults, gaps, profiles, personas or endpoints',
    )
    .option('--json', 'as JSON')
    .action(
      action(async (name: string, { json }: { readonly json?: boolean }) => {
        const { entriesOf, kinds } = await import('../catalog.ts');
        const names = new Map<string, Kind>();
        for (const kind of Object.keys(kinds) as Kind[]) {
          for (const known of [kinds[kind].plural, ...kinds[kind].aliases]) names.set(known, kind);
        }
        const kind = names.get(name);
        if (kind === undefined) {
          const known = Object.values(kinds).map(({ plural }) => plural);
          throw new UsageError(
            `There is no list of ${JSON.stringify(name)}. There are ${known.join(', ')}.${didYouMean(name, names.keys())}`,
          );
        }
        const entries = entriesOf(kind);
        io.stdout.write(
          json === true
            ? `${JSON.stringify(entries.map(asJson), null, 2)}\n`
            : table(entries, createColors(hasColor(io.stdout, io.env))),
        );
        return exitStatus.conformant;
      }),
    );
};

const asJson = ({ id, details }: Entry): unknown => ({ id, ...details });

function table(entries: readonly Entry[], colors: ReturnType<typeof createColors>): string {
  const rows = entries.map(({ id, facts, summary }) => [id, ...facts, summary]);
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(cell.length, widest[index] ?? 0)),
    [],
  );
  return rows
    .map(([id = '', ...rest]) => {
      const padded = rest.map((cell, index) =>
        index === rest.length - 1 ? cell : cell.padEnd(widths[index + 1] ?? 0),
      );
      return `${[colors.bold(id.padEnd(widths[0] ?? 0)), ...padded].join('  ')}\n`;
    })
    .join('');
}
