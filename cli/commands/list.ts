import { UsageError } from '../../conformance/usage-error.ts';
import { didYouMean } from '../../text/nearest.ts';
import { catalogKinds, entriesOf, type CatalogEntry } from '../catalog.ts';
import type { Cli, Command } from '../command.ts';
import { jsonFlag, readFlags } from '../flags.ts';
import { print, type Colors } from '../io.ts';

export const flags = jsonFlag;

export function run({ io }: Cli, command: Command): void {
  const [name = ''] = command.args;
  const plural = { faults: 'violations', choices: 'gaps' }[name] ?? name;
  const kind = catalogKinds.find((one) => `${one}s` === plural);
  if (kind === undefined) {
    const known = catalogKinds.map((one) => `${one}s`);
    const hint = didYouMean(name, [...known, 'faults', 'choices']);
    throw new UsageError(`There is no list of ${JSON.stringify(name)}. There are ${known.join(', ')}.${hint}`);
  }
  const entries = entriesOf(kind);
  const items = entries.map(({ id, details }) => ({ id, ...details }));
  print(io, readFlags(flags, command, io), items, (colors) => table(entries, colors));
}

function table(entries: readonly CatalogEntry[], { bold }: Colors): string {
  const rows = entries.map(({ id, facts, details }) => [id, ...facts, String(Object.values(details)[0])]);
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => {
    const [id = '', ...rest] = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return `${[bold(id), ...rest].join('  ').trimEnd()}\n`;
  });
  return lines.join('');
}
