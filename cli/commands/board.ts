import { mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { reporters } from '../../conformance/reporters/index.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { visible } from '../../text/visible.ts';
import { boardMarkdown, boardOf } from '../board/board.ts';
import { boardPage } from '../board/page.ts';
import { readReportFile } from '../check/checked-file.ts';
import type { Cli, Command } from '../command.ts';
import { exitStatus } from '../exit-status.ts';
import { writeAtomically } from '../files/files.ts';
import { flagsOf, readFlags, typedFlags } from '../flags.ts';

export const flags = typedFlags(flagsOf('board', {}));

export function run({ io, clean }: Cli, command: Command): number {
  const { out = 'board', alarm } = readFlags(flags, command, io);
  const folders = command.args;
  const files = folders.flatMap((folder) => reportsIn(path.resolve(io.cwd, folder), folder));
  if (files.length === 0) throw new UsageError(`There is no report.json below ${folders.map(visible).join(', ')}.`);
  const reports = files.map((file) => readReportFile(file, io.cwd));
  const board = boardOf(reports);
  const folder = path.resolve(io.cwd, out);
  mkdirSync(path.join(folder, 'reports'), { recursive: true });
  const write = (name: string, text: string): void => writeAtomically(path.join(folder, name), clean(text));
  write('index.html', boardPage(board));
  write('board.json', `${JSON.stringify(board, null, 2)}\n`);
  write('board.md', boardMarkdown(board));
  for (const { id, startedAt, product } of board.columns) {
    const report = reports.find(
      ({ target, startedAt: at }) => at === startedAt && (target.product?.name ?? target.baseUrl) === product,
    );
    if (report) write(`reports/${id}.html`, reporters.html.reporter(report, { color: false }));
  }
  const { columns, regressions } = board;
  io.stdout.write(
    `${reports.length} reports, ${columns.length} columns: ${visible(path.join(folder, 'index.html'))}\n`,
  );
  for (const { product, requirement } of regressions)
    io.stdout.write(`regression: ${visible(product)} breaks ${requirement}\n`);
  return alarm && regressions.length > 0 ? exitStatus.nonconformant : exitStatus.conformant;
}

/** The reports below a folder. @throws UsageError if there is no such folder */
function reportsIn(folder: string, label: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`There is no folder ${visible(label)}.`);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return names.filter((name) => /(?:^|[\\/.-])report\.json$/.test(name)).map((name) => path.join(folder, name));
}
