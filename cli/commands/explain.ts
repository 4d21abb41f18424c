import { UsageError } from '../../conformance/usage-error.ts';
import { didYouMean } from '../../text/nearest.ts';
import { catalogKinds, entriesOf, type CatalogEntry } from '../catalog.ts';
import type { Cli, Command } from '../command.ts';
import { print, type Colors } from '../io.ts';
import { jsonFlag, readFlags } from '../flags.ts';

export const flags = jsonFlag;

export function run({ io }: Cli, command: Command): void {
  const [wanted = ''] = command.args;
  const all = catalogKinds.flatMap(entriesOf);
  const found = all.filter(({ id }) => id === wanted);
  if (found.length === 0) {
    const ids = all.map(({ id }) => id);
    const remedy = didYouMean(wanted, ids) || ' "agent-contract list checks" (or requirements, gaps, ...) shows them.';
    throw new UsageError(`Nothing has the id ${JSON.stringify(wanted)}.${remedy}`);
  }
  const items = found.map(({ kind, id, details }) => ({ kind, id, ...details }));
  print(io, readFlags(flags, command, io), items, (colors) => found.map((one) => explanation(one, colors)).join('\n'));
}

function explanation({ kind, id, details }: CatalogEntry, { bold, dim }: Colors): string {
  const lines = Object.entries(details).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [`  ${dim(name.padEnd(10))}  ${value}`];
    if (value.length === 0) return [`  ${dim(name.padEnd(10))}  none`];
    return [`  ${dim(name)}`, ...value.map((item) => `    ${item}`)];
  });
  return `${bold(id)} ${dim(`(${kind})`)}\n${lines.join('\n')}\n`;
}
