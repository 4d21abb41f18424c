import { UsageError } from '../../conformance/usage-error.ts';
import type { CatalogEntry } from '../catalog.ts';
import type { AddCommand } from '../command-context.ts';
import { exitStatus } from '../exit-status.ts';
import { colorsOf, type Colors } from '../io.ts';
import { didYouMean } from '../../text/nearest.ts';

export const addExplain: AddCommand = (program, { io, action }) => {
  program
    .command('explain')
    .description('say what an id means, where it comes from, what verifies it, and what it is proven to catch')
    .argument('<id>', 'id of a check, requirement, violation (fault), trigger, gap, profile or endpoint')
    .option('--json', 'as JSON')
    .action(
      action(async (id: string, { json }: { readonly json?: boolean }) => {
        const { catalogKinds, entriesOf } = await import('../catalog.ts');
        const all = catalogKinds.flatMap(entriesOf);
        const found = all.filter((entry) => entry.id === id);
        if (found.length === 0) {
          const ids = all.map((entry) => entry.id);
          const remedy =
            didYouMean(id, ids) || ' "agent-contract list checks" (or requirements, gaps, ...) shows them.';
          throw new UsageError(`Nothing has the id ${JSON.stringify(id)}.${remedy}`);
        }
        if (json === true) {
          const items = found.map(({ kind, id: name, details }) => ({ kind, id: name, ...details }));
          io.stdout.write(`${JSON.stringify(items, null, 2)}\n`);
        } else io.stdout.write(found.map((entry) => explanation(entry, colorsOf(io))).join('\n'));
        return exitStatus.conformant;
      }),
    );
};

function explanation({ kind, id, details }: CatalogEntry, { bold, dim }: Colors): string {
  const lines = Object.entries(details).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [`  ${dim(name.padEnd(10))}  ${value}`];
    if (value.length === 0) return [`  ${dim(name.padEnd(10))}  none`];
    return [`  ${dim(name)}`, ...value.map((item) => `    ${item}`)];
  });
  return `${bold(id)} ${dim(`(${kind})`)}\n${lines.join('\n')}\n`;
}
