import { UsageError } from '../../conformance/usage-error.ts';
import type { CatalogEntry } from '../catalog.ts';
import type { AddCommand } from '../command-context.ts';
import { exitStatus } from '../exit-status.ts';
import { colorsOf, type Colors } from '../io.ts';
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
        const { catalogKinds, entriesOf } = await import('../catalog.ts');
        const plural = { faults: 'violations', choices: 'gaps' }[name] ?? name;
        const kind = catalogKinds.find((one) => `${one}s` === plural);
        if (kind === undefined) {
          const known = catalogKinds.map((one) => `${one}s`);
          throw new UsageError(
            `There is no list of ${JSON.stringify(name)}. There are ${known.join(', ')}.${didYouMean(name, [...known, 'faults', 'choices'])}`,
          );
        }
        const entries = entriesOf(kind);
        if (json === true) {
          const items = entries.map(({ id, details }) => ({ id, ...details }));
          io.stdout.write(`${JSON.stringify(items, null, 2)}\n`);
        } else io.stdout.write(table(entries, colorsOf(io)));
        return exitStatus.conformant;
      }),
    );
};

function table(entries: readonly CatalogEntry[], { bold }: Colors): string {
  const rows = entries.map(({ id, facts, details }) => [id, ...facts, String(Object.values(details)[0])]);
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) => {
      const [id = '', ...rest] = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
      return `${[bold(id), ...rest].join('  ').trimEnd()}\n`;
    })
    .join('');
}
